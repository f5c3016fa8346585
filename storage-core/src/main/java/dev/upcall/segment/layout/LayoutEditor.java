package dev.upcall.segment.layout;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.segment.paging.PageLoader;
import dev.upcall.segment.paging.PageWriter;
import dev.upcall.space.Extent;
import dev.upcall.space.Reserve;
import dev.upcall.tree.Frozen;
import dev.upcall.tree.PageCache;
import dev.upcall.tree.PageMissing;
import dev.upcall.tree.PageRef;
import dev.upcall.tree.Tree;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes a new layout out of an old one: ranges go, entries come. A small layout is edited at once;
 * a large one in a private fork of its extent tree, whose new pages are written and synced before
 * the result is given, so that a commit may name them. One object for one edit.
 */
public final class LayoutEditor extends StateMachine<LayoutEditor.State> {
  /** Where an edit stands. */
  public enum State {
    /** Entries are removed and put. */
    EDITING,
    /** A page of the extent tree is on its way. */
    FETCHING,
    /** Space for new pages is being found. */
    ALLOCATING,
    /** New pages are being written. */
    WRITING,
    /** New pages are being made durable. */
    SYNCING,
    /** The result was given. */
    DONE
  }

  /** The machine's legal moves. */
  public static final Transitions<State> TRANSITIONS =
      Transitions.of("LayoutEditor", State.class, State.EDITING)
          .on("page missing", State.EDITING, State.FETCHING)
          .on("page arrived", State.FETCHING, State.EDITING)
          .on("tree edited", State.EDITING, State.ALLOCATING)
          .on("space found", State.ALLOCATING, State.WRITING)
          .on("pages written", State.WRITING, State.SYNCING)
          .on("small layout edited, tree empty or unchanged", State.EDITING, State.DONE)
          .on("page unreadable", State.FETCHING, State.DONE)
          .on("volume full", State.ALLOCATING, State.DONE)
          .on("write failed", State.WRITING, State.DONE)
          .on("pages durable, sync failed", State.SYNCING, State.DONE)
          .build();

  private static final int STEPS_PER_UPCALL = 64;
  private final LayoutBuilder.Parts parts;
  private final PageLoader loader;
  private final Reserve reserve;
  private final boolean waits;
  private final CompletionPort<Edited> port;
  private final ArrayDeque<Range> removals = new ArrayDeque<>();
  private final ArrayDeque<ExtentEntry> additions = new ArrayDeque<>();
  private final List<Extent> freed = new ArrayList<>();
  private final List<Extent> split = new ArrayList<>();
  private final Replacements replacements = new Replacements(this);
  private @Nullable OldTree old;
  private @Nullable Tree tree;
  private long placedBlocks;

  /** Content blocks [from, to). */
  public record Range(long from, long to) {}

  /**
   * What shall change.
   *
   * @param removed ranges whose blocks go; where nothing is placed that is harmless
   * @param added entries that come; their blocks must be free after the removals
   * @param reserve how deep new pages may reach into the space that is kept
   */
  public record Edit(List<Range> removed, List<ExtentEntry> added, Reserve reserve) {
    /** The same of a change that a full volume refuses. */
    public Edit(List<Range> removed, List<ExtentEntry> added) {
      this(removed, added, Reserve.NORMAL);
    }
  }

  /**
   * What came out.
   *
   * @param layout the new places
   * @param pages new pages of the extent tree, durable already; the commit allocates them or they
   *     are given back
   * @param freed what the old layout named and the new one does not
   * @param split of what units the new one names a part more than the old one
   * @param superseded the same by its places, if the old layout has an extent tree: of what that
   *     tree shares with others, something else becomes free
   */
  public record Edited(
      Layout.Space layout,
      List<Staged.NamedBlocks> pages,
      List<Extent> freed,
      List<Extent> split,
      @Nullable Superseded superseded) {}

  /**
   * What pages of the new tree tell its edit. They know it as long as they are in memory, so it
   * lets go of the edit, and with it of all that the edit was asked for, when that is done.
   */
  private static final class Replacements implements PageCache.Replaced {
    @Nullable LayoutEditor editor;

    Replacements(LayoutEditor editor) {
      this.editor = editor;
    }

    @Override
    public void replaced(PageRef page) {
      Invariants.present(editor, "the edit of a page").replaced(page);
    }
  }

  private LayoutEditor(
      LayoutBuilder.Parts parts,
      PageLoader loader,
      Edit edit,
      boolean waits,
      CompletionPort<Edited> port) {
    super(TRANSITIONS, parts.dispatcher());
    this.parts = parts;
    this.loader = loader;
    this.reserve = edit.reserve();
    this.waits = waits;
    this.port = port;
    removals.addAll(edit.removed());
    additions.addAll(edit.added());
  }

  /**
   * The result if the edit needs no tree, else null: for callers that must not wait. What the base
   * has besides places stays in the inode, and takes room there.
   */
  public static @Nullable Edited editSmall(Layout base, Edit edit) {
    if (base.space() instanceof Layout.Indexed || isTooMuch(edit)) {
      return null;
    }
    List<Extent> freed = new ArrayList<>();
    List<Extent> split = new ArrayList<>();
    List<ExtentEntry> entries = kept(base, edit, freed, split);
    for (ExtentEntry entry : edit.added()) {
      for (ExtentEntry piece : entry.pieces()) {
        entries = ExtentList.with(entries, piece);
      }
    }
    Layout.Space layout =
        entries.isEmpty() ? Layout.EMPTY : new Layout.Extents(List.copyOf(entries));
    return InodeCodec.isFitting(Layout.of(base.pieces(), layout))
        ? new Edited(layout, List.of(), freed, split, null)
        : null;
  }

  /**
   * Starts an edit. Failures: {@code VolumeFull}, {@code Corrupt}, {@code Device}; then nothing is
   * left reserved.
   */
  public static void edit(
      LayoutBuilder.Parts parts,
      PageLoader loader,
      Layout base,
      Edit edit,
      CompletionPort<Edited> port) {
    LayoutEditor editor = new LayoutEditor(parts, loader, edit, /* waits= */ true, port);
    parts.dispatcher().post(() -> editor.start(base, edit));
  }

  /**
   * As {@link #edit}, for the store's own work, on which a checkpoint may be waiting: {@code
   * VolumeFull} rather than a wait for space that a checkpoint frees.
   */
  public static void editUnwaiting(
      LayoutBuilder.Parts parts,
      PageLoader loader,
      Layout base,
      Edit edit,
      CompletionPort<Edited> port) {
    LayoutEditor editor = new LayoutEditor(parts, loader, edit, /* waits= */ false, port);
    parts.dispatcher().post(() -> editor.start(base, edit));
  }

  /** Whether two layouts name the same places, whatever content these make up. */
  public static boolean isSame(Layout a, Layout b) {
    if (a instanceof Layout.Inline(byte[] bytes)) {
      return b instanceof Layout.Inline other && Arrays.equals(bytes, other.bytes());
    }
    return !(b instanceof Layout.Inline) && isSame(a.space(), b.space());
  }

  private static boolean isSame(Layout.Space a, Layout.Space b) {
    return switch (a) {
      case Layout.Extents extents ->
          b instanceof Layout.Extents other && isSame(extents.entries(), other.entries());
      case Layout.Indexed indexed ->
          b instanceof Layout.Indexed other && indexed.root().samePageAs(other.root());
    };
  }

  private static boolean isSame(List<ExtentEntry> a, List<ExtentEntry> b) {
    if (a.size() != b.size()) {
      return false;
    }
    for (int i = 0; i < a.size(); i++) {
      if (a.get(i).logicalBlock() != b.get(i).logicalBlock()
          || a.get(i).logicalEnd() != b.get(i).logicalEnd()
          || !a.get(i).extent().equals(b.get(i).extent())
          || a.get(i).address(a.get(i).logicalBlock())
              != b.get(i).address(b.get(i).logicalBlock())) {
        return false;
      }
    }
    return true;
  }

  /** Whether what comes has no room in an inode, whatever else there is: many would be joined. */
  private static boolean isTooMuch(Edit edit) {
    return !InodeCodec.isFitting(new Layout.Extents(edit.added()));
  }

  /** The entries of a small layout that stay. */
  private static List<ExtentEntry> kept(
      Layout base, Edit edit, List<Extent> freed, List<Extent> split) {
    List<ExtentEntry> entries =
        base.space() instanceof Layout.Extents extents ? extents.entries() : List.of();
    for (Range range : edit.removed()) {
      entries = ExtentList.without(entries, range.from(), range.to(), freed, split);
    }
    return entries;
  }

  private void start(Layout base, Edit edit) {
    if (base.space() instanceof Layout.Indexed indexed) {
      Tree before = parts.trees().tree(indexed);
      old = new OldTree(before, edit.removed());
      tree = before.fork(parts.pages().withReplaced(replacements));
      placedBlocks = indexed.placedBlocks();
      step();
      return;
    }
    Edited small = editSmall(base, edit);
    if (small != null) {
      end(Completion.done(small));
      return;
    }
    removals.clear();
    additions.addAll(kept(base, edit, freed, split));
    tree = parts.trees().newTree(parts.pages().withReplaced(replacements));
    step();
  }

  private void replaced(PageRef page) {
    Extent.each(page.blocks(), freed::add);
    OldTree from = old;
    if (from != null) {
      from.replaced(page.addressA());
    }
  }

  private @Nullable Superseded superseded() {
    OldTree from = old;
    return from == null ? null : from.superseded();
  }

  private Tree tree() {
    return Invariants.present(tree, "the edited tree");
  }

  private void step() {
    try {
      for (int i = 0; i < STEPS_PER_UPCALL; i++) {
        if (!removeOne() && !addOne()) {
          allocate();
          return;
        }
      }
    } catch (PageMissing missing) {
      become(State.FETCHING);
      loader.load(
          missing.page(),
          CompletionPort.of(
              loaded -> {
                become(State.EDITING);
                step();
              },
              this::fail));
      return;
    }
    parts.dispatcher().post(this::step);
  }

  /** Takes one entry out of the first range; false when no range is left. */
  private boolean removeOne() {
    Range range = removals.peekFirst();
    if (range == null) {
      return false;
    }
    ExtentEntry entry = LayoutTrees.ceiling(tree(), range.from());
    if (entry == null || entry.logicalBlock() >= range.to()) {
      removals.removeFirst();
      return true;
    }
    ExtentEntry before =
        entry.logicalBlock() < range.from()
            ? entry.slice(entry.logicalBlock(), range.from())
            : null;
    ExtentEntry behind =
        entry.logicalEnd() > range.to() ? entry.slice(range.to(), entry.logicalEnd()) : null;
    OldTree from = old;
    ExtentEntry of =
        from == null ? entry : from.entryOf(Math.max(entry.logicalBlock(), range.from()));
    tree().prepare(LayoutTrees.key(entry));
    if (before != null) {
      tree().prepare(LayoutTrees.key(before));
    }
    tree().remove(LayoutTrees.key(entry));
    if (before != null) {
      tree().put(LayoutTrees.key(before), InodeCodec.encodeEntry(before));
    }
    if (behind != null) {
      tree().prepare(LayoutTrees.key(behind));
      tree().put(LayoutTrees.key(behind), InodeCodec.encodeEntry(behind));
    }
    int known = freed.size();
    ExtentList.cut(entry, range.from(), range.to(), freed, split);
    if (from != null) {
      from.removed(of, freed.subList(known, freed.size()));
    }
    placedBlocks += blocks(before) + blocks(behind) - blocks(entry);
    return true;
  }

  private static long blocks(@Nullable ExtentEntry entry) {
    return entry == null ? 0 : entry.extent().blocks();
  }

  private boolean addOne() {
    ExtentEntry entry = additions.peekFirst();
    if (entry == null) {
      return false;
    }
    long end = Math.min(entry.logicalEnd(), entry.logicalBlock() + ExtentEntry.MAX_BLOCKS);
    ExtentEntry piece = entry.slice(entry.logicalBlock(), end);
    tree().prepare(LayoutTrees.key(piece));
    tree().put(LayoutTrees.key(piece), InodeCodec.encodeEntry(piece));
    placedBlocks += piece.extent().blocks();
    additions.removeFirst();
    if (end < entry.logicalEnd()) {
      additions.addFirst(entry.slice(end, entry.logicalEnd()));
    }
    return true;
  }

  private void allocate() {
    PageRef root = tree().root();
    if (root == null) {
      end(Completion.done(new Edited(Layout.EMPTY, List.of(), freed, split, superseded())));
      return;
    }
    Frozen frozen = tree().freeze(0);
    if (frozen.dirtyPages() == 0) {
      // Nothing was placed where something was to go.
      Layout.Space unchanged = new Layout.Indexed(root, placedBlocks);
      end(Completion.done(new Edited(unchanged, List.of(), List.of(), List.of(), null)));
      return;
    }
    become(State.ALLOCATING);
    CompletionPort<List<Extent>> allocated =
        CompletionPort.of(extents -> write(frozen, extents), this::fail);
    long blocks = 2L * frozen.dirtyPages();
    if (waits) {
      parts.space().allocate(blocks, reserve, allocated);
    } else {
      parts.space().allocateUnwaiting(blocks, allocated);
    }
  }

  private void write(Frozen frozen, List<Extent> extents) {
    become(State.WRITING);
    PageWriter.write(
        PageWriter.Way.ofCommit(parts.dispatcher(), parts.disk()),
        frozen,
        PageWriter.Places.halves(extents, frozen.dirtyPages()),
        CompletionPort.of(written -> sync(extents), failure -> fail(failure, extents)));
  }

  private void sync(List<Extent> extents) {
    become(State.SYNCING);
    parts
        .disk()
        .submit(
            new DiskRequest.Sync(
                IoClass.FOREGROUND_WRITE,
                CompletionPort.of(
                    synced -> {
                      PageRef root = Invariants.present(tree().root(), "root of the edited tree");
                      parts.trees().written(root);
                      List<Staged.NamedBlocks> pages = new ArrayList<>(extents.size());
                      for (Extent extent : extents) {
                        pages.add(new Staged.NamedBlocks(extent, Staged.NamedBlocks.SYNCED));
                      }
                      end(
                          Completion.done(
                              new Edited(
                                  new Layout.Indexed(root, placedBlocks),
                                  pages,
                                  freed,
                                  split,
                                  superseded())));
                    },
                    failure -> fail(failure, extents))));
  }

  private void fail(Failure failure, List<Extent> extents) {
    parts.space().giveBack(extents);
    fail(failure);
  }

  private void fail(Failure failure) {
    end(Completion.failed(failure));
  }

  private void end(Completion<Edited> completion) {
    replacements.editor = null;
    become(State.DONE);
    port.complete(completion);
  }
}
