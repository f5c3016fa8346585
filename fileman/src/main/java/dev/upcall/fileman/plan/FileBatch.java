package dev.upcall.fileman.plan;

import dev.upcall.fileman.FileRequest;
import java.util.List;

/**
 * Requests that happen as one: all or nothing, later ones see what earlier ones did, one commit.
 *
 * @param timeNanos the time of everything in it, nanoseconds since 1970
 * @param requests in order
 */
public record FileBatch(long timeNanos, List<FileRequest> requests) {
  /** Copies the list. */
  public FileBatch {
    requests = List.copyOf(requests);
  }
}
