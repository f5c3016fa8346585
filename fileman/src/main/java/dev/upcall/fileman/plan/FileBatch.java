package dev.upcall.fileman.plan;

import dev.upcall.FileRequest;
import java.util.List;
import java.util.Objects;

/**
 * Requests that happen as one: all or nothing, later ones see what earlier ones did, one commit.
 *
 * @param timeNanos the time of everything in it, nanoseconds since 1970
 * @param requests in order
 */
public record FileBatch(long timeNanos, List<FileRequest> requests) {
  /** Copies the list. */
  public FileBatch {
    requests = copy(requests);
  }

  /** What a caller gives, before anybody else sees it: a copy, in which nothing is missing. */
  public static List<FileRequest> copy(List<FileRequest> requests) {
    Objects.requireNonNull(requests, "requests");
    for (FileRequest request : requests) {
      Objects.requireNonNull(request, "one of requests");
    }
    return List.copyOf(requests);
  }
}
