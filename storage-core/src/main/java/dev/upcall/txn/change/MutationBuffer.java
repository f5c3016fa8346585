package dev.upcall.txn.change;

import dev.upcall.base.Invariants;
import dev.upcall.content.Kind;
import dev.upcall.content.StagedContent;
import dev.upcall.fsm.Faults;
import dev.upcall.segment.Overlay;
import dev.upcall.segment.layout.ExtentList;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.InodeCodec;
import dev.upcall.segment.layout.KnownContent;
import dev.upcall.segment.layout.Layout;
import dev.upcall.segment.layout.LayoutEditor;
import dev.upcall.segment.layout.MapFold;
import dev.upcall.segment.layout.PieceMap;
import dev.upcall.segment.layout.Staged;
import dev.upcall.segment.layout.Superseded;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.space.Extent;
import dev.upcall.space.Reserve;
import dev.upcall.txn.EditFault;
import dev.upcall.txn.SegmentAccess;
import dev.upcall.txn.SegmentMutations;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.TableEntries;
import dev.upcall.txn.View;
import dev.upcall.txn.lock.LockKey;
import dev.upcall.txn.log.NamedExtent;
import dev.upcall.txn.state.Op;
import dev.upcall.txn.volume.StoreFeature;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Collects the steps of one plan. A new one for each run. */
public final class MutationBuffer implements SegmentMutations {
  private static final long EVERYTHING = Long.MAX_VALUE;

  private final View view;
  private final BlockUsers users;
  private final Faults faults;
  private final LongSupplier segmentIds;
  private final LongSupplier orphanIds;
  private final List<Op> ops = new ArrayList<>();
  private final List<NamedExtent> named = new ArrayList<>();
  private final List<Runnable> applied = new ArrayList<>();
  private final Map<Long, Inode> inodes = new TreeMap<>();
  private boolean emergency;
  private boolean adds;
  private boolean brings;
  private boolean cuts;
  private boolean orphan;
  private final Set<StoreFeature> needed = EnumSet.noneOf(StoreFeature.class);
  private long savedBytes;
  private boolean finished;
  private @Nullable KnownContents known;
  private Reserve reserve = Reserve.NORMAL;

  /** With new segment ids from one on, to be applied in this upcall. */
  MutationBuffer(View view, long firstSegmentId, Faults faults) {
    long[] next = {firstSegmentId};
    this(view, () -> next[0]++, faults);
  }

  private MutationBuffer(View view, LongSupplier ids, Faults faults) {
    this(view, ids, ids, faults);
  }

  /**
   * With ids from elsewhere.
   *
   * @param segmentIds those that the plan asks for
   * @param orphanIds those of which the plan does not know
   * @param faults deliberate ones, given only by tests
   */
  public MutationBuffer(View view, LongSupplier segmentIds, LongSupplier orphanIds, Faults faults) {
    this.view = view;
    this.segmentIds = segmentIds;
    this.orphanIds = orphanIds;
    this.users = new BlockUsers(view, faults);
    this.faults = faults;
  }

  /** Adds all steps of another one, which is finished, behind its own. */
  public void include(MutationBuffer other) {
    Invariants.check(other.finished, "steps of a plan that is not finished", other.ops.size());
    Invariants.check(!finished, "steps for a finished plan", ops.size());
    ops.addAll(other.ops);
    named.addAll(other.named);
    applied.addAll(other.applied);
    emergency |= other.emergency;
    adds |= other.adds;
    brings |= other.brings;
    cuts |= other.cuts;
    orphan |= other.orphan;
    needed.addAll(other.needed);
    savedBytes += other.savedBytes;
  }

  /**
   * Nothing more will be said: what becomes of shared blocks is decided. May throw {@code
   * PageMissing}; then this is void.
   */
  public void finish() {
    Invariants.check(!finished, "plan finished twice", ops.size());
    finished = true;
    if (known != null) {
      known.finish();
    }
    // Last, when all uses are known: what one step leaves and another takes is not freed.
    users.emit(ops);
    reserve = decideReserve();
  }

  public List<Op> ops() {
    return ops;
  }

  /** The extents on which the log record stands. */
  public List<NamedExtent> named() {
    return named;
  }

  /** How deep the change may reach into what is kept for deleting. */
  Reserve reserve() {
    return reserve;
  }

  /** All of it if it only gives back, or cuts and gives back more than it takes. */
  private Reserve decideReserve() {
    if (emergency && !adds) {
      return Reserve.EMERGENCY;
    }
    if (!cuts || brings) {
      return Reserve.NORMAL;
    }
    return givesBack() ? Reserve.EMERGENCY : Reserve.CUT;
  }

  /** Whether more blocks come back with the next checkpoint than this takes, for good or not. */
  private boolean givesBack() {
    // What a snapshot with a name keeps comes back when that is dropped, which needs room, too.
    return BlockUsers.givenBack(ops) > 0 && !view.from(StoreTree.SNAPSHOTS, new byte[0]).next();
  }

  /** Whether it adds unplaced content. */
  boolean addsContent() {
    return adds;
  }

  /** The feature that the volume must say before the change is applied, or null. */
  @Nullable StoreFeature lacks(SegmentAccess.Features features) {
    for (StoreFeature each : needed) {
      if (!features.uses(each)) {
        return each;
      }
    }
    return null;
  }

  /** The content that would be a clone of what is locked, and can be brought instead; or null. */
  Staged.@Nullable Hashed duplicateOf(LockKey locked) {
    return known == null ? null : known.duplicateOf(locked);
  }

  /** How many bytes of content it brings beyond what its extents have. */
  long savedBytes() {
    return savedBytes;
  }

  /** Whether it leaves content to be freed in the background. */
  boolean leavesOrphan() {
    return orphan;
  }

  void runApplied() {
    for (Runnable upcall : applied) {
      upcall.run();
    }
  }

  @Override
  public long newSegmentId() {
    return segmentIds.getAsLong();
  }

  @Override
  public void put(StoreTree tree, byte[] key, byte[] value) {
    Invariants.check(tree.isWritable(), "put into tree", tree);
    ops.add(new Op.Put(tree, key, value));
    if (tree == StoreTree.ENTRIES) {
      needed.add(StoreFeature.TABLES);
      needed.add(StoreFeature.SINGLE_LEAVES);
      if (TableEntries.isContent(value)) {
        needed.add(StoreFeature.LARGE_VALUES);
      }
    }
    if (tree == StoreTree.ORPHANS) {
      allowEmergencySpace();
    }
  }

  @Override
  public void remove(StoreTree tree, byte[] key) {
    Invariants.check(tree.isWritable(), "remove from tree", tree);
    ops.add(new Op.Remove(tree, key));
  }

  @Override
  public void putInode(Inode inode) {
    Inode old = view.inode(inode.id());
    if (old != null) {
      setInode(inode.withContent(old.size(), old.layout()));
    } else if (inode.layout() instanceof Layout.Inline inline) {
      setInode(inode.withContent(inline.bytes().length, inline));
    } else {
      setInode(inode.withContent(0, Layout.EMPTY));
    }
  }

  @Override
  public void putInode(Inode inode, StagedContent content) {
    Staged staged = (Staged) content;
    if (staged instanceof Staged.Hashed hashed) {
      putHashed(inode, hashed);
      onApplied(hashed::takeWhole);
    } else {
      putStaged(inode, staged);
      onApplied(staged::take);
    }
  }

  /** As a clone of the file that has it, or with blocks of its own; known from now on. */
  private void putHashed(Inode inode, Staged.Hashed content) {
    if (known == null) {
      known = new KnownContents(view, ops, inodes.keySet(), faults);
    }
    KnownContent same = known.cloned(content);
    if (same != null && same.segment() != inode.id()) {
      putClone(inode, same.segment());
      return;
    }
    if (same == null) {
      putStaged(inode, content.own());
    } else {
      putInode(inode);
    }
    needed.add(StoreFeature.DEDUPLICATION);
    known.add(content, inode);
  }

  private void putStaged(Inode inode, Staged staged) {
    Inode old = view.inode(inode.id());
    if (old != null) {
      freeContent(old);
    }
    switch (staged) {
      case Staged.Hashed _ -> throw new IllegalStateException("content with two keys");
      case Staged.Tiny tiny ->
          setInode(inode.withContent(tiny.sizeBytes(), new Layout.Inline(tiny.bytes())));
      case Staged.InFrame frame -> {
        setInode(inode.withContent(frame.sizeBytes(), Layout.EMPTY));
        ByteBuffer bytes = frame.lease().buffer().slice(0, (int) frame.sizeBytes());
        Overlay.Part part = new Overlay.Part(0, frame.lease().blocks(), frame.lease(), 0);
        adds = true;
        brings = true;
        ops.add(
            new Op.OverlayWrite(inode.id(), 0, List.of(bytes), /* fresh= */ true, List.of(part)));
      }
      case Staged.Placed placed -> {
        setInode(inode.withContent(placed.sizeBytes(), placed.layout()));
        savedBytes += placed.savedBytes();
        if (placed.isCoded() && !faults.has(EditFault.CODED_NOT_SAID)) {
          needed.add(StoreFeature.CODED);
        }
        for (Staged.NamedBlocks blocks : placed.named()) {
          allocate(blocks);
        }
      }
    }
  }

  @Override
  public void putClone(Inode inode, long source) {
    Invariants.check(source != inode.id(), "clone of itself", source);
    Invariants.check(!finished, "clone in a finished plan", source);
    Inode mine = inodes.get(source);
    Inode from = Invariants.present(mine != null ? mine : view.inode(source), "source of a clone");
    Inode old = view.inode(inode.id());
    if (old != null) {
      freeContent(old);
    }
    setInode(inode.withContent(from.size(), from.layout()));
    adds = true;
    brings = true;
    switch (from.layout().space()) {
      case Layout.Extents extents -> extents.entries().forEach(entry -> users.use(entry.extent()));
      case Layout.Indexed indexed -> {
        users.use(indexed.root());
      }
    }
    PieceMap.Folded folded = Layout.folded(from.layout());
    if (folded != null && !faults.has(EditFault.MAP_PAGE_NOT_COUNTED)) {
      users.use(folded.root());
    }
    // Also where nothing is unplaced: it says that the source must not have changed.
    ops.add(new Op.OverlayCopy(source, inode.id()));
  }

  @Override
  public void removeSegment(Inode inode) {
    Inode old = view.inode(inode.id());
    if (old == null) {
      return;
    }
    if (old.kind() == Kind.TABLE) {
      leaveEntries(old.id());
    } else {
      freeContent(old);
    }
    ops.add(new Op.Remove(StoreTree.INODES, TreeKeys.of(inode.id())));
    allowEmergencySpace();
  }

  /** Too many to remove in one record. */
  private void leaveEntries(long table) {
    ops.add(new Op.Put(StoreTree.ORPHANS, TreeKeys.of(table), TableEntries.orphan()));
    orphan = true;
  }

  @Override
  public void setInode(Inode inode) {
    inodes.put(inode.id(), inode);
    ops.add(new Op.Put(StoreTree.INODES, TreeKeys.of(inode.id()), InodeCodec.encode(inode)));
  }

  @Override
  public void write(long segment, List<Patch> patches, List<Overlay.Part> parts) {
    brings = true;
    lay(segment, patches, parts);
  }

  @Override
  public void cut(long segment, List<Patch> patches, List<Overlay.Part> parts) {
    cuts = true;
    lay(segment, patches, parts);
  }

  private void lay(long segment, List<Patch> patches, List<Overlay.Part> parts) {
    adds |= !patches.isEmpty();
    for (int i = 0; i < patches.size(); i++) {
      Patch patch = patches.get(i);
      ops.add(
          new Op.OverlayWrite(
              segment,
              patch.offset(),
              List.of(patch.bytes()),
              /* fresh= */ false,
              i == patches.size() - 1 ? parts : List.of()));
    }
  }

  @Override
  public void drop(long segment, long from, long to) {
    ops.add(new Op.OverlayDrop(segment, from, to));
  }

  @Override
  public void allocate(Staged.NamedBlocks blocks) {
    ops.add(new Op.Allocate(blocks.extent()));
    if (blocks.checksums().length > 0) {
      named.add(new NamedExtent(blocks.extent(), blocks.checksums()));
    }
  }

  @Override
  public void share(List<Extent> extents) {
    Invariants.check(!finished, "extents shared by a finished plan", extents.size());
    if (!faults.has(EditFault.SHARED_RANGE_NOT_COUNTED)) {
      extents.forEach(users::use);
    }
  }

  @Override
  public void standsOn(long segment) {
    ops.add(new Op.Unchanged(segment));
  }

  @Override
  public void free(List<Extent> extents) {
    for (Extent extent : extents) {
      free(extent);
    }
  }

  private void free(Extent extent) {
    Invariants.check(!finished, "extent freed by a finished plan", extent);
    if (users.isCounting()) {
      users.leave(extent);
    } else {
      ops.add(new Op.Free(extent));
    }
  }

  @Override
  public void free(LayoutEditor.Edited edited) {
    free(edited.freed(), edited.split(), edited.superseded());
  }

  @Override
  public void cutOut(Inode old, LayoutEditor.Edited edited) {
    if (edited.superseded() == null
        && users.isCounting()
        && old.layout().space() instanceof Layout.Extents extents) {
      Layout.Extents gone = ExtentList.parts(extents, edited.freed());
      if (users.isSharedInPieces(gone) && InodeCodec.isFitting(gone)) {
        users.split(edited.split());
        leaveOrphan(old, gone);
        return;
      }
    }
    free(edited);
  }

  @Override
  public void free(MapFold.Result folded) {
    free(folded.freed(), List.of(), folded.superseded());
  }

  /** Split extents count first: the same edit may free a part of it, or both. */
  private void free(List<Extent> freed, List<Extent> split, @Nullable Superseded superseded) {
    if (superseded != null && users.isCounting()) {
      new SharedEdit(users, superseded).run();
    } else {
      users.split(split);
      free(freed);
    }
  }

  @Override
  public boolean isShared(long block) {
    return users.isShared(block);
  }

  @Override
  public Extent firstPiece(Extent extent) {
    return users.firstPiece(extent);
  }

  @Override
  public void allowEmergencySpace() {
    emergency = true;
  }

  @Override
  public void onApplied(Runnable upcall) {
    applied.add(upcall);
  }

  private void freeContent(Inode old) {
    // Called before the new content is written: the drop would take that too.
    ops.add(new Op.OverlayDrop(old.id(), 0, EVERYTHING));
    switch (old.layout().space()) {
      case Layout.Extents extents -> {
        if (users.isSharedInPieces(extents)) {
          // To count in one change what becomes of them all may need more than is kept for it.
          leaveOrphan(old, extents.stored());
        } else {
          extents.entries().forEach(entry -> free(entry.extent()));
        }
      }
      // Too many to name in one record.
      case Layout.Indexed indexed -> leaveOrphan(old, indexed);
    }
    leaveMap(old);
  }

  @Override
  public void leaveMap(Inode old) {
    PieceMap.Folded folded = Layout.folded(old.layout());
    if (folded != null) {
      leaveOrphan(old, new Layout.Unmapped(folded.root()));
    }
  }

  /** The content goes on under an id of its own, to be reclaimed in the background. */
  private void leaveOrphan(Inode old, Layout layout) {
    Invariants.check(old.kind() == Kind.FILE, "extents of something that is no file", old.id());
    Inode left = old.withId(orphanIds.getAsLong()).withContent(0, layout);
    ops.add(new Op.Put(StoreTree.ORPHANS, TreeKeys.of(left.id()), InodeCodec.encode(left)));
    orphan = true;
  }
}
