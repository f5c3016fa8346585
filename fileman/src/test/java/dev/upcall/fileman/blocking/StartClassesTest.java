package dev.upcall.fileman.blocking;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The list of classes that a start reads ahead is what starts come to. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StartClassesTest {
  private static final Path LIST =
      Path.of("src/main/resources/dev/upcall/fileman/blocking", StartClasses.LIST);

  /** What is loaded up to here is there before another thread could bring it. */
  private static final String FIRST = "dev.upcall.io.volume.NettyReactor";

  @TempDir Path folder;

  @Test
  void theListIsWhatStartsLoad() throws Exception {
    Set<String> loaded = new LinkedHashSet<>();
    loaded.addAll(start("created"));
    loaded.addAll(start("opened"));
    assertTrue(loaded.size() > 300, loaded::toString);
    if (Boolean.getBoolean("upcall.docs.write")) {
      Files.createDirectories(LIST.getParent());
      Files.writeString(LIST, String.join("\n", loaded) + "\n");
    }
    Set<String> listed = new LinkedHashSet<>(Files.readAllLines(LIST, US_ASCII));
    assertMostAreIn(listed, loaded, "listed, but not loaded");
    assertMostAreIn(loaded, listed, "loaded, but not listed");
  }

  /** A class more or less does not matter: then one is read early in vain, or late. */
  private static void assertMostAreIn(Set<String> these, Set<String> those, String what) {
    List<String> others = these.stream().filter(name -> !those.contains(name)).toList();
    assertTrue(
        others.size() * 10 < these.size(),
        () -> what + "; write the list anew with -Dupcall.docs.write=true: " + others);
  }

  /** Names of the classes of ours that a start loads without help, in their order. */
  private List<String> start(String what) throws IOException, InterruptedException {
    Path log = folder.resolve(what + ".log");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:ActiveProcessorCount=1",
            "-Xlog:class+load:file=" + log + ":none",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            classPath(),
            Child.class.getName(),
            folder.resolve("volume.upcall").toString(),
            what);
    assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
    List<String> names = new ArrayList<>();
    boolean begun = false;
    for (String line : Files.readAllLines(log, UTF_8)) {
      String name = line.substring(0, line.indexOf(' '));
      begun |= name.equals(FIRST);
      if (name.equals(Written.class.getName())) {
        return names;
      }
      if (begun && isOurs(name)) {
        names.add(name);
      }
    }
    return fail("nothing was written: " + names);
  }

  /** Those that the build made of lambdas have numbers for names, which change with the code. */
  private static boolean isOurs(String name) {
    return name.startsWith("dev.upcall.")
        && !name.contains("$$")
        && !name.startsWith(StartClassesTest.class.getName());
  }

  private static String classPath() {
    String surefire = System.getProperty("surefire.test.class.path");
    return surefire == null ? System.getProperty("java.class.path") : surefire;
  }

  /** What runs in the other JVM. */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) {
      try (Upcall store = Upcall.openOrCreate(Path.of(arguments[0]), UpcallConfig.DEFAULT)) {
        store.write("/" + arguments[1], new byte[4096]);
        Written.say();
      }
    }
  }

  /** Is loaded when the write is durable: closing can wait for its classes. */
  static final class Written {
    private Written() {}

    static void say() {
      System.out.println("written");
    }
  }
}
