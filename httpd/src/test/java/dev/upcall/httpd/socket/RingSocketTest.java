package dev.upcall.httpd.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.SystemClock;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.volume.NettyReactor;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.unix.UnixChannel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Sockets of a ring against Java's own. Where there is no ring there are none, and no more to see.
 */
@Timeout(180)
class RingSocketTest {
  private static final int RECEIVE_BYTES = 16 << 10;
  private static final int LARGE_BYTES = 20_000_000;
  private static final int NO_DESCRIPTOR = -1;

  private final BlockingQueue<Served> served = new LinkedBlockingQueue<>();
  private @Nullable Server server;

  /** A test over a server, which is closed behind it. */
  private interface Course {
    void run(Server on) throws Exception;
  }

  private void withServer(Course course) throws Exception {
    if (NettyReactor.ringUnavailable() == null) {
      Server opened = new Server();
      server = opened;
      course.run(opened);
    }
  }

  @AfterEach
  void end() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  private Served next() throws InterruptedException {
    return served.take();
  }

  private static void nothing() {}

  private static byte[] noise(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  @Test
  void whatComesArrivesInOrderFirstLittleThenMuch() throws Exception {
    withServer(
        on -> {
          byte[] bytes = noise(LARGE_BYTES);
          try (Socket client = on.connect()) {
            client.getOutputStream().write(bytes);
            client.shutdownOutput();
            Served one = next();
            assertArrayEquals(bytes, one.ended.get());
            assertEquals(InetAddress.getLoopbackAddress(), on.call(one.socket::peer));
            assertTrue(one.sizes.getFirst() < SocketMemory.PIECE_BYTES, "first " + one.sizes);
            int most = one.sizes.stream().mapToInt(Integer::intValue).max().getAsInt();
            assertEquals(RECEIVE_BYTES, most);
          }
        });
  }

  @Test
  void whatIsSentInPiecesArrivesInOrderAlsoWhenTheReaderWaits() throws Exception {
    withServer(
        on -> {
          byte[] bytes = noise(LARGE_BYTES);
          try (Socket client = on.connect()) {
            Served one = next();
            on.run(() -> one.send(bytes));
            InputStream in = client.getInputStream();
            assertArrayEquals(Arrays.copyOf(bytes, 1000), in.readNBytes(1000));
            assertArrayEquals(
                Arrays.copyOfRange(bytes, 1000, bytes.length), in.readNBytes(bytes.length - 1000));
            on.run(one.socket::finishOutput);
            assertEquals(-1, in.read());
          }
        });
  }

  @Test
  void oneThatEndsItsOutputStillGetsAnAnswer() throws Exception {
    withServer(
        on -> {
          try (Socket client = on.connect()) {
            client.shutdownOutput();
            Served one = next();
            assertEquals(0, one.ended.get().length);
            on.run(() -> one.send(new byte[] {1, 2, 3}));
            assertArrayEquals(new byte[] {1, 2, 3}, client.getInputStream().readNBytes(3));
          }
        });
  }

  @Test
  void closingTellsTheEndOnceAndThePeerSeesIt() throws Exception {
    withServer(
        on -> {
          try (Socket client = on.connect()) {
            Served one = next();
            on.run(
                () -> {
                  one.socket.close();
                  one.socket.close();
                  assertNull(one.socket.peer(), "its descriptor may be another's by now");
                });
            one.closed.get();
            assertEquals(-1, client.getInputStream().read());
          }
        });
  }

  @Test
  void closingUnderASendThatWaitsForRoom() throws Exception {
    withServer(
        on -> {
          try (Socket client = on.connect()) {
            Served one = next();
            on.run(() -> one.send(noise(LARGE_BYTES)));
            assertTrue(client.getInputStream().read() >= 0);
            on.run(one.socket::close);
            one.closed.get();
          }
        });
  }

  @Test
  void aPeerThatIsGoneEndsTheSocket() throws Exception {
    withServer(
        on -> {
          Socket waits = on.connect();
          Served receiving = next();
          waits.setSoLinger(true, 0);
          waits.close();
          receiving.closed.get();

          Socket reads = on.connect();
          Served sending = next();
          on.run(() -> sending.send(noise(LARGE_BYTES)));
          assertTrue(reads.getInputStream().read() >= 0);
          reads.setSoLinger(true, 0);
          reads.close();
          sending.closed.get();
        });
  }

  @Test
  void connectionsWaitInTheKernelWhileNoneAreAccepted() throws Exception {
    withServer(
        on -> {
          on.run(() -> on.acceptor.accepting(false));
          on.run(RingSocketTest::nothing); // behind the turn that has told the kernel
          List<Socket> waiting = new ArrayList<>();
          for (int i = 0; i < 5; i++) {
            waiting.add(on.connect());
          }
          on.run(RingSocketTest::nothing);
          assertTrue(served.isEmpty());
          on.run(() -> on.acceptor.accepting(true));
          for (int i = 0; i < waiting.size(); i++) {
            next();
          }
          for (Socket client : waiting) {
            client.close();
          }
        });
  }

  @Test
  void behindItsEndNobodyIsAccepted() throws Exception {
    withServer(
        on -> {
          CompletableFuture<Void> over = new CompletableFuture<>();
          CompletableFuture<Void> again = new CompletableFuture<>();
          on.run(() -> on.acceptor.close(() -> over.complete(null)));
          over.get();
          on.run(() -> on.acceptor.close(() -> again.complete(null)));
          again.get();
          on.listening.close().sync();
          assertThrows(IOException.class, on::connect);
        });
  }

  @Test
  void whereAcceptingFailsItRestsAndCanBeClosed() throws Exception {
    withServer(
        on -> {
          CompletableFuture<Void> over = new CompletableFuture<>();
          RingAcceptor failing =
              on.call(
                  () ->
                      new RingSockets(on.dispatcher, on.reactor, RECEIVE_BYTES)
                          .acceptor(NO_DESCRIPTOR, socket -> assertTrue(socket == null)));
          on.run(() -> failing.accepting(true));
          on.run(RingSocketTest::nothing);
          on.run(() -> failing.close(() -> over.complete(null)));
          over.get();
        });
  }

  @Test
  void theLoopsEndLetsGoOfAllThatIsOpen() throws Exception {
    withServer(
        on -> {
          try (Socket idle = on.connect();
              Socket reads = on.connect()) {
            Served one = next();
            Served other = next();
            on.run(() -> other.send(noise(LARGE_BYTES)));
            on.close();
            server = null;
            one.left.get();
            other.left.get();
            assertTrue(idle.isConnected() && reads.isConnected());
          }
        });
  }

  @Test
  void manyComeAndGo() throws Exception {
    withServer(
        on -> {
          for (int round = 0; round < 20; round++) {
            List<Socket> clients = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
              clients.add(on.connect());
            }
            for (Socket client : clients) {
              client.getOutputStream().write(new byte[] {1, 2});
              client.shutdownOutput();
            }
            for (int i = 0; i < clients.size(); i++) {
              Served one = next();
              assertArrayEquals(new byte[] {1, 2}, one.ended.get());
              on.run(one.socket::close);
              one.closed.get();
            }
            for (Socket client : clients) {
              assertEquals(-1, client.getInputStream().read());
              client.close();
            }
          }
        });
  }

  /** What the owner of a socket has seen; the futures are for the test's thread. */
  private static final class Served implements RingSocket.Owner {
    private final RingSocket socket;
    private final ByteArrayOutputStream got = new ByteArrayOutputStream();
    private final List<Integer> sizes = new ArrayList<>();
    private final CompletableFuture<byte[]> ended = new CompletableFuture<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private final CompletableFuture<Void> left = new CompletableFuture<>();

    private ByteBuffer sending = ByteBuffer.allocateDirect(0);

    private Served(RingSocket socket) {
      this.socket = socket;
      socket.own(this);
      socket.receive();
    }

    private void send(byte[] bytes) {
      sending = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
      goOn();
    }

    /** In as many pieces as there can be, of different sizes. */
    private void goOn() {
      int pieces = 0;
      int at = sending.position();
      while (pieces < RingSocket.MAX_PIECES && at < sending.limit()) {
        int skip = Math.min(at, 3);
        int size = Math.min(1 + pieces * 10_000, sending.limit() - at);
        socket.piece(pieces++, sending.slice(at - skip, size + skip), skip);
        at += size;
      }
      socket.send(pieces);
      // While the kernel has yet to read which pieces they are.
      InetAddress _ = socket.peer();
    }

    @Override
    public void arrived(ByteBuf bytes) {
      byte[] copy = new byte[bytes.readableBytes()];
      bytes.readBytes(copy).release();
      sizes.add(copy.length);
      got.writeBytes(copy);
      socket.receive();
    }

    @Override
    public void inputEnded() {
      ended.complete(got.toByteArray());
    }

    @Override
    public void sent(int bytes) {
      sending.position(sending.position() + bytes);
      if (sending.hasRemaining()) {
        goOn();
      }
    }

    @Override
    public void closed() {
      assertTrue(closed.complete(null), "the end was told twice");
    }

    @Override
    public void abandoned() {
      assertTrue(left.complete(null), "the end was told twice");
    }
  }

  /** A dispatcher on a thread of its own, and a socket that listens. */
  private final class Server {
    private final NettyReactor reactor = NettyReactor.create(NettyReactor.Transport.IO_URING);
    private final Dispatcher dispatcher = new Dispatcher(new SystemClock(), reactor);
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final Channel listening;
    private final RingAcceptor acceptor;

    private Server() throws Exception {
      Thread.ofPlatform()
          .start(
              () -> {
                try {
                  dispatcher.run();
                  dispatcher.close();
                  end.complete(null);
                } catch (Throwable error) {
                  end.completeExceptionally(error);
                }
              });
      ServerBootstrap bootstrap =
          new ServerBootstrap()
              .group(reactor.eventLoop())
              .channel(reactor.serverChannelClass())
              .option(ChannelOption.AUTO_READ, false)
              .childHandler(new ChannelInboundHandlerAdapter());
      listening =
          call(() -> bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
              .sync()
              .channel();
      acceptor = call(this::accept);
    }

    private RingAcceptor accept() {
      RingSockets sockets = new RingSockets(dispatcher, reactor, RECEIVE_BYTES);
      int fd = ((UnixChannel) listening).fd().intValue();
      RingAcceptor accepting =
          sockets.acceptor(fd, socket -> assertTrue(served.offer(new Served(socket))));
      accepting.accepting(true);
      return accepting;
    }

    private Socket connect() throws IOException {
      InetSocketAddress address = (InetSocketAddress) listening.localAddress();
      return new Socket(address.getAddress(), address.getPort());
    }

    private <T> T call(Supplier<T> work) throws Exception {
      CompletableFuture<T> result = new CompletableFuture<>();
      dispatcher.execute(() -> result.complete(work.get()));
      return result.get();
    }

    private void run(Runnable work) throws Exception {
      call(
          () -> {
            work.run();
            return true;
          });
    }

    /** Also under sockets that are open: the loop lets go of them. */
    private void close() throws Exception {
      dispatcher.stop();
      end.get(120, TimeUnit.SECONDS);
    }
  }
}
