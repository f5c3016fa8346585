package dev.upcall.nio.collected;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes that were collected before a request, and are committed by it: on the store's thread,
 * right before the request, so that its caller waits once. The caller that has one ends it.
 */
public final class Ahead {
  /** More files are committed one by one, before the request. */
  private static final int MAX_FILES = 64;

  private final FilesById files;
  private final List<Part> parts = new ArrayList<>();

  private Ahead(FilesById files) {
    this.files = files;
  }

  /** The turn of one file, if it was had; its outcome is written by the store's thread. */
  private static final class Part {
    final PendingWrites file;
    @Nullable Batch batch;
    CommitTurn.Outcome outcome = CommitTurn.Outcome.NOT_TRIED;

    Part(PendingWrites file) {
      this.file = file;
    }

    /** Takes the file's turn, if there is something to commit; false if another thread has it. */
    boolean take() {
      Batch taken = file.tryLeave();
      batch = taken == PendingWrites.BUSY_NOW ? null : taken;
      return taken != PendingWrites.BUSY_NOW;
    }

    void end() {
      if (batch != null) {
        file.ended(outcome);
      }
    }
  }

  /** Of these files, and nobody else commits it meanwhile; null if it cannot be had at once. */
  static @Nullable Ahead of(FilesById files, Iterable<PendingWrites> pending) {
    Ahead ahead = new Ahead(files);
    boolean hasAll = false;
    try {
      hasAll = ahead.takeAll(pending);
    } finally {
      if (!hasAll) {
        ahead.ended();
      }
    }
    return hasAll ? ahead : null;
  }

  private boolean takeAll(Iterable<PendingWrites> pending) {
    for (PendingWrites file : pending) {
      if (parts.size() == MAX_FILES) {
        return false;
      }
      Part part = new Part(file);
      parts.add(part); // first: without memory for it no turn is taken that nobody would end
      if (!part.take()) {
        return false;
      }
    }
    return true;
  }

  /** Commits it on the store's thread, and then goes on there, whatever came of it. */
  public void commit(Runnable next) {
    commit(0, next);
  }

  private void commit(int number, Runnable next) {
    if (number == parts.size()) {
      next.run();
      return;
    }
    Part part = parts.get(number);
    Batch batch = part.batch;
    if (batch == null) {
      commit(number + 1, next);
      return;
    }
    files.commit(
        part.file.id(),
        batch,
        completion -> {
          part.outcome = outcome(batch, completion);
          commit(number + 1, next);
        });
  }

  private static CommitTurn.Outcome outcome(Batch batch, Completion<Unit> completion) {
    return switch (completion) {
      case Completion.Done<Unit> _ -> CommitTurn.Outcome.DONE;
      // Nothing was done: it was merged with what is no longer there.
      case Completion.Failed<Unit>(Failure.Conflict _) -> CommitTurn.Outcome.NOT_TRIED;
      case Completion.Failed<Unit>(Failure why) -> CommitTurn.Outcome.of(batch, why);
    };
  }

  /** The request has ended, or will not be made; the thread that made it. */
  public void ended() {
    parts.forEach(Part::end);
  }
}
