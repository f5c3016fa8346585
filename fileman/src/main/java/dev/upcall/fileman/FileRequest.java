package dev.upcall.fileman;

/**
 * A change of the namespace as a value. Everything that decides its effect is inside; the time
 * comes with the {@link FileBatch} that carries it. Symbolic links in the middle of a path are
 * always followed.
 *
 * <p>Failures that all may have: {@code NotFound} and {@code NotADirectory} (the way to the name),
 * {@code LinkLoop}, {@code Invalid}.
 */
public sealed interface FileRequest {
  /** Permission bits of a new file. */
  int DEFAULT_FILE_MODE = 0644;

  /** Permission bits of a new directory. */
  int DEFAULT_DIRECTORY_MODE = 0755;

  /** Permission bits of a symbolic link. */
  int SYMBOLIC_LINK_MODE = 0777;

  /** The longest target of a symbolic link, in bytes of UTF-8. */
  int MAX_TARGET_BYTES = 600;

  /** The longest name of a property, in bytes of UTF-8. */
  int MAX_PROPERTY_NAME_BYTES = 255;

  /** The largest value of a property. */
  int MAX_PROPERTY_BYTES = 1024;

  /**
   * Makes or replaces a whole file. Failures: {@code IsADirectory}, {@code AlreadyExists}, {@code
   * Conflict}, {@code TooLarge} (attributes).
   */
  record Put(StorePath path, FileContent content, PutOptions options) implements FileRequest {}

  /**
   * Makes a directory. With {@code parents} missing directories on the way are made too and an
   * existing directory is a success; else {@code AlreadyExists}. Something else under the name is
   * {@code AlreadyExists} (the last name) or {@code NotADirectory} (on the way).
   */
  record CreateDirectory(StorePath path, boolean parents, MetadataChange metadata)
      implements FileRequest {}

  /**
   * Makes a symbolic link. The target is kept as it is, with whatever it contains: 1 to {@link
   * #MAX_TARGET_BYTES} bytes without NUL; it need not exist. Fails with {@code AlreadyExists}.
   */
  record SymbolicLink(StorePath path, String target, MetadataChange metadata)
      implements FileRequest {}

  /**
   * Deletes a file, a symbolic link (not its target) or an empty directory. Failures: {@code
   * DirectoryNotEmpty}; the root is {@code Invalid}.
   */
  record Delete(StorePath path) implements FileRequest {}

  /**
   * Deletes whatever is there with all below it, at once; the space comes back in the background.
   * The root is {@code Invalid}.
   */
  record DeleteTree(StorePath path) implements FileRequest {}

  /**
   * Renames a file, symbolic link or whole directory, atomically and at the cost of one entry. Onto
   * itself it does nothing. A directory cannot go below itself ({@code Invalid}).
   *
   * @param replace whether what is there gives way (a file or link to a file or link, an empty
   *     directory to a directory; else {@code IsADirectory}, {@code NotADirectory}, {@code
   *     DirectoryNotEmpty}); without it {@code AlreadyExists}
   */
  record Rename(StorePath from, StorePath to, boolean replace) implements FileRequest {}

  /** Sets metadata. Failure: {@code TooLarge} (attributes). */
  record SetMetadata(StorePath path, LinkPolicy links, MetadataChange change)
      implements FileRequest {}

  /**
   * Sets a small property of the store, not of a file: a program's own state, committed together
   * with files.
   *
   * @param name well-formed text of 1 to {@link #MAX_PROPERTY_NAME_BYTES} bytes; begin it with the
   *     program's name
   * @param value at most {@link #MAX_PROPERTY_BYTES}; must not be changed
   */
  record SetProperty(String name, byte[] value) implements FileRequest {}

  /** Removes a property; harmless when it is absent. */
  record RemoveProperty(String name) implements FileRequest {}
}
