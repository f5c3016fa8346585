package dev.upcall.cli.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.httpd.HttpConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that serves a store by state machines loads nothing of the other engine. */
class LoadedEngineTest {
  private static final Pattern OF_THREADS =
      Pattern.compile(".* (dev\\.upcall\\.(threads|locks|httpd\\.blocking)\\.\\S+) source: .*");

  @TempDir Path folder;

  @Test
  void classesOfTheEngineOfThreadsAreLoadedForThatAlone() throws Exception {
    assertEquals(List.of(), loaded(Engine.FSM));
    assertTrue(loaded(Engine.THREADS).contains("dev.upcall.threads.ThreadStore"));
  }

  private List<String> loaded(Engine engine) throws IOException, InterruptedException {
    Path log = folder.resolve(engine + ".log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xlog:class+load:file=" + log,
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName(),
                folder.resolve(engine + ".upcall").toString(),
                engine.name())
            .inheritIO()
            .start();
    assertEquals(0, process.waitFor());
    return Files.readAllLines(log).stream()
        .map(OF_THREADS::matcher)
        .filter(line -> line.matches())
        .map(line -> line.group(1))
        .toList();
  }

  /** Serves a store, asks once, and ends. */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) throws IOException {
      UpcallConfig config =
          UpcallConfig.DEFAULT
              .withMemoryBytes(UpcallConfig.MIN_MEMORY_BYTES)
              .withEngine(Engine.valueOf(arguments[1]));
      InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      try (Upcall store = Upcall.create(Path.of(arguments[0]), config);
          WebServer files = WebServer.open(store, null, any, HttpConfig.defaults());
          WebServer admin =
              WebServer.openAdmin(
                  store,
                  files,
                  new WebServer.Beside(null, null),
                  any,
                  () -> false,
                  Set.of("localhost"))) {
        store.write("/f", new byte[1]);
        read(files.url() + "f");
        read(admin.url() + "metrics");
      }
    }

    private static void read(String url) throws IOException {
      try (var in = URI.create(url).toURL().openStream()) {
        in.readAllBytes();
      }
    }
  }
}
