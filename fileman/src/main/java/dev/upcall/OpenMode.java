package dev.upcall;

import dev.upcall.content.Permissions;
import dev.upcall.request.FileRequest;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Objects;
import java.util.Set;

/**
 * How a file is opened for reading and writing. A symbolic link is followed.
 *
 * @param existence what must be or must not be there
 * @param parents what happens when parent directories are missing; only when the file may be
 *     created
 * @param existing what happens to the content of an existing file
 * @param mode permission bits of a file that is created
 */
public record OpenMode(Existence existence, Parents parents, Existing existing, int mode) {
  /** What happens to the content of a file that is there. */
  public enum Existing {
    /** It stays. */
    KEEP,
    /** The file is emptied; that is committed at once. */
    TRUNCATE
  }

  /** An existing file. */
  public static final OpenMode EXISTING =
      new OpenMode(
          Existence.MUST_EXIST, Parents.MUST_EXIST, Existing.KEEP, FileRequest.DEFAULT_FILE_MODE);

  /** An existing file or else a new, empty one. */
  public static final OpenMode CREATE =
      new OpenMode(Existence.ANY, Parents.MUST_EXIST, Existing.KEEP, FileRequest.DEFAULT_FILE_MODE);

  /** A new file. */
  public static final OpenMode CREATE_NEW =
      new OpenMode(
          Existence.MUST_NOT_EXIST,
          Parents.MUST_EXIST,
          Existing.KEEP,
          FileRequest.DEFAULT_FILE_MODE);

  /** Checks that nothing is missing. */
  public OpenMode {
    Objects.requireNonNull(existence, "existence");
    Objects.requireNonNull(parents, "parents");
    Objects.requireNonNull(existing, "existing");
  }

  /** The same, and missing parent directories are made. */
  public OpenMode withParents() {
    return new OpenMode(existence, Parents.MAKE, existing, mode);
  }

  /** The same, and an existing file is emptied. */
  public OpenMode withTruncation() {
    return new OpenMode(existence, parents, Existing.TRUNCATE, mode);
  }

  /** The same with other permissions of a file that is created. */
  public OpenMode withPermissions(Set<PosixFilePermission> permissions) {
    Objects.requireNonNull(permissions, "permissions");
    return new OpenMode(existence, parents, existing, Permissions.mode(permissions));
  }
}
