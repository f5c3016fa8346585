package dev.upcall.journal.queue;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.jspecify.annotations.Nullable;

/** What can go wrong with a queue. Nothing was appended, unless it says so. */
public final class QueueException extends IOException {
  private static final long serialVersionUID = 1L;
  private final Reason reason;

  /** Which of the things that can go wrong. */
  public enum Reason {
    /** The directory holds no queue. */
    NO_QUEUE,
    /** It holds a queue of another version; the message says what to do. */
    VERSION,
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

  /**
   * Files that cannot be used as they should be.
   *
   * @param what names them, or what was done with them
   */
  static QueueException files(String what, Throwable broken) {
    if (broken instanceof QueueException known) {
      return known;
    }
    String words = words(broken);
    String message = words.startsWith(what) ? words : what + ": " + words;
    return new QueueException(Reason.FILES, message, broken);
  }

  /** The host's reason: Java wraps it, and its own message is often no more than the path. */
  private static String words(Throwable broken) {
    Throwable host = broken;
    while (!(host instanceof IOException) && host.getCause() != null) {
      host = host.getCause();
    }
    return switch (host) {
      case AccessDeniedException denied -> denied.getFile() + ": permission denied";
      case NoSuchFileException absent -> absent.getFile() + " does not exist";
      case NotDirectoryException other -> other.getFile() + " is not a directory";
      case FileAlreadyExistsException other -> other.getFile() + " is there, and not a directory";
      default -> host.getMessage() == null ? broken.toString() : host.getMessage();
    };
  }

  /** Which. */
  public Reason reason() {
    return reason;
  }
}
