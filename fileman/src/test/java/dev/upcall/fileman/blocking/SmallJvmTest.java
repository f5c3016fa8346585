package dev.upcall.fileman.blocking;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Failure;
import dev.upcall.fileman.Upcall;
import dev.upcall.fileman.UpcallConfig;
import dev.upcall.fileman.UpcallException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A JVM with little memory opens a store with the default; more than it has is refused in time. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SmallJvmTest {
  private static final int FILES = 60;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"-Xmx32m", "-Xmx64m", "-Xmx128m", "-Xmx1g -XX:MaxDirectMemorySize=48m"})
  void theDefaultOpensAndWorks(String options) throws Exception {
    assertEquals(List.of("done"), child(options, "works"));
  }

  @Test
  void whatDoesNotFitIsRefusedBeforeAFileIsMade() throws Exception {
    List<String> said = child("-Xmx64m", "toomuch");
    assertEquals(1, said.size(), said::toString);
    assertTrue(said.getFirst().contains("give the store " + (64L << 20)), said::toString);
    assertFalse(Files.exists(folder.resolve("volume.upcall")));
    assertFalse(Files.exists(folder.resolve("volume.upcall.new")));
  }

  private List<String> child(String options, String what) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options.split(" ")));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp"));
    String surefire = System.getProperty("surefire.test.class.path");
    command.add(surefire == null ? System.getProperty("java.class.path") : surefire);
    command.addAll(
        List.of(Child.class.getName(), what, folder.resolve("volume.upcall").toString()));
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    int code = process.waitFor();
    List<String> lines = Files.readAllLines(output, UTF_8);
    assertEquals(0, code, lines::toString);
    return lines;
  }

  /** What runs in the other JVM. */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) {
      Path volume = Path.of(arguments[1]);
      if (arguments[0].equals("works")) {
        work(volume);
        System.out.println("done");
      } else {
        try {
          Upcall.create(volume, UpcallConfig.DEFAULT.withMemoryBytes(256 << 20)).close();
        } catch (UpcallException refused) {
          System.out.println(((Failure.Invalid) refused.failure()).message());
        }
      }
    }

    /** Several times what the memory holds. */
    private static void work(Path volume) {
      UpcallConfig config = UpcallConfig.DEFAULT.withCapBytes(1L << 30);
      try (Upcall store = Upcall.openOrCreate(volume, config)) {
        for (int i = 0; i < FILES; i++) {
          store.write("/f" + i, UpcallBehaviour.bytes(i, 2_000_000));
        }
      }
      try (Upcall store = Upcall.open(volume, config)) {
        for (int i = 0; i < FILES; i++) {
          assertArrayEquals(UpcallBehaviour.bytes(i, 2_000_000), store.readAllBytes("/f" + i));
        }
      }
    }
  }
}
