package dev.upcall.txn.verify;

import dev.upcall.content.Kind;
import dev.upcall.segment.layout.ExtentEntry;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.InodeCodec;
import dev.upcall.segment.layout.Layout;
import dev.upcall.segment.layout.LayoutTrees;
import dev.upcall.segment.layout.PieceMap;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.space.Extent;
import dev.upcall.store.SpaceUse;
import dev.upcall.store.VerifyReport;
import dev.upcall.tree.PageLook;
import dev.upcall.tree.PageRef;
import dev.upcall.tree.PositionCheck;
import dev.upcall.tree.TreeCheck;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.TableEntries;
import dev.upcall.txn.reclaim.ReclaimPass;
import dev.upcall.txn.state.SharedRun;
import dev.upcall.txn.state.SnapshotNames;
import dev.upcall.txn.state.SnapshotRecord;
import dev.upcall.txn.volume.StoreFeature;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What a verification has seen of a store's trees, and what follows from each entry. */
final class CheckedState {
  private static final int SMALLEST_INODE_BYTES = 16;

  private final Base base;
  private final BlockLedger ledger;
  private final ArrayDeque<Run> content;
  private final ArrayDeque<Indexed> indexed = new ArrayDeque<>();
  private final ArrayDeque<CheckedPieces.Tree> folded = new ArrayDeque<>();
  private final CheckedExpiries expiries;
  private final CheckedTables tables;
  private final CheckedContents contents;
  private final CountedSpace space = new CountedSpace();
  private final List<Map.Entry<String, SnapshotRecord>> snapshots = new ArrayList<>();
  private long names;
  private long orphans;
  private long contentBlocks;
  private long unusedBytes;

  /**
   * An extent tree that is still to be walked.
   *
   * @param owner whose, in words
   * @param root where it begins
   * @param freedTo pages and extents that end there or before were given back already
   * @param named the only blocks that may have a place, or null: all may
   */
  record Indexed(Owner owner, PageRef root, long freedTo, @Nullable NamedBlocks named) {}

  /**
   * Whose content it is.
   *
   * @param kind what it is, in words
   * @param inOrder whether its blocks are in the order of its content, as far as that is known
   */
  record Owner(String kind, long id, boolean inOrder) {
    @Override
    public String toString() {
      return kind + " " + id;
    }
  }

  /**
   * A run of content.
   *
   * @param known whether it was to be read for another owner already
   */
  record Run(Owner owner, ExtentEntry entry, boolean known) {}

  /**
   * The state that is looked at.
   *
   * @param scn the last change in it
   * @param features what the volume says that it uses
   */
  record Base(long scn, long features) {}

  /**
   * Nothing seen.
   *
   * @param content receives every run of content
   */
  CheckedState(Base base, BlockLedger ledger, ArrayDeque<Run> content) {
    this.base = base;
    this.ledger = ledger;
    this.content = content;
    this.expiries = new CheckedExpiries(ledger);
    this.tables = new CheckedTables(ledger);
    this.contents = new CheckedContents(ledger);
  }

  /** The snapshots that were seen, by name. */
  List<Map.Entry<String, SnapshotRecord>> snapshots() {
    return snapshots;
  }

  BlockLedger ledger() {
    return ledger;
  }

  /** The next extent tree that an inode named, or null. */
  @Nullable Indexed nextIndexed() {
    return indexed.poll();
  }

  /** The next tree of a map that an inode named, or null. */
  CheckedPieces.@Nullable Tree nextFolded() {
    return folded.poll();
  }

  /** The tree of a map was walked: what it names is known. */
  void walked(CheckedPieces.Tree of) {
    if (of.use() != null) {
      unusedBytes += of.use().named().unusedBytes();
      places(of.owner(), of.use().space(), of.use().named());
    }
  }

  /** What to do with the pages and entries of one of the store's trees. */
  TreeCheck.Visitor tree(StoreTree tree) {
    BiConsumer<byte[], byte[]> meaning =
        switch (tree) {
          case INODES -> this::inode;
          case NAMES -> this::name;
          case ORPHANS -> this::orphan;
          case UNPLACED -> this::unplaced;
          case EXPIRY -> expiries::entry;
          case SNAPSHOTS -> this::snapshot;
          case SHARED -> (key, value) -> ledger.share(SharedRun.decode(key, value));
          case PROPERTIES -> (key, value) -> {};
          case ENTRIES -> tables::entry;
          case CONTENTS -> contents::entry;
        };
    return new Pages("a page of tree " + tree.number()) {
      @Override
      public boolean wants(PageRef page, byte @Nullable [] high) {
        if (tree == StoreTree.ENTRIES) {
          tables.page();
        }
        return true;
      }

      @Override
      public boolean leavesOnce() {
        return tree == StoreTree.ENTRIES && StoreFeature.SINGLE_LEAVES.isIn(base.features());
      }

      @Override
      public String lost(byte[] low, byte @Nullable [] high) {
        return tree == StoreTree.ENTRIES ? tables.lost(low, high) : super.lost(low, high);
      }

      @Override
      public void entry(byte[] key, byte[] value) {
        try {
          meaning.accept(key, value);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
          ledger.problem(0, "an entry of tree " + tree.number() + ": " + e.getMessage());
        }
      }
    };
  }

  /** What to do with the pages and entries of an extent tree. */
  TreeCheck.Visitor extentTree(Indexed of) {
    return new Pages("a page of the extent tree of " + of.owner()) {
      /** A page that several trees share is looked at once. */
      @Override
      public boolean wants(PageRef page, byte @Nullable [] high) {
        if (high != null && ReclaimPass.isDone(PageLook.firstNumber(high), of.freedTo())) {
          return false;
        }
        boolean isFirst = isFirst(page);
        if (isFirst) {
          space.enter();
        } else {
          space.below(of.owner().id(), page.addressA());
        }
        return isFirst;
      }

      @Override
      public void left(PageRef page) {
        space.leave(page.addressA(), ledger.isClaimedAndShared(page.addressA()));
      }

      @Override
      public void entry(byte[] key, byte[] value) {
        try {
          ExtentEntry entry = LayoutTrees.entry(key, value);
          if (ReclaimPass.isDone(entry.logicalEnd(), of.freedTo())) {
            return;
          }
          placed(of.owner(), entry);
          named(of.owner(), entry, of.named());
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
          ledger.problem(
              of.root().addressA(), "an extent of " + of.owner() + ": " + e.getMessage());
        }
      }
    };
  }

  /** What to do with the pages and pieces of the tree of a map. */
  PositionCheck.Visitor mapTree(CheckedPieces.Tree of) {
    return new CheckedPieces(ledger, of);
  }

  /** All trees were walked: what nothing has said is missing. */
  void walked() {
    expiries.findMissing();
    tables.findMissing();
    contents.compare();
    if (contents.count() > 0 && !StoreFeature.DEDUPLICATION.isIn(base.features())) {
      ledger.problem(0, "there are known contents, which the volume does not say");
    }
    if (tables.count() > 0 && !StoreFeature.TABLES.isIn(base.features())) {
      ledger.problem(0, "there are tables, which the volume does not say");
    }
    if (tables.hasContents() && !StoreFeature.LARGE_VALUES.isIn(base.features())) {
      ledger.problem(0, "there are large values, which the volume does not say");
    }
  }

  /** The space that is taken, as far as it was walked. */
  SpaceUse space(BlockLedger.Kept kept) {
    return space.use(ledger, kept);
  }

  /** The report, at the end. */
  VerifyReport report(long contentRead, SpaceUse use) {
    return new VerifyReport(
        base.scn(),
        space.segments(),
        names,
        orphans,
        snapshots.size(),
        ledger.metadataBlocks(),
        contentBlocks,
        ledger.sharedBlocks(),
        space.compressedBlocks(),
        space.unplacedBlocks(),
        unusedBytes,
        contentRead,
        use,
        tables.use(),
        ledger.problems(),
        ledger.problemCount());
  }

  /** Claims pages of a tree with keys. */
  private abstract class Pages extends CheckedPages implements TreeCheck.Visitor {
    Pages(String owner) {
      super(ledger, owner);
    }
  }

  private void inode(byte[] key, byte[] value) {
    long id = TreeKeys.id(key);
    Inode inode = InodeCodec.decode(id, value);
    space.segment(inode);
    expiries.inode(inode);
    if (inode.kind() == Kind.TABLE) {
      tables.table(id);
    } else if (inode.kind() == Kind.FILE && inode.parent() != 0) {
      tables.content(id, inode.parent(), inode.size());
    }
    PieceMap pieces = inode.layout().pieces();
    Owner owner = new Owner("segment", id, /* inOrder= */ pieces == null);
    if (inode.layout() instanceof Layout.Inline(byte[] bytes) && bytes.length != inode.size()) {
      ledger.problem(0, owner + " has " + bytes.length + " bytes, its size is " + inode.size());
    }
    NamedBlocks named = pieces == null ? null : new NamedBlocks(pieces);
    if (pieces != null && !StoreFeature.PIECES.isIn(base.features())) {
      ledger.problem(0, owner + " has pieces, which the volume does not say");
    }
    if (inode.layout() instanceof Layout.Unmapped) {
      ledger.problem(0, owner + " has a map in the place of its content");
    }
    PieceMap.Folded tree = pieces == null ? null : pieces.folded();
    if (tree == null || named == null) {
      unusedBytes += named == null ? 0 : named.unusedBytes();
      places(owner, inode.layout().space(), named);
    } else {
      if (!StoreFeature.PIECE_TREES.isIn(base.features())) {
        ledger.problem(0, owner + " has a tree of pieces, which the volume does not say");
      }
      CheckedPieces.Use use = new CheckedPieces.Use(tree, named, inode.layout().space());
      folded.add(new CheckedPieces.Tree(owner, tree.root(), 0, use));
    }
  }

  private void places(Owner owner, Layout.Space space, @Nullable NamedBlocks named) {
    switch (space) {
      case Layout.Extents extents -> {
        long behind = 0;
        for (ExtentEntry entry : extents.entries()) {
          if (entry.logicalBlock() < behind) {
            ledger.problem(entry.extent().block(), owner + " has two places for one block");
          }
          behind = entry.logicalEnd();
          placed(owner, entry);
          named(owner, entry, named);
        }
      }
      case Layout.Indexed tree -> indexed.add(new Indexed(owner, tree.root(), 0, named));
    }
  }

  private void name(byte[] key, byte[] value) {
    names++;
    long id = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).getLong();
    isKnown(id, "a name");
    expiries.name(key, id);
  }

  private void orphan(byte[] key, byte[] value) {
    orphans++;
    if (TableEntries.isOrphan(value)) {
      tables.orphan(TreeKeys.id(key));
    }
    if (value.length < SMALLEST_INODE_BYTES) {
      return;
    }
    long id = TreeKeys.id(key);
    Inode inode = InodeCodec.decode(id, value);
    Owner owner = new Owner("orphan", id, /* inOrder= */ true);
    switch (inode.layout()) {
      case Layout.Inline _, Layout.Pieced _ -> ledger.problem(0, owner + " is no orphan");
      case Layout.Extents extents -> extents.entries().forEach(entry -> placed(owner, entry));
      case Layout.Indexed tree -> indexed.add(new Indexed(owner, tree.root(), inode.size(), null));
      case Layout.Unmapped tree ->
          folded.add(new CheckedPieces.Tree(owner, tree.root(), inode.size(), null));
    }
  }

  private void unplaced(byte[] key, byte[] value) {
    long id = TreeKeys.id(key);
    isKnown(id, "unplaced content");
    ExtentEntry entry = InodeCodec.decodePlainEntry(TreeKeys.number(key, Long.BYTES), value);
    ledger.claim(entry.extent(), "unplaced content");
    space.unplaced(id, entry.extent());
    content.add(new Run(new Owner("segment", id, /* inOrder= */ false), entry, false));
  }

  private void snapshot(byte[] key, byte[] value) {
    SnapshotRecord record = SnapshotRecord.decode(value);
    String name = SnapshotNames.name(key);
    for (Extent extent : record.extents()) {
      ledger.claimMetadata(extent, "what snapshot " + name + " holds");
    }
    snapshots.add(Map.entry(name, record));
  }

  /** Blocks that no piece of the content names should have been given back. */
  private void named(Owner owner, ExtentEntry entry, @Nullable NamedBlocks named) {
    if (named != null && !named.hasAll(entry)) {
      ledger.problem(
          entry.extent().block(),
          owner + " has a place for blocks that no piece names, from " + entry.logicalBlock());
    }
  }

  private void placed(Owner owner, ExtentEntry entry) {
    if (entry instanceof ExtentEntry.Coded && !StoreFeature.CODED.isIn(base.features())) {
      ledger.problem(
          entry.extent().block(), owner + " has coded content, which the volume does not say");
    }
    long before = ledger.ownedBlocks();
    ledger.claim(entry.extent(), "content of " + owner);
    long first = ledger.ownedBlocks() - before;
    contentBlocks += first;
    space.run(owner.id(), entry, first);
    content.add(new Run(owner, entry, /* known= */ first == 0));
  }

  private void isKnown(long id, String what) {
    if (!space.has(id)) {
      ledger.problem(0, what + " leads to segment " + id + ", which does not exist");
    }
  }
}
