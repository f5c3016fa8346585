package dev.upcall.threads.files;

import static dev.upcall.UpcallException.value;

import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.fileman.blocking.Calls;
import dev.upcall.fileman.blocking.HandleFiles;
import dev.upcall.fileman.plan.Looks;
import dev.upcall.fsm.wakeup.VirtualThreads;
import dev.upcall.threads.SharedContent;
import dev.upcall.threads.ThreadStore;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Files of the engine of threads by their id: read by the thread that asks. */
final class ThreadFiles extends HandleFiles {
  private final Calls calls;
  private final ThreadStore store;

  ThreadFiles(Calls calls, ThreadStore store) {
    super(calls, store.machines());
    this.calls = calls;
    this.store = store;
  }

  @Override
  public @Nullable FileInfo find(StorePath path, LinkPolicy links) {
    Completion<FileInfo> seen = calls.inside(() -> store.look(Looks.stat(path, links)));
    return seen instanceof Completion.Failed<FileInfo>(Failure.NotFound _) ? null : value(seen);
  }

  @Override
  public long sizeBytes(long id) {
    return calls.<Long>inside(() -> value(store.look(file(id))).size());
  }

  @Override
  public int read(long id, long offset, ByteBuffer into) {
    return calls.inside(
        () -> {
          try (SharedContent content = value(store.open(file(id), "segment " + id))) {
            int count = value(content.read(offset, into));
            return count == 0 ? -1 : count;
          }
        });
  }

  /** A thread waits for each: so this engine does its work. */
  @Override
  public CompletableFuture<Integer> readLater(long id, long offset, ByteBuffer into) {
    CompletableFuture<Integer> ended = new CompletableFuture<>();
    Runnable reading =
        () -> {
          try {
            if (!ended.isDone()) {
              ended.complete(read(id, offset, into));
            }
          } catch (Throwable failed) {
            ended.completeExceptionally(failed);
          }
        };
    if (VirtualThreads.start("upcall-nio-read", reading) == null) {
      reading.run();
    }
    return ended;
  }

  @Override
  public void flush() {
    Failure failure = calls.<@Nullable Failure>inside(store::flush);
    if (failure != null) {
      throw UpcallException.of(failure);
    }
  }
}
