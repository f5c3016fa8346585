package dev.upcall.guard;

import dev.upcall.UpcallException;
import dev.upcall.base.HostWords;
import dev.upcall.completion.Failure;
import dev.upcall.io.volume.HostText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/** Reads {@link AccessRules} from a file of the host, which nobody but its owner may read. */
public final class AccessFile {
  /** The largest file. */
  public static final int MAX_BYTES = 1 << 20;

  private static final Set<PosixFilePermission> OF_OWNER =
      EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private AccessFile() {}

  /**
   * Reads it. Blocks.
   *
   * @throws UpcallException {@code Invalid} with file, line and reason for a file that has no
   *     rules, is larger than {@link #MAX_BYTES}, or may be used by more than its owner; {@code
   *     Device} with the host's reason
   */
  public static AccessRules read(Path file) {
    Objects.requireNonNull(file, "file");
    try {
      checkMode(file);
      return UpcallException.value(AccessRules.parse(file.toString(), text(file)));
    } catch (IOException failed) {
      throw UpcallException.of(
          new Failure.Device("reading the rules " + file, HostWords.of(failed)));
    }
  }

  private static void checkMode(Path file) throws IOException {
    Set<PosixFilePermission> mode;
    try {
      mode = Files.getPosixFilePermissions(file);
    } catch (UnsupportedOperationException unknown) {
      throw invalid(file, "its file system does not say who may read it");
    }
    if (!OF_OWNER.containsAll(mode)) {
      throw invalid(
          file,
          "others may use it (%s): chmod 600 %s"
              .formatted(PosixFilePermissions.toString(mode), file));
    }
  }

  private static String text(Path file) throws IOException {
    try {
      return HostText.read(file, MAX_BYTES);
    } catch (IllegalArgumentException none) {
      throw invalid(file, String.valueOf(none.getMessage()));
    }
  }

  private static UpcallException invalid(Path file, String reason) {
    return UpcallException.of(new Failure.Invalid(file + ": " + reason));
  }
}
