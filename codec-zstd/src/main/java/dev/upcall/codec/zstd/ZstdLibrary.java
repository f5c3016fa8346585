package dev.upcall.codec.zstd;

import com.github.luben.zstd.util.Native;
import java.util.Optional;

/**
 * The native library: unpacked into the temporary folder of Java and loaded from there when it is
 * first asked for, once for a process.
 */
final class ZstdLibrary {
  private ZstdLibrary() {}

  /** Why it cannot be loaded, in words for users; empty if it is. Any thread; others wait. */
  static Optional<String> refusal() {
    return Loaded.REFUSAL;
  }

  private static final class Loaded {
    private static final Optional<String> REFUSAL = load();

    private static Optional<String> load() {
      try {
        Native.load();
        return Optional.empty();
      } catch (LinkageError refused) {
        return Optional.of(
            ("the library of zstd cannot be unpacked into %s and loaded from there (is it mounted"
                    + " noexec?); start Java with -DZstdTempFolder=FOLDER to name another folder")
                .formatted(folder()));
      } catch (IllegalCallerException refused) {
        Module caller = Native.class.getModule();
        return Optional.of(
            "Java may not load the library of zstd; start it with --enable-native-access="
                + (caller.isNamed() ? caller.getName() : "ALL-UNNAMED"));
      }
    }

    private static String folder() {
      return System.getProperty("ZstdTempFolder", System.getProperty("java.io.tmpdir", ""));
    }
  }
}
