package dev.upcall.cli.remote;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A folder of the host as one process sees it. Two processes that see the same agree on every file
 * below it. A process in another mount namespace, container or chroot may see another folder under
 * the same name, or the same one with something else mounted inside.
 *
 * @param path its name, absolute
 * @param key the device and inode of the folder, or of the nearest folder above it that exists,
 *     with the names that are missing below that
 * @param mounts what is mounted inside, one mount a line: device, root and place
 */
public record HostFolder(String path, String key, String mounts) {
  private static final Path MOUNTS = Path.of("/proc/self/mountinfo");

  /**
   * Columns of {@link #MOUNTS}: major and minor number, the root in that file system, the place.
   */
  private static final int DEVICE = 2;

  private static final int ROOT = 3;
  private static final int PLACE = 4;

  /** None. */
  public static final HostFolder NONE = new HostFolder("", "", "");

  /** Looks at a folder, which need not exist. */
  public static HostFolder of(Path folder) throws IOException {
    Path absolute = folder.toAbsolutePath();
    Path there = absolute;
    while (!Files.exists(there) && there.getParent() != null) {
      there = there.getParent();
    }
    String missing = there.relativize(absolute).toString();
    String key = CommandSocket.key(there) + " " + missing;
    return new HostFolder(absolute.toString(), key, mountsIn(there.toRealPath()));
  }

  /** Without a list of mounts nothing is known to be mounted there: two such processes agree. */
  private static String mountsIn(Path folder) throws IOException {
    if (!Files.isReadable(MOUNTS)) {
      return "unknown";
    }
    String prefix = folder.getParent() == null ? "/" : folder + "/";
    List<String> inside = new ArrayList<>();
    // Names of mounts need not be UTF-8; each byte is a character here.
    String encoded =
        new String(prefix.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    for (String line : Files.readAllLines(MOUNTS, StandardCharsets.ISO_8859_1)) {
      String[] columns = line.split(" ", -1);
      String place = decoded(columns[PLACE]);
      if (place.startsWith(encoded) && place.length() > encoded.length()) {
        inside.add(columns[DEVICE] + " " + columns[ROOT] + " " + place.substring(encoded.length()));
      }
    }
    inside.sort(null);
    return String.join("\n", inside);
  }

  /** The kernel writes blanks, line ends and backslashes as three octal digits. */
  private static String decoded(String column) {
    return column
        .replace("\\040", " ")
        .replace("\\011", "\t")
        .replace("\\012", "\n")
        .replace("\\134", "\\");
  }
}
