package dev.upcall;

import dev.upcall.content.Permissions;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Objects;
import java.util.Set;

/**
 * How a file is opened for reading and writing. A symbolic link is followed.
 *
 * @param existence what must be or must not be there
 * @param parents whether missing parent directories are made; only when the file may be created
 * @param truncate whether an existing file is emptied; committed at once
 * @param mode permission bits of a file that is created
 */
public record OpenMode(Existence existence, boolean parents, boolean truncate, int mode) {
  /** An existing file. */
  public static final OpenMode EXISTING =
      new OpenMode(Existence.MUST_EXIST, false, false, FileRequest.DEFAULT_FILE_MODE);

  /** An existing file or else a new, empty one. */
  public static final OpenMode CREATE =
      new OpenMode(Existence.ANY, false, false, FileRequest.DEFAULT_FILE_MODE);

  /** A new file. */
  public static final OpenMode CREATE_NEW =
      new OpenMode(Existence.MUST_NOT_EXIST, false, false, FileRequest.DEFAULT_FILE_MODE);

  /** Checks that nothing is missing. */
  public OpenMode {
    Objects.requireNonNull(existence, "existence");
  }

  /** The same, and missing parent directories are made. */
  public OpenMode withParents() {
    return new OpenMode(existence, true, truncate, mode);
  }

  /** The same, and an existing file is emptied. */
  public OpenMode withTruncation() {
    return new OpenMode(existence, parents, true, mode);
  }

  /** The same with other permissions of a file that is created. */
  public OpenMode withPermissions(Set<PosixFilePermission> permissions) {
    Objects.requireNonNull(permissions, "permissions");
    return new OpenMode(existence, parents, truncate, Permissions.mode(permissions));
  }
}
