package dev.upcall.httpd.resumable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Listing;
import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.httpd.BufferLeakCheck;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.LiveServer;
import dev.upcall.httpd.ResumableUploads;
import dev.upcall.httpd.ServerKind;
import dev.upcall.httpd.SessionWorld;
import dev.upcall.httpd.SitePage;
import dev.upcall.httpd.TlsConfig;
import dev.upcall.httpd.session.SimConnection;
import dev.upcall.httpd.tls.TestTls;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Resumable uploads over each kind of connection. */
class HttpResumableTest {
  private static ServerKind sockets() {
    return ServerKind.RING.isHere() ? ServerKind.RING : ServerKind.EPOLL;
  }

  @Nested
  @ExtendWith(BufferLeakCheck.class)
  class OfSessions extends HttpResumableBehaviour<SessionWorld> {
    @Override
    public SessionWorld newWorld(HttpConfig config) {
      return new SessionWorld(1, config);
    }

    private int unfinished() {
      List<Completion<SitePage>> listed = new ArrayList<>();
      world.site.list(ResumableUploads.PLACE, "", 10, listed::add);
      world.runUntil(() -> !listed.isEmpty());
      return UpcallException.value(listed.getFirst()).entries().size();
    }

    /** The store has no place for a while, neither for the piece nor for the end of it. */
    @Test
    void aPieceThatWasNotJoinedIsDeletedLater() {
      row("4.4.2", put("/f", "Upload-Complete: ?0\r\n", "abc"), BEGUN, "201");
      SimConnection connection = world.connectReader();
      byte[] all =
          append(3, false, "defghi").replace("{u}", upload()).getBytes(StandardCharsets.ISO_8859_1);
      connection.clientSends(Arrays.copyOf(all, all.length - 3), 1000);
      world.runFor(50_000_000);
      Failure busy = new Failure.Busy("the store");
      world.site.changes.editFailure = busy;
      world.site.changes.deleteFailure = busy;
      connection.clientSends(Arrays.copyOfRange(all, all.length - 3, all.length), 1000);
      connection.clientEnds();
      world.runFor(500_000_000);
      assertEquals(2, unfinished());
      world.site.changes.editFailure = null;
      world.site.changes.deleteFailure = null;
      world.runUntil(connection::closedReported);
      assertTrue(connection.clientGotText().contains(" 503 "), connection::clientGotText);
      assertEquals(1, unfinished());
      row("4.5.2", ask("HEAD"), "204; Upload-Offset: 3");
    }

    @Test
    void moreThanCanBeCountedIsTooMuch() {
      world.site.directory(ResumableUploads.PLACE.toString());
      for (int i = 0; i < Listing.MAX_ENTRIES; i++) {
        world.site.file(ResumableUploads.PLACE + "/" + i, "");
      }
      row("10", put("/f", "Upload-Complete: ?0\r\n", "abc"), "503");
    }
  }

  @Nested
  @ExtendWith(BufferLeakCheck.class)
  class OfSockets extends HttpResumableBehaviour<LiveServer> {
    @Override
    public LiveServer newWorld(HttpConfig config) {
      return new LiveServer(sockets(), config);
    }
  }

  @Nested
  @ExtendWith(BufferLeakCheck.class)
  class OfDispatchers extends HttpResumableBehaviour<LiveServer> {
    @Override
    public LiveServer newWorld(HttpConfig config) {
      boolean ring = ServerKind.DISPATCHERS.isHere();
      return new LiveServer(ring ? ServerKind.DISPATCHERS : ServerKind.EPOLL_DISPATCHERS, config);
    }
  }

  @Nested
  @ExtendWith(BufferLeakCheck.class)
  class OverTls extends HttpResumableBehaviour<LiveServer> {
    @Override
    public LiveServer newWorld(HttpConfig config) {
      return new LiveServer(sockets(), config, TestTls.server(TlsConfig.Engine.JDK));
    }
  }

  @Nested
  @ExtendWith(BufferLeakCheck.class)
  class OverBoringSslAndASelector extends HttpResumableBehaviour<LiveServer> {
    @Override
    public LiveServer newWorld(HttpConfig config) {
      return new LiveServer(ServerKind.NIO, config, TestTls.server(TlsConfig.Engine.BORINGSSL));
    }
  }
}
