package dev.upcall.cli.transfer;

import dev.upcall.StorePath;
import java.nio.file.Path;
import java.util.List;

/**
 * What to import, and where to.
 *
 * @param source a directory of the host
 * @param into a directory of the store, made when missing
 * @param removeGone whether entries that came from this source and are gone from it are removed
 * @param excluded files of the host that are never imported, under whatever name: the volume itself
 *     and what lies beside it; those that do not exist are ignored
 * @param readers threads that read files
 */
public record ImportOptions(
    Path source, StorePath into, boolean removeGone, List<Path> excluded, int readers) {
  /** Threads that read, unless said otherwise. */
  public static final int DEFAULT_READERS = 4;

  /** Copies the list. */
  public ImportOptions {
    excluded = List.copyOf(excluded);
  }
}
