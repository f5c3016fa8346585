package dev.upcall.segment.layout;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.io.Disk;
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
import dev.upcall.tree.PositionTree;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Folds a map of pieces that outgrows its inode into its tree: what was cut out of the tree's
 * content goes, what came in between comes in, in a private copy of the tree, whose new pages are
 * written and synced before the result is given, so that a commit may name them. One object for one
 * map; dispatcher's thread only.
 */
public final class MapFold {
  private static final int STEPS_PER_UPCALL = 64;

  private final LayoutBuilder.Parts parts;
  private final PageLoader loader;
  private final PieceMap map;
  private final Reserve reserve;
  private final CompletionPort<Result> port;
  private final PositionTree tree;
  private final Replacements replacements = new Replacements();

  /** Pieces that are done, bytes of the tree that they take, and of the old tree that are past. */
  private int done;

  private long position;
  private long past;

  /**
   * What came out.
   *
   * @param map the same content, by one piece over the tree
   * @param pages new pages, durable already; the commit allocates them or they are given back
   * @param freed the pages that the old tree has and the new one does not
   * @param superseded the same by its places; null if there was no tree
   */
  public record Result(
      PieceMap map,
      List<Staged.NamedBlocks> pages,
      List<Extent> freed,
      @Nullable Superseded superseded) {}

  private MapFold(
      LayoutBuilder.Parts parts,
      PageLoader loader,
      PieceMap map,
      Reserve reserve,
      CompletionPort<Result> port) {
    this.parts = parts;
    this.loader = loader;
    this.map = map;
    this.reserve = reserve;
    this.port = port;
    this.tree = parts.trees().maps().fork(map, parts.pages().withReplaced(replacements));
  }

  /**
   * Folds. Failures: {@code VolumeFull}, {@code Corrupt}, {@code Device}; then nothing is left
   * reserved.
   *
   * @param reserve how deep new pages may reach into the space that is kept
   */
  public static void fold(
      LayoutBuilder.Parts parts,
      PageLoader loader,
      PieceMap map,
      Reserve reserve,
      CompletionPort<Result> port) {
    MapFold fold = new MapFold(parts, loader, map, reserve, port);
    parts.dispatcher().post(fold::step);
  }

  /**
   * Pages of the old tree that went. The new pages know this as long as they are in memory, so it
   * knows nothing of what the folding was asked for.
   */
  private static final class Replacements implements PageCache.Replaced {
    private final List<Extent> freed = new ArrayList<>();
    private final Set<Long> pages = new LinkedHashSet<>();

    @Override
    public void replaced(PageRef page) {
      Extent.each(page.blocks(), freed::add);
      pages.add(page.addressA());
    }
  }

  private void step() {
    try {
      for (int i = 0; i < STEPS_PER_UPCALL; i++) {
        if (!foldOne()) {
          write();
          return;
        }
      }
    } catch (PageMissing missing) {
      loader.load(missing.page(), port.then(loaded -> step()));
      return;
    }
    parts.dispatcher().post(this::step);
  }

  /** One change of the tree, or one piece that is there; false at the end. */
  private boolean foldOne() {
    PieceMap.Folded old = map.folded();
    long until = old == null ? 0 : old.bytes();
    if (done < map.pieces().size()) {
      PieceMap.Piece piece = map.pieces().get(done);
      if (!map.isInTree(piece.from())) {
        tree.insert(position, piece.bytes(), piece.from());
        position += piece.bytes();
        done++;
        return true;
      }
      if (piece.from() == past) {
        past = piece.end();
        position += piece.bytes();
        done++;
        return true;
      }
      until = piece.from();
    }
    if (past == until) {
      return false;
    }
    past += tree.remove(position, until - past);
    return true;
  }

  // ------------------------------------------------------------------ writing

  private void write() {
    Frozen frozen = tree.freeze(0);
    parts
        .space()
        .allocate(2L * frozen.dirtyPages(), reserve, port.then(extents -> write(frozen, extents)));
  }

  private void write(Frozen frozen, List<Extent> extents) {
    CompletionPort<Result> failed =
        completion -> {
          parts.space().giveBack(extents);
          port.complete(completion);
        };
    PageWriter.write(
        PageWriter.Way.ofCommit(parts.dispatcher(), parts.disk()),
        frozen,
        PageWriter.Places.halves(extents, frozen.dirtyPages()),
        failed.then(
            written ->
                parts
                    .disk()
                    .submit(
                        new DiskRequest.Sync(
                            IoClass.FOREGROUND_WRITE,
                            failed.then(
                                synced -> port.complete(Completion.done(result(extents))))))));
  }

  private Result result(List<Extent> extents) {
    PositionTree.Root root = tree.root();
    PageRef page = Invariants.present(root.page(), "root of a folded map");
    Invariants.check(root.length() == map.sizeBytes(), "bytes of a folded map", root.length());
    parts.trees().maps().written(page);
    List<Staged.NamedBlocks> pages = new ArrayList<>(extents.size());
    for (Extent extent : extents) {
      pages.add(new Staged.NamedBlocks(extent, Staged.NamedBlocks.SYNCED));
    }
    PieceMap.Folded old = map.folded();
    PageRef before = old == null ? null : parts.trees().maps().root(old.root());
    return new Result(
        PieceMap.folded(
            new PieceMap.Folded(page, root.length(), edge(map.spaceBytes()), root.runs())),
        pages,
        replacements.freed,
        before == null ? null : Superseded.ofMap(before, replacements.pages));
  }

  /**
   * Where numbers of blocks begin behind a tree: a block further than they must, so that no number
   * is that of a byte of the tree's content, or goes on where one ends.
   */
  private static long edge(long spaceBytes) {
    return (spaceBytes / Disk.BLOCK_BYTES + 2) * Disk.BLOCK_BYTES;
  }
}
