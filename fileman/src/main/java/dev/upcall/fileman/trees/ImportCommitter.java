package dev.upcall.fileman.trees;

import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.base.HostWords;
import dev.upcall.completion.Failure;
import dev.upcall.fileman.trees.ImportStep.Prepared;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Commits the steps of an import in their order, many in one batch. A batch is visible at once and
 * durable soon after; whoever is killed finds a first part of the steps done, each wholly or not at
 * all. One thread.
 */
final class ImportCommitter {
  private static final int MAX_REQUESTS = 512;
  private static final long MAX_COST_BYTES = 1L << 20;
  private static final long MIN_COST_BYTES = 128L << 10;
  private static final long MAX_CONTENT_BYTES = 32L << 20;

  /** A batch fits an eighth of the log, and that is a sixteenth of the cap in small volumes. */
  private static final long CAP_PER_COST = 512;

  private final Upcall store;
  private final TransferRun counts;
  private final StagingRoom room;
  private final long maxCostBytes;
  private final List<ImportStep> steps = new ArrayList<>();
  private final List<Prepared> prepared = new ArrayList<>();

  /** Why nothing more is read, though what was read is still kept where it fits; null: it is. */
  private @Nullable UpcallException full;

  private int requests;
  private long costBytes;
  private long contentBytes;

  /**
   * Commits nothing yet.
   *
   * @param room is emptied when the volume is full
   */
  ImportCommitter(Upcall store, TransferRun counts, StagingRoom room) {
    this.store = store;
    this.counts = counts;
    this.room = room;
    this.maxCostBytes =
        Math.clamp(store.info().capBytes() / CAP_PER_COST, MIN_COST_BYTES, MAX_COST_BYTES);
  }

  /**
   * Adds a step, waiting until it is prepared.
   *
   * @throws UpcallException what ends the whole import at once
   */
  void add(ImportStep step) {
    if (full != null) {
      keepIfWhole(step);
    } else {
      unlessFull(() -> addNext(step));
    }
  }

  /** Commits what was added. */
  void flush() {
    unlessFull(this::flushBatch);
  }

  /**
   * Whether the volume has no room for the next step even when nobody else holds any. Whoever reads
   * is to stop; what has been read is still to be added.
   */
  boolean isFull() {
    return full != null;
  }

  /**
   * Commits what was added last.
   *
   * @throws UpcallException what ends the whole import, a full volume included
   */
  void finish() {
    flush();
    if (full != null) {
      throw full;
    }
  }

  private void unlessFull(Runnable work) {
    try {
      work.run();
    } catch (UpcallException refused) {
      if (!isFull(refused)) {
        throw refused;
      }
      full = refused;
    }
  }

  private static boolean isFull(@Nullable Throwable cause) {
    return cause instanceof UpcallException refused
        && refused.failure() instanceof Failure.VolumeFull;
  }

  /** A step of an import that has failed for want of room: what it cannot keep, that says. */
  private void keepIfWhole(ImportStep step) {
    try {
      Prepared whole = step.task() == null ? step.preparation().prepare() : awaited(step.task());
      commit(List.of(whole));
      done(step, whole);
    } catch (UpcallException refused) {
      if (!isFull(refused) && endsTheImport(refused.failure())) {
        throw refused;
      }
    } catch (ExecutionException | IOException notRead) {
      // It is not whole.
      return;
    }
  }

  private void addNext(ImportStep step) {
    if (!step.isReady()) {
      flushBatch();
    }
    Prepared next = preparedOrProblem(step);
    if (next == null) {
      return;
    }
    if (requests + next.requests().size() > MAX_REQUESTS
        || costBytes + next.costBytes() > maxCostBytes
        || contentBytes + next.sizeBytes() > MAX_CONTENT_BYTES) {
      flushBatch();
    }
    steps.add(step);
    prepared.add(next);
    requests += next.requests().size();
    costBytes += next.costBytes();
    contentBytes += next.sizeBytes();
  }

  private void flushBatch() {
    if (steps.isEmpty()) {
      return;
    }
    List<ImportStep> batchSteps = List.copyOf(steps);
    List<Prepared> batch = List.copyOf(prepared);
    steps.clear();
    prepared.clear();
    requests = 0;
    costBytes = 0;
    contentBytes = 0;
    try {
      commit(batch);
      for (int i = 0; i < batch.size(); i++) {
        done(batchSteps.get(i), batch.get(i));
      }
    } catch (UpcallException refused) {
      if (isFull(refused)) {
        // Less is kept while one step at a time is looked after.
        room.emptyForGood();
      } else if (endsTheImport(refused.failure())) {
        throw refused;
      }
      oneByOne(batchSteps);
    }
  }

  /** Gives up what was added and not committed. */
  void abandon() {
    prepared.forEach(given -> given.discardFrom(store));
    steps.clear();
    prepared.clear();
  }

  /**
   * Gives up a step that was not added; returns when it holds nothing. Whoever reads it has been
   * told to stop, and is not cancelled: what a cancelled task had come to nobody would know.
   */
  void discard(ImportStep step) {
    if (step.task() != null) {
      try {
        awaited(step.task()).discardFrom(store);
      } catch (ExecutionException failed) {
        // It holds nothing then.
        return;
      }
    }
  }

  private static Prepared awaited(Future<Prepared> task) throws ExecutionException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException during) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Finds out which step it was; content that a refused batch named is used up. */
  private void oneByOne(List<ImportStep> batch) {
    for (ImportStep step : batch) {
      try {
        Prepared again = step.preparation().prepare();
        commit(List.of(again));
        done(step, again);
      } catch (UpcallException refused) {
        if (endsTheImport(refused.failure())) {
          throw refused;
        }
        counts.problem(step.hostPath(), refused.failure().message());
      } catch (IOException unreadable) {
        counts.problem(step.hostPath(), HostWords.of(unreadable), unreadable);
      } catch (UncheckedIOException unreadable) {
        counts.problem(step.hostPath(), HostWords.of(unreadable), unreadable.getCause());
      }
    }
  }

  private void commit(List<Prepared> batch) {
    List<FileRequest> all = new ArrayList<>();
    batch.forEach(one -> all.addAll(one.requests()));
    store.batch(all, Durability.ASYNC);
  }

  private void done(ImportStep step, Prepared carried) {
    counts.count(step.outcome());
    counts.bytes(carried.sizeBytes());
    counts.attributesNotKept(carried.attributesNotKept());
  }

  private @Nullable Prepared preparedOrProblem(ImportStep step) {
    if (step.task() == null) {
      return prepareAlone(step);
    }
    try {
      return awaited(step.task());
    } catch (ExecutionException failed) {
      Throwable cause = failed.getCause();
      if (isFull(cause)) {
        room.emptyForGood();
      }
      if (isFull(cause) || cause instanceof StagingRoom.ReadAloneException) {
        // What was read whole and comes before it is kept in any case.
        flushBatch();
        return prepareAlone(step);
      }
      problemOrThrow(step, cause);
      return null;
    }
  }

  private @Nullable Prepared prepareAlone(ImportStep step) {
    try {
      return step.preparation().prepare();
    } catch (IOException | RuntimeException failed) {
      problemOrThrow(step, failed);
      return null;
    }
  }

  private void problemOrThrow(ImportStep step, @Nullable Throwable cause) {
    switch (cause) {
      case IOException unreadable ->
          counts.problem(step.hostPath(), HostWords.of(unreadable), unreadable);
      case UncheckedIOException unreadable ->
          counts.problem(step.hostPath(), HostWords.of(unreadable), unreadable.getCause());
      case UpcallException refused when !endsTheImport(refused.failure()) ->
          counts.problem(step.hostPath(), refused.failure().message());
      case RuntimeException other -> throw other;
      case null, default -> throw new IllegalStateException(cause);
    }
  }

  /** Whether a failure is about the store rather than about one entry. */
  private static boolean endsTheImport(Failure failure) {
    return switch (failure) {
      case Failure.VolumeFull _,
          Failure.ReadOnly _,
          Failure.Corrupt _,
          Failure.Device _,
          Failure.Closed _ ->
          true;
      case Failure.NotFound _,
          Failure.AlreadyExists _,
          Failure.NotADirectory _,
          Failure.IsADirectory _,
          Failure.DirectoryNotEmpty _,
          Failure.LinkLoop _,
          Failure.Invalid _,
          Failure.Conflict _,
          Failure.VersionMismatch _,
          Failure.TooLarge _,
          Failure.Unsupported _,
          Failure.Busy _,
          Failure.Deadlock _,
          Failure.LockTimeout _,
          Failure.Cancelled _ ->
          false;
    };
  }
}
