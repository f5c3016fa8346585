package dev.upcall.cli.practice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.cli.serve.WebServer;
import dev.upcall.httpd.HttpConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that a server asks of itself. */
class PracticeTest {
  private static final UpcallConfig SMALL =
      UpcallConfig.DEFAULT.withMemoryBytes(24L << 20).withCapBytes(64L << 20);

  @TempDir Path here;

  @Test
  void whatIsDueIsAnsweredAndNoFileStays() throws IOException {
    try (Upcall store = Upcall.create(here.resolve("s.upcall"), SMALL);
        WebServer server = serve(store, /* writable= */ true)) {
      Practice.once(server.address(), 2);
      assertEquals(List.of(), store.list("/", 10).entries());
    }
  }

  @Test
  void anotherAnswerIsAFailure() throws IOException {
    try (Upcall store = Upcall.create(here.resolve("s.upcall"), SMALL);
        WebServer server = serve(store, /* writable= */ false)) {
      assertThrows(ProtocolException.class, () -> Practice.once(server.address(), 1));
    }
  }

  private static WebServer serve(Upcall store, boolean writable) {
    return WebServer.open(
        store,
        null,
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        HttpConfig.defaults().withWritable(writable));
  }
}
