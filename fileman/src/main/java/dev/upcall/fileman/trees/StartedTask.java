package dev.upcall.fileman.trees;

import dev.upcall.AsyncReads;
import dev.upcall.UpcallException;
import dev.upcall.base.HostWords;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.fsm.wakeup.VirtualThreads;
import dev.upcall.trees.TreeSummary;
import dev.upcall.trees.TreeTask;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * A task at each door: the work is the same, and waits; who does not wait has it done on a virtual
 * thread, and hears of its end where he wants to.
 */
final class StartedTask implements TreeTask {
  private final TransferRun run;
  private final Work work;
  private final AtomicBoolean begun = new AtomicBoolean();

  /** All of the work. */
  interface Work {
    TreeSummary run() throws IOException;
  }

  /** How work ended: gives its summary, or throws what it threw. */
  private interface Ended {
    TreeSummary summary() throws IOException;
  }

  StartedTask(TransferRun run, Work work) {
    this.run = run;
    this.work = work;
  }

  @Override
  public TreeSummary run() throws IOException {
    begin();
    return work.run();
  }

  private void begin() {
    if (begun.getAndSet(true)) {
      throw new IllegalStateException("the task was run before: make a new one");
    }
  }

  @Override
  public CompletableFuture<TreeSummary> start(Executor executor) {
    Objects.requireNonNull(executor, "executor");
    begin();
    CompletableFuture<TreeSummary> done = new CompletableFuture<>();
    done.whenComplete(
        (_, _) -> {
          if (done.isCancelled()) {
            cancel();
          }
        });
    elsewhere(
        ended -> {
          try {
            executor.execute(() -> complete(done, ended));
          } catch (Throwable refused) {
            done.completeExceptionally(refused);
          }
        });
    return done;
  }

  private static void complete(CompletableFuture<TreeSummary> done, Ended ended) {
    try {
      done.complete(ended.summary());
    } catch (Throwable failed) {
      done.completeExceptionally(failed);
    }
  }

  @Override
  public void start(AsyncReads files, CompletionPort<TreeSummary> port) {
    Objects.requireNonNull(files, "files");
    Objects.requireNonNull(port, "port");
    begin();
    CompletionPort<Ended> home =
        files.fromAnyThread(ended -> port.complete(completion(UpcallException.value(ended))));
    elsewhere(ended -> home.complete(Completion.done(ended)));
  }

  /** What is no failure of a store or of a host is thrown where completions come. */
  private static Completion<TreeSummary> completion(Ended ended) {
    try {
      return Completion.done(ended.summary());
    } catch (UpcallException known) {
      return Completion.failed(known.failure());
    } catch (IOException refused) {
      return Completion.failed(
          new Failure.Device("a tree of the host", HostWords.withPath(refused)));
    }
  }

  private void elsewhere(Consumer<Ended> tell) {
    if (VirtualThreads.start("tree task", () -> tell.accept(ended())) == null) {
      // The starter hears so where it hears of the task's end.
      tell.accept(
          () -> {
            throw new IOException(
                "the machine gives no thread, and nothing of the task is done; end other work, or"
                    + " allow more threads (ulimit -u)");
          });
    }
  }

  private Ended ended() {
    try {
      TreeSummary summary = work.run();
      return () -> summary;
    } catch (IOException unreadable) {
      return () -> {
        throw unreadable;
      };
    } catch (RuntimeException failed) {
      return () -> {
        throw failed;
      };
    } catch (Error failed) {
      return () -> {
        throw failed;
      };
    }
  }

  @Override
  public TreeSummary soFar() {
    return run.summary(TreeSummary.End.UNFINISHED);
  }

  @Override
  public void cancel() {
    run.cancel();
  }
}
