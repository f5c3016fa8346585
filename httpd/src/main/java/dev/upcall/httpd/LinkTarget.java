package dev.upcall.httpd;

import dev.upcall.FileInfo;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where a symbolic link leads.
 *
 * @param path its target as it was given
 * @param found what is there, all links followed; null when the link is broken
 */
public record LinkTarget(String path, @Nullable FileInfo found) {
  /** Of a link that could not be looked at, or is gone by now. */
  public static final LinkTarget UNKNOWN = new LinkTarget("", null);

  /** Checks that nothing is missing. */
  public LinkTarget {
    Objects.requireNonNull(path, "path");
  }
}
