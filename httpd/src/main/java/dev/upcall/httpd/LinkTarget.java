package dev.upcall.httpd;

import dev.upcall.FileInfo;
import dev.upcall.StorePath;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Where a symbolic link leads.
 *
 * @param path its target as it was given
 * @param found what is there, all links followed; nothing when the link is broken
 * @param led which places it leads over; see {@link dev.upcall.request.Resolved#led}
 */
public record LinkTarget(String path, Optional<FileInfo> found, List<StorePath> led) {
  /** Of a link that could not be looked at, or is gone by now. */
  public static final LinkTarget UNKNOWN = new LinkTarget("", Optional.empty());

  /** Checks that nothing is missing. */
  public LinkTarget {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(found, "found");
    Objects.requireNonNull(led, "led");
  }

  /** One of which nobody asks over which places it leads. */
  public LinkTarget(String path, Optional<FileInfo> found) {
    this(path, found, List.of());
  }
}
