package dev.upcall.cli.serve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.cli.damage.DamageLines;
import dev.upcall.cli.shell.StopSignal;
import dev.upcall.fsm.DispatcherStoppedException;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.threads.files.ThreadUpcall;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is served when the store's thread dies: the command ends, and says why. */
class DeadStoreTest {
  @TempDir Path here;

  private static final class Bug extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Bug() {
      super("a bug in an upcall");
    }
  }

  @ParameterizedTest
  @EnumSource
  void servingEndsWithTheCause(Engine engine) {
    UpcallConfig config =
        UpcallConfig.DEFAULT.withMemoryBytes(24L << 20).withCapBytes(64L << 20).withEngine(engine);
    Path volume = here.resolve("s.upcall");
    Bug bug = new Bug();
    DispatcherStoppedException dead =
        assertTimeoutPreemptively(
            Duration.ofSeconds(60),
            () -> assertThrows(DispatcherStoppedException.class, () -> serve(volume, config, bug)));
    assertSame(bug, dead.getCause());
    assertTrue(dead.getMessage().contains("a bug in an upcall"), dead::getMessage);
    try (Upcall again = Upcall.open(volume, config)) {
      assertArrayEquals(new byte[] {1}, again.readAllBytes("/f"));
    }
  }

  private static void serve(Path volume, UpcallConfig config, Bug bug) {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (Upcall store = Upcall.create(volume, config);
        WebServer _ = WebServer.open(store, null, any, HttpConfig.defaults())) {
      store.write("/f", new byte[] {1});
      if (store instanceof ThreadUpcall threads) {
        assertThrows(
            DispatcherStoppedException.class,
            () ->
                threads.<Boolean>amongMachines(
                    (files, port) -> {
                      throw bug;
                    }));
      } else {
        store
            .fsm()
            .execute(
                () -> {
                  throw bug;
                });
      }
      ServeCommand.awaitEnd(store, new StopSignal(), new DamageLines(line -> {}));
    }
  }
}
