package dev.upcall.bench.proxy.layout;

import dev.upcall.bench.proxy.trace.RequestTrace;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/** Which of Squid's directories of the second level a file goes into, by their numbers. */
public interface SquidPlaces {
  /** Directories of the first level. */
  int FIRST_LEVEL = 16;

  /** Directories of the second level in each of the first. */
  int SECOND_LEVEL = 256;

  /** Squid 2 puts so many files into a directory before it takes the next. */
  int SUCCESSIVE_FILES = 256;

  /**
   * A directory.
   *
   * @param file in the order in which files are made
   */
  int directory(int file, int object);

  /**
   * Those of a layout.
   *
   * @param second how many directories each of the first level has; a power of two
   */
  static SquidPlaces of(LayoutKind kind, RequestTrace trace, int second) {
    return switch (kind) {
      case SQUID, SQUID_M ->
          (file, object) -> file % FIRST_LEVEL * second + file / FIRST_LEVEL % second;
      case SQUID_2 -> (file, object) -> file / SUCCESSIVE_FILES;
      case SQUID_L, SQUID_ML, SQUID_MLA -> {
        int[] hashes = new int[trace.hosts()];
        Arrays.setAll(hashes, host -> hash(RequestTrace.hostName(host)));
        yield (file, object) -> ofHost(hashes[trace.host(object)], second);
      }
      case CERN -> throw new IllegalArgumentException("CERN's directories come from URLs");
    };
  }

  private static int ofHost(int hash, int second) {
    return (hash & (FIRST_LEVEL - 1)) * second + (hash >>> 4 & (second - 1));
  }

  /** FNV-1a. */
  static int hash(String name) {
    int hash = 0x811c_9dc5;
    for (byte one : name.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (one & 0xff)) * 0x0100_0193;
    }
    return hash;
  }
}
