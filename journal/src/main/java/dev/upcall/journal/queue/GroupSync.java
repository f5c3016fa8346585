package dev.upcall.journal.queue;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * All in this process who want the same files durable share one sync. Who comes while one runs
 * waits for the next, since the running one may have passed what he wrote. Any thread.
 */
final class GroupSync {
  /** By folder, those that somebody has open. */
  private static final Map<Path, GroupSync> SHARED = new ConcurrentHashMap<>();

  private final Path folder;

  /** Guarded by the map. */
  private int users;

  private long begun;
  private long ended;

  /** The last round that failed, and with what. */
  private long failed;

  private @Nullable QueueException failure;

  /** What makes the files durable. */
  interface Files {
    void force() throws QueueException;
  }

  private GroupSync(Path folder) {
    this.folder = folder;
  }

  /** That of a folder; {@link #leave} it. */
  static GroupSync join(Path folder) {
    return SHARED.compute(
        folder.toAbsolutePath().normalize(),
        (name, known) -> {
          GroupSync shared = known == null ? new GroupSync(name) : known;
          shared.users++;
          return shared;
        });
  }

  /** Joined once less. */
  void leave() {
    SHARED.compute(folder, (_, known) -> --users == 0 ? null : known);
  }

  /**
   * Returns when a round has ended that began after this call; this thread may be the one that does
   * it.
   */
  void sync(Files files) throws QueueException {
    long mine;
    synchronized (this) {
      mine = begun + 1;
      awaitTurn(mine);
      if (ended >= mine) {
        if (failure != null && failed >= mine) {
          throw new QueueException(failure.reason(), String.valueOf(failure.getMessage()), failure);
        }
        return;
      }
      begun++;
    }
    QueueException broken = null;
    try {
      files.force();
    } catch (QueueException why) {
      broken = why;
      throw why;
    } finally {
      end(broken);
    }
  }

  /** Rounds that have ended. */
  synchronized long rounds() {
    return ended;
  }

  private void awaitTurn(long mine) {
    boolean wasInterrupted = false;
    while (ended < mine && begun > ended) {
      try {
        wait();
      } catch (InterruptedException later) {
        wasInterrupted = true;
      }
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void end(@Nullable QueueException broken) {
    ended = begun;
    if (broken != null) {
      failed = ended;
      failure = broken;
    }
    notifyAll();
  }
}
