package dev.upcall.bench.composition;

import dev.upcall.FsmUpcall;
import dev.upcall.OpenFile;
import dev.upcall.StorePath;
import dev.upcall.bench.job.Blocks;
import dev.upcall.bench.job.ClosedLoop;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.workload.ManyFiles;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.content.ContentSlice;
import dev.upcall.content.LeaseOwner;
import dev.upcall.io.IoClass;
import dev.upcall.segment.PinnedContent;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * An application on the store's own thread (composition 1): opens a file, looks at its frames where
 * they are, closes it.
 */
final class SharedThreadReads implements CompositionJob.Application {
  private static final LeaseOwner OWNER = new LeaseOwner("bench", 0);

  private final FsmUpcall store;
  private final List<StorePath> paths;
  private final int depth;
  private final SplittableRandom random = new SplittableRandom(1);

  SharedThreadReads(FsmUpcall store, long files, int depth) {
    this.store = store;
    this.paths = ManyFiles.paths(files);
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
    private int number;

    private Read(ClosedLoop loop) {
      super(loop);
    }

    @Override
    protected void begin() {
      number = random.nextInt(paths.size());
      store.fileManager().openRead(paths.get(number), OWNER, this);
    }

    @Override
    public void complete(Completion<OpenFile> completion) {
      switch (completion) {
        case Completion.Done<OpenFile>(OpenFile file) -> opened(file);
        case Completion.Failed<OpenFile> failed -> failed(failed.failure());
      }
    }

    /** As the HTTP server does: what is in memory needs no completion. */
    private void opened(OpenFile file) {
      PinnedContent content = Objects.requireNonNull(file.content());
      ContentSlice slice = content.tryRead(0, Blocks.BYTES);
      if (slice != null) {
        read(file, Completion.done(slice));
      } else {
        content.read(0, Blocks.BYTES, IoClass.FOREGROUND_READ, found -> read(file, found));
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
