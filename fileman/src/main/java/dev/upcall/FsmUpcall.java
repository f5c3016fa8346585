package dev.upcall;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.fsm.Reactor;
import dev.upcall.stage.StageFiles;
import dev.upcall.stage.StageLimits;
import dev.upcall.store.NamedSnapshot;
import dev.upcall.store.NamedSnapshotList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An {@link Upcall} of {@link Engine#FSM}, the engine that programs get unless they choose another:
 * {@link Upcall#fsm} is the way to it.
 */
public interface FsmUpcall extends Upcall {
  /**
   * Takes a snapshot: the files as of this moment, for any number of threads to read, however long,
   * while others write. It costs the same whatever the size of the store; it waits for write-back,
   * five seconds at most, while all that are open might have to copy too much, and fails with
   * {@code Busy} then. Must be closed: as long as it is open, space that is freed does not come
   * back.
   *
   * <pre>{@code
   * try (UpcallSnapshot then = store.snapshot()) {
   *   then.forEach("/letters", letter -> backup(letter, then.read("/letters/" + letter.name())));
   * }
   * }</pre>
   */
  UpcallSnapshot snapshot();

  /**
   * Makes a snapshot with a name, which stays until {@link #dropSnapshot}, over closing, opening
   * and crashes: the files as of a moment inside this call. It costs a checkpoint and 1/16384 of
   * the volume's size, whatever the files; what it holds does not come back until it is dropped.
   *
   * @throws UpcallException {@code AlreadyExists}, {@code Invalid} (names are as those of files),
   *     {@code TooLarge} when there are as many as there may be
   */
  NamedSnapshot createSnapshot(String name);

  /** All snapshots with names, oldest first, and what each holds alone. */
  NamedSnapshotList snapshots();

  /** Opens a snapshot with a name for reading. Must be closed. */
  UpcallSnapshot snapshot(String name);

  /** Drops a snapshot with a name; those who have it open read on. */
  void dropSnapshot(String name);

  /**
   * Begins a transaction: reads of this moment and changes of any number of files that happen
   * together when it is committed, or not at all. Must be closed; without a commit that rolls it
   * back. Nothing waits for its reads; who wants to change what it has changed waits for its end.
   *
   * <pre>{@code
   * try (UpcallTransaction transfer = store.begin()) {
   *   long from = parse(transfer.readAllBytes("/accounts/a"));
   *   long to = parse(transfer.readAllBytes("/accounts/b"));
   *   transfer.write("/accounts/a", text(from - 10));
   *   transfer.write("/accounts/b", text(to + 10));
   *   transfer.commit();
   * }
   * }</pre>
   *
   * @throws UpcallException {@code Busy} when too many are open
   */
  UpcallTransaction begin();

  /**
   * Does something as one transaction, and commits it, durably, behind the body. When somebody else
   * was quicker ({@code Conflict}, {@code Deadlock}), in the body or in the commit, nothing has
   * happened, and after a pause by chance, which grows each time, the body runs again in a new
   * transaction: so the body may run several times, and must do nothing outside the transaction
   * that may not happen twice. It neither commits nor rolls back, and lets those failures out as
   * they are; what else it throws rolls back and comes out here. Commits are found to conflict only
   * with what they change; what is only read may have changed since, see {@link #begin}.
   *
   * <pre>{@code
   * long sum = store.transact(transfer -> {
   *   long next = parse(transfer.readAllBytes("/sum")) + 10;
   *   transfer.write("/sum", text(next));
   *   return next;
   * });
   * }</pre>
   *
   * @return what the body gave when it ran last
   * @throws UpcallException the last {@code Conflict} or {@code Deadlock}, when it has run as often
   *     or for as long as {@link dev.upcall.store.TransactionConfig#retry} lets it: a hundred
   *     times, half a minute; and all failures of {@link #begin} and of the commit
   */
  <T extends @Nullable Object> T transact(Function<? super UpcallTransaction, ? extends T> body);

  /**
   * The asynchronous file manager below, for code that runs on the store's own thread ({@link
   * #execute}).
   */
  FileManager fileManager();

  /** What the store's thread turns around; sockets can share it. */
  Reactor reactor();

  /**
   * Runs something on the store's thread; it must not block. What it throws ends that thread, as a
   * programmer's error: then every call fails with the cause, and {@link #close} lets the volume
   * go. Any thread.
   */
  void execute(Runnable upcall);

  /**
   * Makes an asynchronous request on the store's thread, such as {@code port ->
   * fileManager().flush(port)}, and waits for its completion. Any other thread.
   *
   * @throws dev.upcall.fsm.DispatcherStoppedException when that thread dies meanwhile
   */
  <T> Completion<T> await(Consumer<? super CompletionPort<T>> request);

  /**
   * An asynchronous door for one single-threaded program on a thread of its own (composition 2).
   * Close it before this.
   */
  AsyncFiles newAsyncFiles();

  /**
   * A door of stages for any number of threads that do not wait: each operation answers a {@link
   * java.util.concurrent.CompletionStage}, completed on the executor.
   */
  default StageFiles newStageFiles(Executor executor) {
    return newStageFiles(executor, StageLimits.DEFAULT);
  }

  /** As {@link #newStageFiles(Executor)}, with other limits of what may be asked at once. */
  StageFiles newStageFiles(Executor executor, StageLimits limits);

  @Override
  default FsmUpcall fsm() {
    return this;
  }
}
