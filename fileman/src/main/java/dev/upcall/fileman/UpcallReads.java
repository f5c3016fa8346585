package dev.upcall.fileman;

import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Everything that can be asked of files without changing them, by callers that wait: of the present
 * state ({@link Upcall}) or of one moment ({@link UpcallSnapshot}). Any threads; failures and waits
 * are as {@link Upcall} describes them.
 */
public interface UpcallReads {
  /** What a path names, symbolic links followed. */
  default FileInfo stat(String path) {
    return stat(path, LinkPolicy.FOLLOW);
  }

  /** What a path names. */
  FileInfo stat(String path, LinkPolicy links);

  /** Whether a path names something, symbolic links followed. */
  boolean exists(String path);

  /** The whole content of a file of at most 1 GiB; {@code TooLarge} otherwise. */
  byte[] readAllBytes(String path);

  /**
   * Opens one version of a file as a stream: later writes do not change what it reads. Must be
   * closed. Used by one thread at a time.
   */
  Upcall.ReadStream read(String path);

  /** A page of a directory; see {@link FileManager#list}. */
  Listing list(String directory, @Nullable String afterName, int limit);

  /** Calls back for every entry of a directory, page by page. */
  void forEach(String directory, Consumer<FileInfo> action);

  /** The target of a symbolic link. */
  String readLink(String path);

  /** A property of the store, if it is set. */
  Optional<byte[]> property(String name);
}
