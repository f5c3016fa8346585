package dev.upcall.bench.micro;

import dev.upcall.OpenFile;
import dev.upcall.UpcallConfig;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.content.ContentSlice;
import dev.upcall.content.LeaseOwner;
import dev.upcall.io.IoClass;
import dev.upcall.segment.PinnedContent;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * A program on the store's own thread, which looks at a file's bytes where they are; for comparison
 * it can also copy them, as the others do.
 */
final class SharedReads extends StoreReads {
  private static final LeaseOwner OWNER = new LeaseOwner("bench", 0);

  private final boolean copies;
  private final byte[] copy = new byte[FILE_BYTES];

  SharedReads(Path folder, UpcallConfig config, int files, boolean copies) {
    super(folder, config, files);
    this.copies = copies;
  }

  @Override
  public long read(int count) {
    CompletableFuture<Long> done = new CompletableFuture<>();
    store().fsm().execute(() -> new Chain(done, count).goOn());
    return done.join();
  }

  private final class Chain implements CompletionPort<OpenFile> {
    private final CompletableFuture<Long> done;
    private int left;
    private long sum;

    private Chain(CompletableFuture<Long> done, int count) {
      this.done = done;
      left = count;
    }

    private void goOn() {
      if (left-- == 0) {
        done.complete(sum);
      } else {
        store().fsm().fileManager().openRead(paths().get(next()), OWNER, this);
      }
    }

    @Override
    public void complete(Completion<OpenFile> completion) {
      switch (completion) {
        case Completion.Done<OpenFile>(OpenFile file) -> opened(file);
        case Completion.Failed<OpenFile> failed -> failed(failed.failure());
      }
    }

    private void opened(OpenFile file) {
      PinnedContent content = Objects.requireNonNull(file.content());
      ContentSlice slice = content.tryRead(0, FILE_BYTES);
      if (slice == null) {
        content.read(0, FILE_BYTES, IoClass.FOREGROUND_READ, found -> read(file, found));
      } else {
        take(file, slice);
      }
    }

    private void read(OpenFile file, Completion<ContentSlice> completion) {
      switch (completion) {
        case Completion.Done<ContentSlice>(ContentSlice slice) -> take(file, slice);
        case Completion.Failed<ContentSlice> failed -> failed(failed.failure());
      }
    }

    private void take(OpenFile file, ContentSlice slice) {
      ByteBuffer bytes = slice.buffers().getFirst();
      if (copies) {
        bytes.get(bytes.position(), copy);
        sum += copy[FILE_BYTES - 1];
      } else {
        sum += bytes.get(bytes.position() + FILE_BYTES - 1);
      }
      slice.release();
      file.close();
      goOn();
    }

    private void failed(Failure failure) {
      done.completeExceptionally(new IllegalStateException(failure.message()));
    }
  }
}
