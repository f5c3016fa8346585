package dev.upcall.segment.layout;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.segment.paging.PageWriter;
import dev.upcall.segment.space.SpaceManager;
import dev.upcall.space.Extent;
import dev.upcall.tree.Frozen;
import dev.upcall.tree.PageCache;
import dev.upcall.tree.PageRef;
import dev.upcall.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The layout of new content, from its first block to its last, with holes where nothing is
 * appended: a list as long as that fits the inode, then an extent tree of its own, whose pages are
 * written before the commit that names its root. Dispatcher's thread only.
 */
public final class LayoutBuilder {
  private static final int DIRTY_PAGES = 512;
  private final Parts parts;
  private final List<Staged.NamedBlocks> named = new ArrayList<>();
  private final List<Extent> pageExtents = new ArrayList<>();
  private final List<Extent> garbage = new ArrayList<>();
  private List<ExtentEntry> entries = new ArrayList<>();
  private @Nullable Tree tree;
  private long nextBlock;
  private long placedBlocks;
  private boolean coded;
  private boolean writingPages;

  /** The caller that finishes waits here while pages are on their way. */
  private @Nullable CompletionPort<Built> waiting;

  /** Why pages could not be written. */
  private @Nullable Failure failure;

  private boolean over;

  /**
   * What all builders share.
   *
   * @param dispatcher whose FIFO carries completions
   * @param disk where pages go
   * @param space where their extents come from
   * @param trees makes extent trees
   * @param pages keeps their clean pages
   */
  public record Parts(
      Dispatcher dispatcher, Disk disk, SpaceManager space, LayoutTrees trees, PageCache pages) {}

  /**
   * What was built.
   *
   * @param layout the layout
   * @param named every extent that the commit makes the segment's; without checksums where it is
   *     already durable
   */
  public record Built(Layout layout, List<Staged.NamedBlocks> named) {}

  /** Begins an empty layout. */
  public LayoutBuilder(Parts parts) {
    this.parts = parts;
  }

  /** Whether some of it is coded. */
  public boolean isCoded() {
    return coded;
  }

  /** Whether pages are on their way. */
  public boolean isBusy() {
    return writingPages;
  }

  /**
   * Appends blocks of the content that are stored as they are.
   *
   * @param block where they begin, at or behind the end of those before
   */
  public void append(long block, List<Staged.NamedBlocks> blocks) {
    List<ExtentEntry> runs = new ArrayList<>(blocks.size());
    long at = block;
    for (Staged.NamedBlocks run : blocks) {
      runs.add(new ExtentEntry.Plain(at, run.extent(), run.checksums()));
      at = runs.getLast().logicalEnd();
    }
    append(runs);
  }

  /**
   * Appends blocks of the content.
   *
   * @param runs in order, at or behind the end of those before
   */
  public void append(List<ExtentEntry> runs) {
    for (ExtentEntry run : runs) {
      Invariants.check(
          run.logicalBlock() >= nextBlock, "content out of order", run.logicalBlock(), nextBlock);
      named.add(new Staged.NamedBlocks(run.extent(), run.checksums()));
      run.pieces().forEach(this::add);
      nextBlock = run.logicalEnd();
      placedBlocks += run.extent().blocks();
      coded |= run instanceof ExtentEntry.Coded;
    }
    if (placedBlocks > Staged.NamedBlocks.MOST_NAMED) {
      forgetChecksums();
    }
    Tree grown = tree;
    boolean mayWrite = !writingPages && failure == null;
    if (grown != null && mayWrite && grown.dirtyPages() > DIRTY_PAGES) {
      writePages(grown, completion -> {});
    }
  }

  /** Completes when everything that must be on the volume before the commit is there. */
  public void finish(CompletionPort<Built> port) {
    Tree grown = tree;
    if (grown == null) {
      Layout layout = new Layout.Extents(List.copyOf(entries));
      if (placedBlocks <= Staged.NamedBlocks.MOST_NAMED) {
        parts.dispatcher().complete(port, Completion.done(new Built(layout, List.copyOf(named))));
      } else {
        sync(layout, port);
      }
      return;
    }
    if (writingPages) {
      waiting = port;
      return;
    }
    Failure broken = failure;
    if (broken != null) {
      parts.dispatcher().complete(port, Completion.failed(broken));
      return;
    }
    if (grown.dirtyPages() > 0) {
      writePages(grown, port.then(written -> finish(port)));
      return;
    }
    PageRef root = Invariants.present(grown.root(), "root of a written extent tree");
    sync(new Layout.Indexed(root, placedBlocks), port);
  }

  /** Gives everything back to free space: the content was not committed. */
  public void giveBack() {
    if (over) {
      return;
    }
    over = true;
    List<Extent> extents = new ArrayList<>(pageExtents);
    for (Staged.NamedBlocks run : named) {
      extents.add(run.extent());
    }
    parts.space().giveBack(extents);
  }

  private void add(ExtentEntry entry) {
    Tree grown = tree;
    if (grown != null) {
      grown.prepare(LayoutTrees.key(entry));
      grown.put(LayoutTrees.key(entry), InodeCodec.encodeEntry(entry));
      return;
    }
    ExtentList.append(entries, entry);
    if (InodeCodec.layoutBytes(new Layout.Extents(entries)) > InodeCodec.MAX_LAYOUT_BYTES) {
      List<ExtentEntry> moved = entries;
      entries = new ArrayList<>();
      tree = parts.trees().newTree(parts.pages().withReplaced(this::replaced));
      for (ExtentEntry each : moved) {
        add(each);
      }
    }
  }

  private void forgetChecksums() {
    for (int i = 0; i < named.size(); i++) {
      Staged.NamedBlocks run = named.get(i);
      if (run.checksums() != Staged.NamedBlocks.SYNCED) {
        named.set(i, new Staged.NamedBlocks(run.extent(), Staged.NamedBlocks.SYNCED));
      }
    }
    joinNeighbours();
  }

  private void joinNeighbours() {
    List<Staged.NamedBlocks> joined = new ArrayList<>();
    for (Staged.NamedBlocks run : named) {
      Staged.NamedBlocks last = joined.isEmpty() ? null : joined.getLast();
      if (last != null && last.extent().end() == run.extent().block()) {
        Extent both =
            new Extent(last.extent().block(), last.extent().blocks() + run.extent().blocks());
        joined.set(joined.size() - 1, new Staged.NamedBlocks(both, Staged.NamedBlocks.SYNCED));
      } else {
        joined.add(run);
      }
    }
    named.clear();
    named.addAll(joined);
  }

  private void sync(Layout layout, CompletionPort<Built> port) {
    parts
        .disk()
        .submit(
            new DiskRequest.Sync(
                IoClass.FOREGROUND_WRITE,
                port.then(
                    synced -> {
                      forgetChecksums();
                      List<Staged.NamedBlocks> all = new ArrayList<>(named);
                      for (Extent extent : pageExtents) {
                        all.add(new Staged.NamedBlocks(extent, Staged.NamedBlocks.SYNCED));
                      }
                      port.complete(Completion.done(new Built(layout, all)));
                    })));
  }

  private void writePages(Tree grown, CompletionPort<Unit> port) {
    writingPages = true;
    Frozen frozen = grown.freeze(0);
    int pages = frozen.dirtyPages();
    parts
        .space()
        .allocate(
            2L * pages,
            CompletionPort.of(
                extents -> writePages(frozen, extents, port),
                failure -> pagesWritten(Completion.failed(failure), port)));
  }

  private void writePages(Frozen frozen, List<Extent> extents, CompletionPort<Unit> port) {
    pageExtents.addAll(extents);
    PageWriter.write(
        PageWriter.Way.ofCommit(parts.dispatcher(), parts.disk()),
        frozen,
        PageWriter.Places.halves(extents, frozen.dirtyPages()),
        completion -> pagesWritten(completion, port));
  }

  private void pagesWritten(Completion<Unit> completion, CompletionPort<Unit> port) {
    writingPages = false;
    parts.space().giveBack(garbage);
    for (Extent extent : garbage) {
      removeFrom(pageExtents, extent.block());
    }
    garbage.clear();
    if (completion instanceof Completion.Failed<Unit>(Failure why)) {
      failure = why;
    }
    port.complete(completion);
    CompletionPort<Built> next = waiting;
    if (next != null) {
      waiting = null;
      finish(next);
    }
  }

  private static void removeFrom(List<Extent> extents, long block) {
    for (int i = 0; i < extents.size(); i++) {
      Extent extent = extents.get(i);
      if (extent.block() <= block && block < extent.end()) {
        extents.remove(i);
        if (block + 1 < extent.end()) {
          extents.add(i, new Extent(block + 1, extent.end() - block - 1));
        }
        if (block > extent.block()) {
          extents.add(i, new Extent(extent.block(), block - extent.block()));
        }
        return;
      }
    }
    throw new IllegalStateException("page block " + block + " was not allocated here");
  }

  /** What a later page replaces was never committed and can go back as it is. */
  private void replaced(PageRef page) {
    Extent.each(page.blocks(), garbage::add);
  }
}
