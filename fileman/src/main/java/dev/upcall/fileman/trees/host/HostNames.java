package dev.upcall.fileman.trees.host;

import dev.upcall.StorePath;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Names of the host as Java sees them, which garbles what is no text in the host's encoding. */
public final class HostNames {
  private static final char REPLACEMENT = '\uFFFD';

  private HostNames() {}

  /** Why a store cannot keep an entry's name, or null when it can. */
  public static @Nullable String whatIsWrongWith(Path entry) {
    Path last = entry.getFileName();
    String name = last.toString();
    if (!survives(last, name)) {
      String encoding = System.getProperty("sun.jnu.encoding", "?");
      return encoding.equals("UTF-8")
          ? "the name is not valid UTF-8; rename it"
          : "the name cannot be read under the encoding "
              + encoding
              + "; start with LC_ALL=C.UTF-8 (the upcall script does)";
    }
    return StorePath.whatIsWrongWith(name).orElse(null);
  }

  /** Whether the name leads back to the same bytes. */
  private static boolean survives(Path last, String name) {
    try {
      return last.getFileSystem().getPath(name).equals(last);
    } catch (InvalidPathException unmappable) {
      return false;
    }
  }

  /** Whether a link's target was garbled, or may have been. */
  public static boolean isGarbled(String target) {
    return target.indexOf(REPLACEMENT) >= 0;
  }
}
