package dev.upcall.cli.option;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Arguments as Java sees them, which garbles what is no text in the host's encoding: two names
 * would become one. The bytes that were given are known to Linux alone.
 */
public final class Arguments {
  private static final Path GIVEN = Path.of("/proc/self/cmdline");
  private static final char REPLACEMENT = '\uFFFD';

  private Arguments() {}

  /** Refuses what is not the text that this process was started with. */
  public static void check(List<String> args) throws IOException {
    if (args.stream().anyMatch(Arguments::mayBeGarbled)) {
      check(args, Files.readAllBytes(GIVEN));
    }
  }

  /** Refuses what is not the text of the last ones of a process's arguments, each ended by NUL. */
  public static void check(List<String> args, byte[] given) {
    List<byte[]> all = new ArrayList<>();
    int begin = 0;
    for (int i = 0; i < given.length; i++) {
      if (given[i] == 0) {
        all.add(Arrays.copyOfRange(given, begin, i));
        begin = i + 1;
      }
    }
    List<byte[]> last = all.subList(all.size() - args.size(), all.size());
    for (int i = 0; i < args.size(); i++) {
      if (!args.get(i).equals(text(last.get(i), args.get(i)))) {
        throw CommandFailure.usage(
            "'%s' cannot be read under the encoding %s; start with LC_ALL=C.UTF-8 (the upcall script does)"
                .formatted(args.get(i), System.getProperty("sun.jnu.encoding", "?")));
      }
    }
  }

  /** Whether Java may have made it of something else. */
  public static boolean mayBeGarbled(String text) {
    return text.indexOf(REPLACEMENT) >= 0;
  }

  private static String text(byte[] given, String shown) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(given)).toString();
    } catch (CharacterCodingException noText) {
      throw CommandFailure.usage(
          "'%s' is not valid UTF-8, and names in a store are; rename it, or name it otherwise"
              .formatted(shown));
    }
  }
}
