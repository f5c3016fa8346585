package dev.upcall.txn.state;

import dev.upcall.base.Invariants;
import dev.upcall.fsm.Faults;
import dev.upcall.io.Disk;
import dev.upcall.segment.Overlay;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.space.Extent;
import dev.upcall.space.FreeMap;
import dev.upcall.space.Reserve;
import dev.upcall.tree.PageCache;
import dev.upcall.tree.PageLook;
import dev.upcall.tree.PageRef;
import dev.upcall.tree.Tree;
import dev.upcall.tree.TreeConfig;
import dev.upcall.tree.TreeVersion;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.TableEntries;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a store is at one SCN: its trees, its unplaced content, its free space. Changed only by
 * {@link #apply}, in one upcall a change, by live changes and by replay alike. Does no I/O.
 */
public final class StoreState {
  /** No list: every change asks, and walking one takes half as long again. */
  private static final StoreTree[] FROZEN = StoreTree.FROZEN.toArray(StoreTree[]::new);

  /** Blocks promised on top for the pages of the unplaced image and of the first changes. */
  private static final long SLACK_BLOCKS = 32;

  /** One decoded inode and one name for so much of the page budget: a tenth of it at most. */
  private static final long BYTES_PER_INODE = 4 << 10;

  private static final int MAX_INODES = 1 << 16;

  private final Tree[] trees = new Tree[StoreTree.values().length];
  private final RecentLooks looks;
  private final OpenSnapshots snapshots;
  private final SegmentTable segments;
  private final Pins pins = new Pins();
  private final PageCache pages;
  private final TreeConfig treeConfig;
  private final FreeMap map;
  private final Faults faults;
  private long scn;
  private long nextSegmentId;
  private long placingBlocks;
  private boolean spaceIsUnknown;
  private boolean entriesOnce;

  /**
   * An empty state, to be filled with roots.
   *
   * @param pages must report replaced pages to {@link #replaced}
   */
  public StoreState(TreeConfig treeConfig, PageCache pages, FreeMap map, Faults faults) {
    int kept = Math.clamp(pages.budgetBytes() / BYTES_PER_INODE, 1, MAX_INODES);
    this.looks = new RecentLooks(kept, faults);
    this.snapshots = new OpenSnapshots(faults);
    this.segments = new SegmentTable(snapshots);
    this.faults = faults;
    this.treeConfig = treeConfig;
    this.pages = pages;
    this.map = map;
    for (StoreTree tree : StoreTree.values()) {
      openTree(tree, null);
    }
  }

  /** Nobody knows which blocks are free, so none may be handed out: for a store that only reads. */
  public void forgetSpace() {
    spaceIsUnknown = true;
  }

  public Faults faults() {
    return faults;
  }

  /** Takes over what a superblock says. */
  public void begin(long atScn, long firstFreeSegmentId) {
    Invariants.check(scn == 0, "a state that has begun already", scn, atScn);
    scn = atScn;
    nextSegmentId = firstFreeSegmentId;
  }

  /** Whether the volume says durably that leaves of entries may have one copy. */
  public void keepEntriesOnce(boolean isSaid) {
    entriesOnce = isSaid;
  }

  /** Whether leaves of a tree get one copy from now on. */
  public boolean hasLeavesOnce(StoreTree tree) {
    return entriesOnce && tree == StoreTree.ENTRIES;
  }

  /** Opens a tree at a root. */
  public void openTree(StoreTree tree, @Nullable PageRef root) {
    trees[tree.ordinal()] = newTree(tree, root);
  }

  /** A tree at a root that is not the state's own, but of a snapshot. */
  public Tree newTree(StoreTree tree, @Nullable PageRef root) {
    return new Tree(treeConfig, tree.number(), root, pages);
  }

  public Tree tree(StoreTree tree) {
    return trees[tree.ordinal()];
  }

  /**
   * What a tree has under a key now, or null; not to be changed. May throw {@code PageMissing}, but
   * not for a name that was asked for lately.
   */
  byte @Nullable [] value(StoreTree tree, byte[] key) {
    return tree == StoreTree.NAMES ? looks.name(version(tree), key, scn) : tree(tree).get(key);
  }

  /** An inode as it is now, or null; may throw {@code PageMissing}. */
  @Nullable Inode inode(long id) {
    return looks.inode(version(StoreTree.INODES), id, scn);
  }

  /** A tree as it is now, for a look in this upcall. */
  private TreeVersion version(StoreTree tree) {
    return new TreeVersion(tree(tree).root());
  }

  /** What was asked for lately, for all who look at this state as it is or was. */
  RecentLooks looks() {
    return looks;
  }

  public SegmentTable segments() {
    return segments;
  }

  public OpenSnapshots snapshots() {
    return snapshots;
  }

  public Pins pins() {
    return pins;
  }

  public TreeConfig treeConfig() {
    return treeConfig;
  }

  public PageCache pages() {
    return pages;
  }

  public FreeMap map() {
    return map;
  }

  public long scn() {
    return scn;
  }

  public long nextSegmentId() {
    return nextSegmentId;
  }

  /** A segment id that nobody gets again, whatever becomes of it. */
  public long reserveSegmentId() {
    return nextSegmentId++;
  }

  /** A segment id was used. */
  void used(long segmentId) {
    nextSegmentId = Math.max(nextSegmentId, segmentId + 1);
  }

  /** Pages that a step needs are in memory, or {@code PageMissing}. */
  public void prepare(Op op) {
    switch (op) {
      case Op.Put put -> tree(put.tree()).prepare(put.key());
      case Op.Remove remove -> tree(remove.tree()).prepare(remove.key());
      case Op.OverlayWrite _,
          Op.OverlayDrop _,
          Op.OverlayCopy _,
          Op.Allocate _,
          Op.Free _,
          Op.Unchanged _ -> {}
    }
  }

  /** A new SCN begins. */
  public void advance(long to) {
    Invariants.check(to > scn, "SCN goes back", to, scn);
    scn = to;
  }

  /**
   * Applies one step at the present SCN. Cannot wait, cannot fail once prepared.
   *
   * @param live whether extents were reserved before (a live change) or are free (replay)
   */
  public void apply(Op op, boolean live) {
    switch (op) {
      case Op.Put put -> {
        // Forgotten first: a cache that outlives the change would show what was before.
        looks.changing(put.tree(), put.key(), scn);
        tree(put.tree()).put(put.key(), put.value());
        if (put.tree().keyForm() == StoreTree.KeyForm.SEGMENT) {
          used(TreeKeys.id(put.key()));
        }
      }
      case Op.Remove remove -> {
        looks.changing(remove.tree(), remove.key(), scn);
        boolean was = tree(remove.tree()).remove(remove.key());
        Invariants.check(was || remove.key().length > 0, "remove of an empty key");
      }
      case Op.OverlayWrite write -> {
        for (Overlay.Part part : write.parts()) {
          segments.write(write.segment(), part, scn);
        }
      }
      case Op.OverlayDrop drop -> segments.drop(drop.segment(), drop.from(), drop.to(), scn);
      case Op.OverlayCopy copy -> segments.copy(copy.from(), copy.to(), scn);
      case Op.Unchanged _ -> {}
      case Op.Allocate _, Op.Free _ when spaceIsUnknown -> {}
      case Op.Allocate allocate -> {
        if (live) {
          map.commit(allocate.extent());
        } else {
          // Replay hands nothing out: what the log names later could have been given away.
          long reserved = map.reservedBlocks();
          Invariants.check(reserved == 0, "blocks handed out in a replay", reserved);
          map.markCommitted(allocate.extent());
        }
      }
      case Op.Free free -> map.free(free.extent(), scn);
    }
  }

  /** A tree page on disk was replaced at the present SCN. */
  public void replaced(PageRef page) {
    if (spaceIsUnknown) {
      return;
    }
    Extent.each(page.blocks(), extent -> map.free(extent, scn));
  }

  /** The keys that are lost with a leaf that has one copy, in words. While nobody applies. */
  public String lossOf(PageRef leaf) {
    PageLook.Between keys = PageLook.find(tree(StoreTree.ENTRIES).root(), leaf);
    return keys == null ? "entries of tables" : TableEntries.between(keys.low(), keys.high());
  }

  /** Blocks that a change may make the next checkpoint need, at worst. */
  public long worstCaseBlocks(List<Op> ops) {
    ReservationSize worst = new ReservationSize(ops);
    long blocks = 2L * (UnplacedCopies.blocks(ops, segments) + worst.unplacedBlocks());
    for (StoreTree tree : FROZEN) {
      int keys = worst.changedKeys(tree);
      if (keys > 0) {
        blocks += 2L * tree(tree).worstCaseDirtyPages(keys);
      }
    }
    return faults.has(StoreFault.NOTHING_PROMISED) ? 0 : blocks;
  }

  /** Blocks are taken out of the promise because they are being placed (negative: were). */
  public void placing(long blocks) {
    placingBlocks += blocks;
    Invariants.check(placingBlocks >= 0, "blocks that are being placed", placingBlocks);
    settlePromise();
  }

  /** Unplaced content that open snapshots see, in blocks: copied already, or still to be. */
  public long snapshotCopyBlocks() {
    return snapshots.copiedBytes() / Disk.BLOCK_BYTES + segments.unplacedBlocks();
  }

  /** Pages of the frozen trees that the next checkpoint has to write. */
  public long dirtyPages() {
    long dirty = 0;
    for (StoreTree tree : FROZEN) {
      dirty += tree(tree).dirtyPages();
    }
    return dirty;
  }

  /**
   * Makes the promise to the next checkpoint what it would need now: the places of every dirty
   * page, and for every unplaced block one in the image and one for good. A change reserves its
   * worst case before; this never asks for more.
   */
  public void settlePromise() {
    long wanted = promiseBlocks();
    long promised = map.promisedBlocks();
    if (promised > wanted) {
      map.unreserve(promised - wanted);
    } else if (promised < wanted) {
      map.reserve(
          Math.min(wanted - promised, map.promisableBlocks(Reserve.EMERGENCY)), Reserve.EMERGENCY);
    }
    // Less there may be, on a full volume; more would keep from everybody what nobody will need.
    Invariants.check(map.promisedBlocks() <= wanted, "promise", map.promisedBlocks(), wanted);
  }

  /** How many blocks the promise to the next checkpoint lacks, because there were no more. */
  public long lackingBlocks() {
    return Math.max(0, promiseBlocks() - map.promisedBlocks());
  }

  private long promiseBlocks() {
    if (faults.has(StoreFault.NOTHING_PROMISED)) {
      return 0;
    }
    long unplaced = Math.max(0, 2 * segments.unplacedBlocks() - placingBlocks);
    long pageBlocks = 0;
    for (StoreTree tree : FROZEN) {
      pageBlocks += tree(tree).dirtyBlocks(hasLeavesOnce(tree));
    }
    return unplaced + SLACK_BLOCKS + pageBlocks;
  }
}
