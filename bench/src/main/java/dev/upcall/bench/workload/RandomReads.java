package dev.upcall.bench.workload;

import dev.upcall.FsmUpcall;
import dev.upcall.OpenFile;
import dev.upcall.StorePath;
import dev.upcall.bench.job.Blocks;
import dev.upcall.bench.job.ClosedLoop;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.content.ContentSlice;
import dev.upcall.content.LeaseOwner;
import dev.upcall.io.IoClass;
import dev.upcall.segment.PinnedContent;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * Random reads of 4 KiB of one large file of {@link Blocks} through the file manager, on the
 * store's thread. Each is checked.
 */
public final class RandomReads implements AutoCloseable {
  private static final LeaseOwner OWNER = new LeaseOwner("bench", 0);

  private final FsmUpcall store;
  private final OpenFile file;
  private final SplittableRandom random = new SplittableRandom(System.nanoTime());

  private RandomReads(FsmUpcall store, OpenFile file) {
    this.store = store;
    this.file = file;
  }

  /** Opens a file. */
  public static RandomReads open(FsmUpcall store, String name) {
    StorePath path = StorePath.of(name);
    CompletableFuture<OpenFile> opened = new CompletableFuture<>();
    store.execute(
        () ->
            store
                .fileManager()
                .openRead(
                    path,
                    OWNER,
                    completion -> {
                      switch (completion) {
                        case Completion.Done<OpenFile>(OpenFile found) -> opened.complete(found);
                        case Completion.Failed<OpenFile> failed ->
                            opened.completeExceptionally(
                                new IllegalStateException(failed.failure().message()));
                      }
                    }));
    return new RandomReads(store, opened.join());
  }

  /** One of the reads that are outstanding. */
  public ClosedLoop.Chain chain(ClosedLoop loop) {
    return new Reader(loop);
  }

  @Override
  public void close() {
    CompletableFuture<Boolean> closed = new CompletableFuture<>();
    store.execute(
        () -> {
          file.close();
          closed.complete(true);
        });
    closed.join();
  }

  private final class Reader extends ClosedLoop.Chain implements CompletionPort<ContentSlice> {
    private final PinnedContent content = Objects.requireNonNull(file.content());
    private final long blocks = file.info().sizeBytes() / Blocks.BYTES;
    private long block;

    private Reader(ClosedLoop loop) {
      super(loop);
    }

    @Override
    protected void begin() {
      block = random.nextLong(blocks);
      content.read(block * Blocks.BYTES, Blocks.BYTES, IoClass.FOREGROUND_READ, this);
    }

    @Override
    public void complete(Completion<ContentSlice> completion) {
      switch (completion) {
        case Completion.Done<ContentSlice>(ContentSlice slice) -> {
          Blocks.check(block, slice.buffers().getFirst().duplicate());
          slice.release();
          done();
        }
        case Completion.Failed<ContentSlice> failed -> failed(failed.failure());
      }
    }
  }
}
