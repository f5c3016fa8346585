package dev.upcall.trees;

import static dev.upcall.trees.TreePaths.parsed;

import dev.upcall.StorePath;
import dev.upcall.config.Limits;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * What to export, and where to.
 *
 * @param from a path of the store: a directory, whose entries go into {@code target}, or one file
 *     or link, which goes there under its own name
 * @param target a directory of the host, made when missing
 * @param present what happens to files that are there
 * @param excluded files and folders of the host that are never written, under whatever name,
 *     besides the volume of the store itself; they need not exist
 * @param writers threads that write files, 1 to {@link #MAX_WRITERS}
 */
public record ExportOptions(
    StorePath from, Path target, Present present, List<Path> excluded, int writers) {
  /** Threads that write, unless said otherwise. */
  public static final int DEFAULT_WRITERS = 4;

  /** The most threads that write. */
  public static final int MAX_WRITERS = 256;

  /** Checks that nothing is missing, and copies the list. */
  public ExportOptions {
    Objects.requireNonNull(from, "from");
    Objects.requireNonNull(target, "target");
    Objects.requireNonNull(present, "present");
    excluded = List.copyOf(Objects.requireNonNull(excluded, "excluded"));
    Limits.within("export.writers", writers, 1, MAX_WRITERS);
  }

  /** With nothing excluded but the volume. */
  public ExportOptions(StorePath from, Path target, Present present, int writers) {
    this(from, target, present, List.of(), writers);
  }

  /** All of a directory, or one file; what is there stays. */
  public static ExportOptions of(CharSequence from, Path target) {
    return new ExportOptions(parsed("from", from), target, Present.KEEP, DEFAULT_WRITERS);
  }

  /** The same with something else done about files that are there. */
  public ExportOptions withPresent(Present other) {
    return new ExportOptions(from, target, other, excluded, writers);
  }

  /** The same with so many threads that write. */
  public ExportOptions withWriters(int other) {
    return new ExportOptions(from, target, present, excluded, other);
  }

  /** The same without these files. */
  public ExportOptions withExcluded(List<Path> other) {
    return new ExportOptions(from, target, present, other, writers);
  }
}
