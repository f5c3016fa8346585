package dev.upcall.trees;

import static dev.upcall.trees.TreePaths.parsed;

import dev.upcall.StorePath;
import dev.upcall.config.Limits;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * What to import, and where to.
 *
 * @param source a directory of the host
 * @param into a directory of the store, made when missing
 * @param gone what happens to entries that came from this source and are gone from it
 * @param excluded files and folders of the host that are never imported, under whatever name,
 *     besides the volume itself, which never is; those that do not exist are ignored
 * @param readers threads that read files, 1 to {@link #MAX_READERS}
 */
public record ImportOptions(
    Path source, StorePath into, Gone gone, List<Path> excluded, int readers) {
  /** Threads that read, unless said otherwise. */
  public static final int DEFAULT_READERS = 4;

  /** The most threads that read. */
  public static final int MAX_READERS = 256;

  /** What happens to entries of the store that came from the source and are gone from it. */
  public enum Gone {
    /** They stay. */
    KEEP,
    /** They are removed, where nobody changed them since. */
    REMOVE
  }

  /** Copies the list. */
  public ImportOptions {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(into, "into");
    Objects.requireNonNull(gone, "gone");
    excluded = List.copyOf(Objects.requireNonNull(excluded, "excluded"));
    Limits.within("import.readers", readers, 1, MAX_READERS);
  }

  /** All of a directory; what is gone stays in the store. */
  public static ImportOptions of(Path source, CharSequence into) {
    return new ImportOptions(source, parsed("into", into), Gone.KEEP, List.of(), DEFAULT_READERS);
  }

  /** The same with something else done about what is gone. */
  public ImportOptions withGone(Gone other) {
    return new ImportOptions(source, into, other, excluded, readers);
  }

  /** The same without these files. */
  public ImportOptions withExcluded(List<Path> other) {
    return new ImportOptions(source, into, gone, other, readers);
  }

  /** The same with so many threads that read. */
  public ImportOptions withReaders(int other) {
    return new ImportOptions(source, into, gone, excluded, other);
  }
}
