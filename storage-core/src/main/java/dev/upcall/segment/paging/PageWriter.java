package dev.upcall.segment.paging;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.space.Extent;
import dev.upcall.tree.DirtyPage;
import dev.upcall.tree.Frozen;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the dirty pages of one frozen tree to their places, a few at a time so that requests go on
 * in between. One object for one frozen tree; not durable until a later sync.
 */
public final class PageWriter {
  static final int PAGES_PER_WRITE = 16;
  static final int RUNS_IN_FLIGHT = 8;

  /**
   * Of pages for whose places nobody waits: each commit waits behind what the device has in hand.
   */
  static final int RUNS_IN_BACKGROUND = 1;

  private final Way way;
  private final Frozen frozen;
  private final BlockSource copyA;
  private final BlockSource copyB;
  private final CompletionPort<Unit> port;
  private @Nullable DirtyPage held;
  private long heldA;
  private long heldB;
  private int inFlight;
  private boolean exhausted;
  private boolean pumping;
  private @Nullable Failure failure;

  private PageWriter(Way way, Frozen frozen, Places places, CompletionPort<Unit> port) {
    this.way = way;
    this.frozen = frozen;
    this.copyA = places.copyA();
    this.copyB = places.copyB();
    this.port = port;
  }

  /**
   * How pages get to the disk.
   *
   * @param dispatcher whose upcalls write them
   * @param disk where to
   * @param ioClass of each write; asked when it is made
   * @param buffers from which they are written
   * @param written runs when some are written
   */
  public record Way(
      Dispatcher dispatcher,
      Disk disk,
      Supplier<IoClass> ioClass,
      PageBuffers buffers,
      Runnable written) {
    /** A commit waits for them. */
    public static Way ofCommit(Dispatcher dispatcher, Disk disk) {
      return new Way(dispatcher, disk, () -> IoClass.FOREGROUND_WRITE, new PageBuffers(), () -> {});
    }
  }

  /**
   * What a writer needs.
   *
   * @param copyA where the first copies go; at least as many blocks as there are dirty pages
   * @param copyB where the second copies go, of those that have one; likewise
   */
  public record Places(BlockSource copyA, BlockSource copyB) {
    /**
     * The first {@code pages} blocks of some extents for the first copies, the rest for the second.
     */
    public static Places halves(List<Extent> extents, int pages) {
      BlockSource rest = new BlockSource(extents);
      for (int i = 0; i < pages; i++) {
        rest.next();
      }
      return new Places(new BlockSource(extents), new BlockSource(rest.rest()));
    }
  }

  /** Starts; completes when all writes have. */
  public static void write(Way way, Frozen frozen, Places places, CompletionPort<Unit> port) {
    PageWriter writer = new PageWriter(way, frozen, places, port);
    writer.schedule();
  }

  /** One run of pages that lie side by side in all their places; the next one in the next turn. */
  private void pump() {
    pumping = false;
    if (!exhausted && failure == null && mayWrite()) {
      writeRun();
    }
    if (exhausted || failure != null) {
      if (inFlight == 0) {
        port.complete(failure == null ? Completion.done() : Completion.failed(failure));
      }
      return;
    }
    if (mayWrite()) {
      schedule();
    }
  }

  private boolean mayWrite() {
    boolean background = way.ioClass().get() == IoClass.BACKGROUND;
    return inFlight < (background ? RUNS_IN_BACKGROUND : RUNS_IN_FLIGHT);
  }

  private void schedule() {
    if (!pumping) {
      pumping = true;
      way.dispatcher().schedule(0, this::pump);
    }
  }

  private void writeRun() {
    DirtyPage page = takeHeldOrNext();
    if (page == null) {
      return;
    }
    ByteBuffer buffer = way.buffers().take();
    List<DirtyPage> run = new ArrayList<>(PAGES_PER_WRITE);
    long firstA = heldA;
    long firstB = heldB;
    while (page != null) {
      page.assign(heldA, heldB, buffer);
      run.add(page);
      page = run.size() < PAGES_PER_WRITE ? takeHeldOrNext() : null;
      if (page != null
          && (heldA != firstA + run.size() || heldB != (firstB == 0 ? 0 : firstB + run.size()))) {
        held = page;
        break;
      }
    }
    buffer.flip();
    Run written = new Run(run, buffer, new int[] {firstB == 0 ? 1 : 2});
    inFlight++;
    submit(firstA, buffer, written);
    if (firstB != 0) {
      submit(firstB, buffer, written);
    }
  }

  private record Run(List<DirtyPage> pages, ByteBuffer buffer, int[] copiesLeft) {}

  private void submit(long block, ByteBuffer buffer, Run run) {
    way.disk()
        .submit(
            new DiskRequest.Write(
                block,
                List.of(buffer.duplicate()),
                way.ioClass().get(),
                completion -> arrived(run, completion)));
  }

  private void arrived(Run run, Completion<Unit> completion) {
    if (completion instanceof Completion.Failed<Unit> failed && failure == null) {
      failure = failed.failure();
    }
    if (--run.copiesLeft()[0] > 0) {
      return;
    }
    inFlight--;
    way.buffers().giveBack(run.buffer());
    if (failure == null) {
      for (DirtyPage page : run.pages()) {
        page.written();
      }
      way.written().run();
    }
    schedule();
  }

  private @Nullable DirtyPage takeHeldOrNext() {
    DirtyPage page = held;
    if (page != null) {
      held = null;
      return page;
    }
    page = frozen.nextToPersist();
    if (page == null) {
      exhausted = true;
    } else {
      heldA = copyA.next();
      heldB = page.hasOneCopy() ? 0 : copyB.next();
    }
    return page;
  }
}
