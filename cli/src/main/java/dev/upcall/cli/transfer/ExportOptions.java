package dev.upcall.cli.transfer;

import java.nio.file.Path;

/**
 * What to export, and where to.
 *
 * @param from a path of the store: a directory, whose entries go into {@code target}, or one file
 *     or link, which goes there under its own name
 * @param target a directory of the host, made when missing
 * @param overwrite whether files that are there give way; else they stay and are reported
 * @param writers threads that write files
 */
public record ExportOptions(String from, Path target, boolean overwrite, int writers) {
  /** Threads that write, unless said otherwise. */
  public static final int DEFAULT_WRITERS = 4;
}
