package dev.upcall.nio.collected;

import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Files that channels have made and nobody has committed yet, in the order in which they were made.
 * They are committed in that order, many at once: no file is there without those made before it.
 * Any threads; one makes files at a time.
 */
final class NewFiles {
  private static final int MAX_FILES = 256;

  /** What one commit brings: half of the bytes that may be given with all batches under way. */
  private static final int MAX_BYTES_AT_ONCE = 1 << 20;

  private final FilesById files;

  /** Guards the set for moments. */
  private final ReentrantLock guard = new ReentrantLock();

  private final Set<PendingWrites> waiting = new LinkedHashSet<>();
  private volatile int count;

  /** Held while files are made; whoever makes them holds nothing else. */
  private final ReentrantLock turn = new ReentrantLock();

  private volatile boolean making;

  /** Why a file could not be made that nobody had open any more; until it is told. */
  private final AtomicReference<@Nullable RuntimeException> untold = new AtomicReference<>();

  NewFiles(FilesById files) {
    this.files = files;
  }

  boolean areAny() {
    return count > 0;
  }

  /** Whether no more should come. */
  boolean areMany() {
    return count >= MAX_FILES;
  }

  void add(PendingWrites file) {
    guard.lock();
    try {
      waiting.add(file);
      count = waiting.size();
    } finally {
      guard.unlock();
    }
  }

  void remove(PendingWrites file) {
    guard.lock();
    try {
      waiting.remove(file);
      count = waiting.size();
    } finally {
      guard.unlock();
    }
  }

  private List<PendingWrites> all() {
    guard.lock();
    try {
      return List.copyOf(waiting);
    } finally {
      guard.unlock();
    }
  }

  /** Whether there is one that nobody has tried to make. */
  boolean isWaiting() {
    return areAny() && all().stream().anyMatch(PendingWrites::isWaiting);
  }

  /** Waits until nobody makes files who does so now. */
  void awaitMaking() {
    if (making) {
      turn.lock();
      try {
        making = false; // as it is by now: who makes files has the turn
      } finally {
        turn.unlock();
      }
    }
  }

  /** Why those could not be made that nobody could tell, or that are still here. */
  @Nullable RuntimeException failure() {
    RuntimeException failure = untold.get() == null ? null : untold.getAndSet(null);
    if (areAny()) {
      for (PendingWrites file : all()) {
        failure = failure == null ? file.whyNotMade() : failure;
      }
    }
    return failure;
  }

  /**
   * Makes all.
   *
   * @param again whether what could not be made is tried again
   * @param before what must have happened before
   */
  void make(boolean again, Runnable before) {
    turn.lock();
    try {
      making = true;
      before.run();
    } finally {
      try {
        makeAll(again); // in any case, so that each file knows why it could not be made
      } finally {
        making = false;
        turn.unlock();
      }
    }
  }

  private void makeAll(boolean again) {
    List<Making.Begun> together = new ArrayList<>();
    try {
      int bytes = 0;
      for (PendingWrites file : all()) {
        Making.Begun next = file.beginMaking(again);
        if (next != null) {
          if (bytes + next.bytes() > MAX_BYTES_AT_ONCE) {
            make(together);
            together.clear();
            bytes = 0;
          }
          together.add(next);
          bytes += next.bytes();
        }
      }
    } finally {
      make(together); // what has begun must end
    }
  }

  /** One commit if that can be, else one for each. */
  private void make(List<Making.Begun> together) {
    switch (together.size()) {
      case 0 -> {}
      case 1 -> makeAlone(together.getFirst());
      default -> {
        List<Long> ids;
        try {
          ids = files.make(together.stream().map(Making.Begun::file).toList());
        } catch (RuntimeException | Error refused) {
          together.forEach(this::makeAlone);
          return;
        }
        for (int i = 0; i < ids.size(); i++) {
          together.get(i).writes().made(ids.get(i));
        }
      }
    }
  }

  private void makeAlone(Making.Begun one) {
    try {
      one.writes().made(made(one));
    } catch (RuntimeException | Error failed) {
      notMade(one, failed);
    }
  }

  private long made(Making.Begun one) {
    try {
      return files.make(List.of(one.file())).getFirst();
    } catch (UpcallException.TooLarge refused) {
      return madeAndWritten(one);
    }
  }

  /** As two commits, so that there is a moment in which it is empty. */
  private long madeAndWritten(Making.Begun one) {
    long id = files.make(List.of(one.empty())).getFirst();
    ByteBuffer content = ByteBuffer.wrap(one.file().content());
    files.write(id, List.of(new FilesById.Piece(0, content)), Durability.ASYNC);
    return id;
  }

  private void notMade(Making.Begun one, Throwable failed) {
    RuntimeException why =
        failed instanceof RuntimeException refused ? refused : new IllegalStateException(failed);
    boolean givenUp = one.writes().notMade(why);
    if (givenUp && why instanceof UpcallException.AlreadyExists) { // else its directory took it
      String what =
          "%s was made through another door before it was committed, and closed, here: %s";
      untold.compareAndSet(
          null,
          UpcallException.of(
              new Failure.Conflict(what.formatted(one.file().name(), "what was written is lost"))));
    }
  }
}
