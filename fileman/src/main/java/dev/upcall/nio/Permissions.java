package dev.upcall.nio;

import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/** Permission bits as the store keeps them, and as the JDK names them. */
final class Permissions {
  private static final PosixFilePermission[] FROM_HIGHEST = PosixFilePermission.values();

  /** Those of the nine bits; the store keeps more, which these do not touch. */
  private static final int BITS = 0777;

  private Permissions() {}

  /** The set that bits stand for. */
  static Set<PosixFilePermission> of(int mode) {
    Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
    for (PosixFilePermission permission : FROM_HIGHEST) {
      if ((mode & bit(permission)) != 0) {
        permissions.add(permission);
      }
    }
    return permissions;
  }

  /** Whether anybody may execute. */
  static boolean areExecutable(Set<PosixFilePermission> permissions) {
    return permissions.contains(PosixFilePermission.OWNER_EXECUTE)
        || permissions.contains(PosixFilePermission.GROUP_EXECUTE)
        || permissions.contains(PosixFilePermission.OTHERS_EXECUTE);
  }

  /** Bits with a set in the place of the nine. */
  static int bits(int mode, Set<PosixFilePermission> permissions) {
    int bits = mode & ~BITS;
    for (PosixFilePermission permission : permissions) {
      bits |= bit(Objects.requireNonNull(permission, "permission"));
    }
    return bits;
  }

  /** The enum begins with the highest bit. */
  private static int bit(PosixFilePermission permission) {
    return 0400 >> permission.ordinal();
  }

  /**
   * The bits with which something is made.
   *
   * @param usual those when nothing is said
   * @throws UnsupportedOperationException for any other attribute
   */
  static int initial(int usual, FileAttribute<?>... attributes) {
    int mode = usual;
    for (FileAttribute<?> attribute : attributes) {
      if (!attribute.name().equals("posix:permissions")
          || !(attribute.value() instanceof Set<?> values)) {
        throw new UnsupportedOperationException(
            "'" + attribute.name() + "' not supported as initial attribute");
      }
      mode = 0;
      for (Object value : values) {
        mode |= bit((PosixFilePermission) Objects.requireNonNull(value, "permission"));
      }
    }
    return mode;
  }
}
