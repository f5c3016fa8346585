package dev.upcall.nio;

import java.nio.file.CopyOption;
import java.nio.file.LinkOption;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How something is copied or moved.
 *
 * @param replaces whether what is under the target gives way
 * @param attributes whether a copy has the times of its source, too
 * @param follows whether what a link leads to is copied
 * @param atomic whether a move is one step or none
 */
record CopyOptions(boolean replaces, boolean attributes, boolean follows, boolean atomic) {
  /**
   * Of a copy.
   *
   * @throws UnsupportedOperationException for an option that makes no sense
   */
  static CopyOptions ofCopy(CopyOption... given) {
    CopyOptions options =
        of(
            Arrays.stream(given)
                .filter(option -> !isInterruptible(option))
                .toArray(CopyOption[]::new));
    if (options.atomic()) {
      throw new UnsupportedOperationException("Unsupported copy option: ATOMIC_MOVE");
    }
    return options;
  }

  /** That of a package which not every JDK has: an interrupt may end a copy, and never does. */
  private static boolean isInterruptible(@Nullable CopyOption option) {
    return option instanceof Enum<?> one
        && one.name().equals("INTERRUPTIBLE")
        && one.getDeclaringClass().getName().equals("com.sun.nio.file.ExtendedCopyOption");
  }

  /** Of a move; see {@link #ofCopy}. */
  static CopyOptions ofMove(CopyOption... given) {
    CopyOptions options = of(given);
    if (options.attributes()) {
      throw new UnsupportedOperationException("Unsupported copy option: COPY_ATTRIBUTES");
    }
    return options;
  }

  private static CopyOptions of(CopyOption... given) {
    boolean replaces = false;
    boolean attributes = false;
    boolean follows = true;
    boolean atomic = false;
    for (CopyOption option : given) {
      switch (Objects.requireNonNull(option, "option")) {
        case StandardCopyOption.REPLACE_EXISTING -> replaces = true;
        case StandardCopyOption.COPY_ATTRIBUTES -> attributes = true;
        case StandardCopyOption.ATOMIC_MOVE -> atomic = true;
        case LinkOption.NOFOLLOW_LINKS -> follows = false;
        default -> throw new UnsupportedOperationException("Unsupported copy option: " + option);
      }
    }
    return new CopyOptions(replaces, attributes, follows, atomic);
  }
}
