package dev.upcall.bench.worker;

import dev.upcall.buffer.LeaseOwner;
import dev.upcall.fileman.OpenFile;
import dev.upcall.fileman.Upcall;
import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.io.IoClass;
import dev.upcall.segment.ContentSlice;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * An application on the store's own thread (composition 1): opens a file, looks at its frames where
 * they are, closes it.
 */
final class SharedThreadReads implements CompositionJob.Application {
  private static final LeaseOwner OWNER = new LeaseOwner("bench", 0);

  private final Upcall store;
  private final long files;
  private final int depth;
  private final SplittableRandom random = new SplittableRandom(1);

  SharedThreadReads(Upcall store, long files, int depth) {
    this.store = store;
    this.files = files;
    this.depth = depth;
  }

  @Override
  public Tally run(long nanos) {
    return ClosedLoop.run(store::execute, depth, nanos, Read::new);
  }

  @Override
  public void close() {
    // What it opens it closes.
  }

  private final class Read extends ClosedLoop.Chain implements CompletionPort<OpenFile> {
    private long number;

    private Read(ClosedLoop loop) {
      super(loop);
    }

    @Override
    void begin() {
      number = random.nextLong(files);
      store.fileManager().openRead(ManyFiles.path(number), OWNER, this);
    }

    @Override
    public void complete(Completion<OpenFile> completion) {
      switch (completion) {
        case Completion.Done<OpenFile>(OpenFile file) ->
            Objects.requireNonNull(file.content())
                .read(0, Blocks.BYTES, IoClass.FOREGROUND_READ, slice -> read(file, slice));
        case Completion.Failed<OpenFile> failed -> failed(failed.failure());
      }
    }

    private void read(OpenFile file, Completion<ContentSlice> completion) {
      switch (completion) {
        case Completion.Done<ContentSlice>(ContentSlice slice) -> {
          Blocks.check(number, slice.buffers().getFirst().duplicate());
          slice.release();
          file.close();
          done();
        }
        case Completion.Failed<ContentSlice> failed -> {
          file.close();
          failed(failed.failure());
        }
      }
    }
  }
}
