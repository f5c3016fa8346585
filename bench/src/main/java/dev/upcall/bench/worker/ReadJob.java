package dev.upcall.bench.worker;

import dev.upcall.bench.harness.Fields;
import dev.upcall.buffer.LeaseOwner;
import dev.upcall.fileman.OpenFile;
import dev.upcall.fileman.StorePath;
import dev.upcall.fileman.Upcall;
import dev.upcall.fileman.UpcallConfig;
import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.io.DiskKind;
import dev.upcall.io.IoClass;
import dev.upcall.segment.ContentSlice;
import dev.upcall.segment.PinnedContent;
import java.nio.file.Path;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * Random reads of 4 KiB of one large file through the file manager, on the store's thread. Options:
 * {@code volume}, {@code file}, {@code memory} (bytes), {@code disk}, {@code depth}.
 */
final class ReadJob implements Worker.Job {
  private static final LeaseOwner OWNER = new LeaseOwner("bench", 0);

  private final Upcall store;
  private final int depth;
  private final OpenFile file;
  private final SplittableRandom random = new SplittableRandom(System.nanoTime());

  ReadJob(Fields options) {
    UpcallConfig config =
        UpcallConfig.DEFAULT
            .withMemoryBytes(options.number("memory"))
            .withDisk(DiskKind.valueOf(options.text("disk")));
    store = Upcall.open(Path.of(options.text("volume")), config);
    depth = (int) options.number("depth");
    StorePath path = StorePath.of(options.text("file"));
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
    file = opened.join();
  }

  @Override
  public Tally run(long nanos) {
    return ClosedLoop.run(store::execute, depth, nanos, Reader::new);
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
    store.close();
  }

  private final class Reader extends ClosedLoop.Chain implements CompletionPort<ContentSlice> {
    private final PinnedContent content = Objects.requireNonNull(file.content());
    private final long blocks = file.info().sizeBytes() / Blocks.BYTES;
    private long block;

    private Reader(ClosedLoop loop) {
      super(loop);
    }

    @Override
    void begin() {
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
