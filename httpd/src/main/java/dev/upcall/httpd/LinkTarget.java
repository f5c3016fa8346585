package dev.upcall.httpd;

import dev.upcall.FileInfo;
import java.util.Objects;
import java.util.Optional;

/**
 * Where a symbolic link leads.
 *
 * @param path its target as it was given
 * @param found what is there, all links followed; nothing when the link is broken
 */
public record LinkTarget(String path, Optional<FileInfo> found) {
  /** Of a link that could not be looked at, or is gone by now. */
  public static final LinkTarget UNKNOWN = new LinkTarget("", Optional.empty());

  /** Checks that nothing is missing. */
  public LinkTarget {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(found, "found");
  }
}
