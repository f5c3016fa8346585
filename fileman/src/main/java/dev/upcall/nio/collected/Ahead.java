package dev.upcall.nio.collected;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was collected before a request, and is committed by that: on the store's thread, right
 * before the request, so that its caller waits once. Whoever has one ends it.
 */
public final class Ahead {
  /** More files are committed one by one, before the request. */
  private static final int MAX_FILES = 64;

  private final FilesById files;
  private final List<Part> parts = new ArrayList<>();

  private Ahead(FilesById files) {
    this.files = files;
  }

  /** What one file has; its outcome is written by the store's thread. */
  private static final class Part {
    final PendingWrites file;
    final Batch batch;
    CommitTurn.Outcome outcome = CommitTurn.Outcome.NOT_TRIED;

    Part(PendingWrites file, Batch batch) {
      this.file = file;
      this.batch = batch;
    }
  }

  /** Of these files, and nobody else commits it meanwhile; null if it cannot be had at once. */
  static @Nullable Ahead of(FilesById files, Iterable<PendingWrites> pending) {
    Ahead ahead = new Ahead(files);
    for (PendingWrites file : pending) {
      Batch batch = file.tryLeave();
      if (batch == PendingWrites.BUSY_NOW) {
        ahead.ended();
        return null;
      }
      if (batch != null) {
        ahead.parts.add(new Part(file, batch));
      }
      if (ahead.parts.size() > MAX_FILES) {
        ahead.ended();
        return null;
      }
    }
    return ahead;
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
    files.commit(
        part.file.id(),
        part.batch,
        completion -> {
          part.outcome = outcome(part.batch, completion);
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
    parts.forEach(part -> part.file.ended(part.outcome));
  }
}
