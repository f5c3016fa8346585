package dev.upcall.access;

import dev.upcall.buffer.Lease;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.StagedContent;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.segment.Overlay;
import dev.upcall.segment.layout.ExtentEntry;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.InodeCodec;
import dev.upcall.segment.layout.Layout;
import dev.upcall.segment.layout.LayoutEditor;
import dev.upcall.segment.layout.MapFold;
import dev.upcall.segment.layout.PieceMap;
import dev.upcall.segment.layout.Staged;
import dev.upcall.space.Extent;
import dev.upcall.space.Reserve;
import dev.upcall.txn.EditFault;
import dev.upcall.txn.Overtaken;
import dev.upcall.txn.SegmentAccess;
import dev.upcall.txn.SegmentChange;
import dev.upcall.txn.SegmentMutations;
import dev.upcall.txn.View;
import dev.upcall.txn.lock.LockKey;
import dev.upcall.txn.volume.StoreFeature;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes what a handle collected the segment's, over the version that it was merged with: as one
 * change of the store, or as a step of a transaction, which then holds it until it is applied with
 * all others or given up.
 */
final class Commit implements SegmentChange<Inode>, StagedContent {
  /** More than counts take of the extents of which an inode has room. */
  private static final long MOST_COUNTED_BLOCKS = 1024;

  private final SegmentAccess access;
  private final Inode base;
  private final Collected collected;
  private final Inode touched;

  private final List<Overlay.Part> parts;
  private final List<ExtentEntry> placed;

  /** Places that others have, too. */
  private final List<ExtentEntry> lent;

  private final List<LayoutEditor.Range> removed = new ArrayList<>();

  /** Where the content lay for which {@link #edited} was made. */
  private Layout editedFrom;

  private LayoutEditor.Edited edited;

  /** The map with what does not fit the inode in its tree, if that is much. */
  private MapFold.@Nullable Result folded;

  /** Pages of edits that were overtaken; a transaction's reads may still look at them. */
  private final List<Extent> stale = new ArrayList<>();

  /** Whether there may be no room for the counts of all that a cut leaves to others. */
  private boolean scarce;

  private final long frameBlocks;
  private boolean handedOver;
  private boolean applied;
  private boolean discarded;
  private Runnable whenApplied = () -> {};

  /**
   * What a handle has collected.
   *
   * @param name what messages call the segment
   * @param content the content with it, by blocks
   * @param made what these make up
   * @param patches what rides in the log; nothing if everything was placed
   */
  record Collected(
      String name, PrivateContent content, MadeContent made, List<SegmentMutations.Patch> patches) {
    private @Nullable PieceMap pieces() {
      return made.pieces();
    }

    private List<LayoutEditor.Range> removed() {
      return made.removed();
    }
  }

  /**
   * A commit.
   *
   * @param base what the collected was merged with
   * @param touched the metadata that it gets, where nobody says otherwise
   */
  Commit(SegmentAccess access, Inode base, Inode touched, Collected collected) {
    this.access = access;
    this.base = base;
    this.collected = collected;
    this.touched = touched;
    PrivateContent content = collected.content();
    this.parts = collected.patches().isEmpty() ? List.of() : content.overlay().parts();
    this.frameBlocks = frameBlocks(parts);
    this.placed = content.placed();
    this.lent = content.lent();
    if (content.cutBytes() < Long.MAX_VALUE) {
      removed.add(
          new LayoutEditor.Range(PrivateContent.blocks(content.cutBytes()), Long.MAX_VALUE));
    }
    PieceMap before = base.layout().pieces();
    long given = PrivateContent.blocks(PieceMap.spaceBytes(before, base.size()));
    int tooMany = access.faults().has(EditFault.NAMED_BLOCK_DROPPED) ? 1 : 0;
    for (LayoutEditor.Range run : collected.removed()) {
      // What has been given out since then has no place but with this commit.
      if (run.from() < given) {
        removed.add(new LayoutEditor.Range(run.from(), run.to() + tooMany));
      }
    }
    if (collected.pieces() != null && before == null) {
      // Frames are placed whole: behind a file that was never edited there may be blocks of zeros.
      removed.add(new LayoutEditor.Range(given, Long.MAX_VALUE));
    }
    for (ExtentEntry entry : placed) {
      removed.add(new LayoutEditor.Range(entry.logicalBlock(), entry.logicalEnd()));
    }
    removed.addAll(runs(lent));
    this.editedFrom = base.layout();
    this.edited = unedited(base.layout());
  }

  /** The content blocks of entries, ascending, in runs that do not touch. */
  private static List<LayoutEditor.Range> runs(List<ExtentEntry> entries) {
    List<LayoutEditor.Range> runs = new ArrayList<>();
    for (ExtentEntry entry : entries) {
      LayoutEditor.Range last = runs.isEmpty() ? null : runs.getLast();
      if (last != null && last.to() == entry.logicalBlock()) {
        runs.set(runs.size() - 1, new LayoutEditor.Range(last.from(), entry.logicalEnd()));
      } else {
        runs.add(new LayoutEditor.Range(entry.logicalBlock(), entry.logicalEnd()));
      }
    }
    return runs;
  }

  @Override
  public String purpose() {
    return "write to " + collected.name();
  }

  /** It changes nothing else. */
  @Override
  public String nameOf(LockKey key) {
    return collected.name();
  }

  /** Has something done once the state has it, in the upcall that applies it. */
  void whenApplied(Runnable action) {
    whenApplied = action;
  }

  /** Whether the state has it, whatever became of its durability. */
  boolean wasApplied() {
    return applied;
  }

  private static LayoutEditor.Edited unedited(Layout layout) {
    return new LayoutEditor.Edited(layout.space(), List.of(), List.of(), List.of(), null);
  }

  /**
   * For pages that are written before the commit, which are given back when that is refused. What
   * the commit then may take says itself, by what comes back for it.
   */
  private Reserve reserve() {
    if (!collected.made().isCut()) {
      return Reserve.NORMAL;
    }
    boolean dropsBlocks =
        !collected.removed().isEmpty() || collected.content().cutBytes() < Long.MAX_VALUE;
    return dropsBlocks ? Reserve.EMERGENCY : Reserve.CUT;
  }

  /** These places, with what the content is made of now. */
  private Layout with(Layout.Space space) {
    MapFold.Result tree = folded;
    return Layout.of(tree == null ? collected.pieces() : tree.map(), space);
  }

  /** Whether places change, or have no room in the inode any more beside the map. */
  private boolean editsPlaces(Layout layout) {
    return !removed.isEmpty() || !InodeCodec.isFitting(with(layout.space()));
  }

  // ------------------------------------------------------------------ fetch

  /** Does what must be durable before it can be planned; then nothing is left to wait for. */
  void prepare(CompletionPort<Unit> port) {
    CompletionPort<Unit> prepared =
        completion -> {
          if (completion instanceof Completion.Failed<Unit>) {
            ended();
          }
          port.complete(completion);
        };
    if (collected.pieces() != null && base.layout().pieces() == null) {
      access.features().use(StoreFeature.PIECES, prepared.then(used -> prepareMap(prepared)));
    } else {
      prepareMap(prepared);
    }
  }

  private void prepareMap(CompletionPort<Unit> port) {
    PieceMap pieces = collected.pieces();
    if (pieces == null || access.edits().isFitting(pieces)) {
      preparePlaces(port);
    } else if (pieces.folded() == null) {
      access.features().use(StoreFeature.PIECE_TREES, port.then(used -> fold(pieces, port)));
    } else {
      fold(pieces, port);
    }
  }

  private void fold(PieceMap pieces, CompletionPort<Unit> port) {
    MapFold.fold(
        access.layouts(),
        access.loader(),
        pieces,
        reserve(),
        port.then(
            result -> {
              folded = result;
              preparePlaces(port);
            }));
  }

  private void preparePlaces(CompletionPort<Unit> port) {
    scarce = !access.layouts().space().isRoomy(MOST_COUNTED_BLOCKS, Reserve.NORMAL);
    if (!editsPlaces(base.layout())) {
      port.complete(Completion.done());
      return;
    }
    edit(
        base.layout(),
        port.then(
            done -> {
              if (isLarge()) {
                sync(port);
              } else {
                port.complete(Completion.done());
              }
            }));
  }

  private boolean isLarge() {
    long blocks = 0;
    for (ExtentEntry entry : placed) {
      blocks += entry.extent().blocks();
    }
    return blocks > Staged.NamedBlocks.MOST_NAMED;
  }

  private void edit(Layout from, CompletionPort<Unit> port) {
    List<ExtentEntry> added = new ArrayList<>(placed);
    added.addAll(lent);
    LayoutEditor.edit(
        access.layouts(),
        access.loader(),
        with(from.space()),
        new LayoutEditor.Edit(removed, added, reserve()),
        port.then(
            result -> {
              stale.addAll(pages());
              editedFrom = from;
              edited = result;
              port.complete(Completion.done());
            }));
  }

  private void sync(CompletionPort<Unit> port) {
    access.placer().disk().submit(new DiskRequest.Sync(IoClass.FOREGROUND_WRITE, port));
  }

  // ------------------------------------------------------------------ apply

  @Override
  public Completion<Inode> plan(View view, SegmentMutations out) {
    Inode now = view.inode(base.id());
    if (now == null) {
      return Completion.failed(new Failure.NotFound(collected.name()));
    }
    if (now.version() != base.version() && !overtakesEdits()) {
      return Completion.failed(
          new Failure.Conflict(collected.name() + " was changed; open it again"));
    }
    return Completion.done(plan(now, touched, out));
  }

  /** In a store that is broken on purpose: content that was only moved asks for no version. */
  private boolean overtakesEdits() {
    return access.faults().has(EditFault.GATHERED_OVER_AN_EDIT)
        && touched.times().equals(base.times());
  }

  /** Says which blocks of others it will use: before anybody gives up any of them. */
  void planLent(SegmentMutations out) {
    out.share(lent.stream().map(ExtentEntry::extent).toList());
  }

  /**
   * As {@link #plan(View, SegmentMutations)}, over the version that it was made for.
   *
   * @param as the metadata that the segment gets
   */
  Inode plan(Inode now, Inode as, SegmentMutations out) {
    boolean isEdited = editsPlaces(now.layout());
    LayoutEditor.Edited result = isEdited ? edited : unedited(now.layout());
    if (isEdited && !LayoutEditor.isSame(now.layout(), editedFrom)) {
      throw new Overtaken(port -> edit(now.layout(), port));
    }
    Inode next = as.withContent(collected.made().sizeBytes(), with(result.layout()));
    out.setInode(next);
    for (LayoutEditor.Range range : removed) {
      out.drop(base.id(), range.from(), range.to());
    }
    boolean synced = isLarge();
    for (ExtentEntry entry : placed) {
      out.allocate(
          new Staged.NamedBlocks(
              entry.extent(), synced ? Staged.NamedBlocks.SYNCED : entry.checksums()));
    }
    result.pages().forEach(out::allocate);
    if (collected.made().isCut() && scarce) {
      out.cutOut(now, result);
    } else {
      out.free(result);
    }
    planMap(out);
    if (collected.made().isCut()) {
      out.cut(base.id(), collected.patches(), parts);
    } else if (!collected.patches().isEmpty()) {
      out.write(base.id(), collected.patches(), parts);
    }
    out.onApplied(
        () -> {
          handOver();
          applied = true;
          access.meter().unused(collected.made().unusedBytes());
          whenApplied.run();
        });
    return next;
  }

  private void planMap(SegmentMutations out) {
    MapFold.Result tree = folded;
    if (tree != null) {
      tree.pages().forEach(out::allocate);
      out.free(tree);
    }
    PieceMap pieces = collected.pieces();
    if (pieces == null || pieces.folded() == null) {
      // All that the tree had was cut off.
      out.leaveMap(base);
    }
  }

  // ------------------------------------------------------------------ who has it

  /** Frames and blocks are this commit's, or the state's, and no longer the handle's. */
  void handOver() {
    if (!handedOver) {
      handedOver = true;
      collected.content().handOver();
    }
  }

  /** It was refused, or is applied: what only it needed is given back; the rest is the handle's. */
  void ended() {
    if (!applied) {
      stale.addAll(pages());
      stale.addAll(mapPages());
      editedFrom = base.layout();
      edited = unedited(base.layout());
      folded = null;
    }
    access.giveBack(stale);
    stale.clear();
  }

  private List<Extent> pages() {
    List<Extent> pages = new ArrayList<>();
    for (Staged.NamedBlocks page : edited.pages()) {
      pages.add(page.extent());
    }
    return pages;
  }

  private List<Extent> mapPages() {
    MapFold.Result tree = folded;
    return tree == null
        ? List.of()
        : tree.pages().stream().map(Staged.NamedBlocks::extent).toList();
  }

  @Override
  public long sizeBytes() {
    return collected.made().sizeBytes();
  }

  @Override
  public long frameBlocks() {
    return frameBlocks;
  }

  private static long frameBlocks(List<Overlay.Part> parts) {
    Set<Lease> leases = new LinkedHashSet<>();
    long blocks = 0;
    for (Overlay.Part part : parts) {
      blocks += leases.add(part.lease()) ? part.lease().blocks() : 0;
    }
    return blocks;
  }

  /** The transaction has ended, and nobody reads in it; what it never took is the handle's. */
  @Override
  public void discard() {
    if (!handedOver || discarded) {
      return;
    }
    discarded = true;
    if (!applied) {
      parts.forEach(part -> part.lease().release());
      access.giveBack(placed.stream().map(ExtentEntry::extent).toList());
    }
    ended();
  }
}
