package dev.upcall.journal.queue;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What can go wrong with a queue. Nothing was appended, unless it says so. */
public final class QueueException extends IOException {
  private static final long serialVersionUID = 1L;
  private final Reason reason;

  /** Which of the things that can go wrong. */
  public enum Reason {
    /** The directory holds no queue, or one of another version. */
    NO_QUEUE,
    /** The backlog is at its bound; try again when the store has worked it off. */
    BACKLOG_FULL,
    /** The file system has no room. */
    DISK_FULL,
    /** Another process held the queue longer than is waited for; try again. */
    TIMEOUT,
    /**
     * The parts of a content came so far apart that the store may have given the request up; with
     * its number it may be put in again, and is done once.
     */
    TOO_SLOW,
    /** The queue's files cannot be read or written, or are not what they should be. */
    FILES,
    /** Somebody else is what only one may be. */
    IN_USE
  }

  /** With what made it so, if anything did. */
  public QueueException(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** Which. */
  public Reason reason() {
    return reason;
  }
}
