package dev.upcall.content;

import java.nio.file.attribute.PosixFilePermission;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/** The nine lowest permission bits under the names that the JDK has for them. */
public final class Permissions {
  private static final int HIGHEST = 0400;

  private Permissions() {}

  /** Those that bits grant, the owner's first; other bits say nothing here. */
  public static Set<PosixFilePermission> of(int mode) {
    EnumSet<PosixFilePermission> granted = EnumSet.noneOf(PosixFilePermission.class);
    int bit = HIGHEST;
    for (PosixFilePermission permission : PosixFilePermission.values()) {
      if ((mode & bit) != 0) {
        granted.add(permission);
      }
      bit >>= 1;
    }
    return Collections.unmodifiableSet(granted);
  }

  /** The bits that grant these. */
  public static int mode(Collection<PosixFilePermission> permissions) {
    Objects.requireNonNull(permissions, "permissions");
    int mode = 0;
    int bit = HIGHEST;
    for (PosixFilePermission permission : PosixFilePermission.values()) {
      if (permissions.contains(permission)) {
        mode |= bit;
      }
      bit >>= 1;
    }
    return mode;
  }
}
