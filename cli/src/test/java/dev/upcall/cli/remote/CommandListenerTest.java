package dev.upcall.cli.remote;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The socket beside a volume, with clients of all kinds. */
class CommandListenerTest {
  private static final int LARGE_BYTES = 64 << 20;

  @TempDir Path here;
  private Path volume;
  private CommandListener listener;

  /** How each command ended: its name and with what. */
  private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();

  private final BlockingQueue<String> begins = new LinkedBlockingQueue<>();
  private final AtomicLong written = new AtomicLong();
  private final AtomicInteger threadsLeft = new AtomicInteger(Integer.MAX_VALUE);

  @BeforeEach
  void listen() throws IOException {
    volume = Files.createFile(here.resolve("v.upcall"));
    listener = CommandListener.open(volume, "a test", this::command, this::start);
  }

  @AfterEach
  void close() throws IOException {
    listener.close();
  }

  /** As a machine does that gives so many threads. */
  private boolean start(String name, Runnable work) {
    if (threadsLeft.getAndDecrement() <= 0) {
      return false;
    }
    Thread.ofPlatform().daemon().name(name).start(work);
    return true;
  }

  private int command(RemoteCall call, RemoteConsole console) {
    String name = call.arguments().getFirst();
    if (name.equals("heeds")) {
      console.endsByItself();
    }
    begins.add(name);
    try {
      int code = run(name, console);
      ends.add(name + " " + code);
      return code;
    } catch (RuntimeException ended) {
      ends.add(name + " " + ended.getMessage());
      throw ended;
    } catch (IOException | InterruptedException failed) {
      ends.add(name + " " + failed.getMessage());
      return 1;
    }
  }

  private int run(String name, RemoteConsole console) throws IOException, InterruptedException {
    return switch (name) {
      case "echo" -> {
        console.in().transferTo(console.out());
        console.out().flush();
        yield 7;
      }
      case "large" -> {
        byte[] piece = new byte[1 << 20];
        for (int sent = 0; sent < LARGE_BYTES; sent += piece.length) {
          console.out().write(piece);
          written.addAndGet(piece.length);
        }
        yield 0;
      }
      case "heeds" -> {
        CountDownLatch asked = new CountDownLatch(1);
        console.whenCancelled(asked::countDown);
        asked.await();
        console.out().write("in order".getBytes(StandardCharsets.UTF_8));
        console.out().flush();
        yield 3;
      }
      case "reads" -> console.in().read();
      default -> throw new IllegalArgumentException(name);
    };
  }

  private RemoteCall call(String name) throws IOException {
    return new RemoteCall(
        List.of(name), "/", "v", CommandSocket.key(volume), false, RemoteCall.Named.NONE);
  }

  private static OwnerConnection.Streams streams(byte[] in, OutputStream out) {
    return new OwnerConnection.Streams(
        new ByteArrayInputStream(in),
        new PrintStream(out, false, StandardCharsets.UTF_8),
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8),
        _ -> {});
  }

  private OwnerConnection connect() throws IOException {
    OwnerConnection connection = OwnerConnection.open(volume);
    assertNotNull(connection);
    return connection;
  }

  private SocketChannel raw() throws IOException {
    return SocketChannel.open(UnixDomainSocketAddress.of(CommandSocket.of(volume)));
  }

  private String next(BlockingQueue<String> queue) throws InterruptedException {
    String next = queue.poll(120, TimeUnit.SECONDS);
    assertNotNull(next);
    return next;
  }

  /** It works as ever, and nobody is left. */
  private void assertWell() throws Exception {
    assertTrue(listener.drain(Duration.ofSeconds(120), () -> false));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] in = new byte[300_000];
    new Random(1).nextBytes(in);
    try (OwnerConnection connection = connect()) {
      assertEquals(OptionalInt.of(7), connection.run(call("echo"), streams(in, out)));
    }
    assertArrayEquals(in, out.toByteArray());
  }

  @Test
  void whatACommandReadsAndWritesIsTheClients() throws Exception {
    assertWell();
  }

  /** A command takes two threads. */
  @Test
  void run_withoutThreads_isRefusedAndLaterOnesAreServed() throws Exception {
    for (int given = 0; given < 2; given++) {
      threadsLeft.set(given);
      try (OwnerConnection connection = connect()) {
        IOException refused =
            assertThrows(
                IOException.class,
                () ->
                    connection.run(
                        call("echo"), streams(new byte[9], new ByteArrayOutputStream())));
        assertEquals(CommandListener.NO_THREAD, refused.getMessage());
      }
      threadsLeft.set(Integer.MAX_VALUE);
      assertWell();
    }
  }

  @Test
  void aClientThatDiesEndsItsCommand() throws Exception {
    for (String name : List.of("echo", "large", "reads")) {
      SocketChannel client = raw();
      new FrameChannel(client).send(new Frame(Frame.Kind.CALL, call(name).encoded()));
      assertEquals(name, next(begins));
      client.close();
      assertEquals(name + " the client has gone", next(ends));
    }
    SocketChannel client = raw();
    new FrameChannel(client).send(new Frame(Frame.Kind.CALL, call("heeds").encoded()));
    assertEquals("heeds", next(begins));
    client.close();
    assertEquals("heeds 3", next(ends));
    begins.clear();
    assertWell();
  }

  @Test
  void aClientThatDoesNotReadHoldsOnlyItself() throws Exception {
    try (SocketChannel client = raw()) {
      FrameChannel frames = new FrameChannel(client);
      frames.send(new Frame(Frame.Kind.CALL, call("large").encoded()));
      assertEquals("large", next(begins));
      long before = -1;
      while (before != written.get()) {
        before = written.get();
        assertNull(ends.poll(300, TimeUnit.MILLISECONDS));
      }
      assertTrue(before < LARGE_BYTES / 8, before + " bytes are kept for it");
      try (OwnerConnection other = connect()) {
        assertEquals(
            OptionalInt.of(7),
            other.run(call("echo"), streams(new byte[9], OutputStream.nullOutputStream())));
      }
      assertEquals("echo 7", next(ends));
      long got = 0;
      for (Frame frame = frames.receive(); frame != null; frame = frames.receive()) {
        got += frame.kind() == Frame.Kind.OUT ? frame.bytes().length : 0;
      }
      assertEquals(LARGE_BYTES, got);
      assertEquals("large 0", next(ends));
    }
  }

  @Test
  void aCancelledCommandEndsAtOnceOrInOrder() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OwnerConnection connection = connect()) {
      Thread asking =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      next(begins);
                    } catch (InterruptedException never) {
                      throw new IllegalStateException(never);
                    }
                    connection.cancel();
                  });
      assertEquals(OptionalInt.of(3), connection.run(call("heeds"), streams(new byte[0], out)));
      asking.join();
    }
    assertEquals("in order", out.toString(StandardCharsets.UTF_8));
    SocketChannel client = raw();
    FrameChannel frames = new FrameChannel(client);
    frames.send(new Frame(Frame.Kind.CALL, call("reads").encoded()));
    assertEquals("reads", next(begins));
    frames.send(Frame.of(Frame.Kind.CANCEL));
    assertEquals("heeds 3", next(ends));
    assertEquals("reads the client has gone", next(ends));
    client.close();
    assertWell();
  }

  @Test
  void anOwnerThatEndsTakesItsCommandsAlong() throws Exception {
    SocketChannel client = raw();
    FrameChannel frames = new FrameChannel(client);
    frames.send(new Frame(Frame.Kind.CALL, call("large").encoded()));
    assertEquals("large", next(begins));
    listener.close();
    assertEquals("large the client has gone", next(ends));
    assertEquals(0, listener.running());
    assertNull(OwnerConnection.open(volume));
    client.close();
  }

  @Test
  void aClientHearsThatItsOwnerHasDied() throws Exception {
    try (OwnerConnection connection = connect()) {
      Thread ending =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      next(begins);
                      listener.close();
                    } catch (IOException | InterruptedException never) {
                      throw new IllegalStateException(never);
                    }
                  });
      InputStream endless =
          new InputStream() {
            @Override
            public int read() {
              return 0;
            }
          };
      OwnerConnection.Streams streams =
          new OwnerConnection.Streams(
              endless,
              new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8),
              new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8),
              _ -> {});
      IOException told =
          assertThrows(IOException.class, () -> connection.run(call("echo"), streams));
      assertTrue(told.getMessage().contains("ended before this command"), told::getMessage);
      ending.join();
    }
  }

  @Test
  void badBytesAreRefusedAndDoNoHarm() throws Exception {
    List<byte[]> hostile = new ArrayList<>();
    Random random = new Random(7);
    for (int i = 0; i < 200; i++) {
      byte[] bytes = new byte[random.nextInt(1, 2_000)];
      random.nextBytes(bytes);
      hostile.add(bytes);
    }
    byte[] good = frame(Frame.Kind.CALL, call("echo").encoded());
    for (int i = 0; i < good.length; i++) {
      byte[] changed = good.clone();
      changed[i] ^= (byte) (1 << random.nextInt(8));
      hostile.add(changed);
      hostile.add(Arrays.copyOf(good, i));
    }
    hostile.add(frame(Frame.Kind.INPUT, new byte[9]));
    hostile.add(frame(Frame.Kind.CALL, new byte[RemoteCall.MAX_BYTES]));
    hostile.add("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    for (byte[] bytes : hostile) {
      try (SocketChannel client = raw()) {
        client.write(ByteBuffer.wrap(bytes));
        client.shutdownOutput();
        readToTheEnd(client);
      } catch (IOException reset) {
        // It was told to go before it had said everything.
      }
    }
    assertWell();
  }

  @Test
  void aFrameThatNobodyAskedForEndsTheCommand() throws Exception {
    for (Frame.Kind kind : List.of(Frame.Kind.CALL, Frame.Kind.INPUT, Frame.Kind.OUT)) {
      try (SocketChannel client = raw()) {
        FrameChannel frames = new FrameChannel(client);
        frames.send(new Frame(Frame.Kind.CALL, call("large").encoded()));
        assertEquals("large", next(begins));
        frames.send(new Frame(kind, new byte[3]));
        assertEquals("large the client has gone", next(ends));
      }
    }
    assertWell();
  }

  @Test
  void otherVersionsAndLargeCallsAreToldSo() throws Exception {
    byte[] other = call("echo").encoded();
    other[7]++;
    try (SocketChannel client = raw()) {
      FrameChannel frames = new FrameChannel(client);
      frames.send(new Frame(Frame.Kind.CALL, other));
      Frame told = frames.receive();
      assertNotNull(told);
      assertEquals(Frame.Kind.REFUSED, told.kind());
      assertTrue(told.text().contains("use the same upcall"), told::text);
      assertNull(frames.receive());
    }
    RemoteCall large =
        new RemoteCall(
            List.of("x".repeat(RemoteCall.MAX_BYTES)), "/", "v", "k", false, RemoteCall.Named.NONE);
    assertTrue(assertThrows(IOException.class, large::encoded).getMessage().contains("too long"));
    assertWell();
  }

  @Test
  void thereAreNoMoreClientsThanPlaces() throws Exception {
    List<SocketChannel> clients = new ArrayList<>();
    for (int i = 0; i < CommandListener.MAX_CLIENTS; i++) {
      SocketChannel client = raw();
      clients.add(client);
      new FrameChannel(client).send(new Frame(Frame.Kind.CALL, call("reads").encoded()));
      assertEquals("reads", next(begins));
    }
    OwnerConnection.Streams streams = streams(new byte[0], OutputStream.nullOutputStream());
    // Often, since it is refused before, while or after it says what it wants.
    for (int i = 0; i < 200; i++) {
      try (OwnerConnection connection = connect()) {
        String told =
            assertThrows(IOException.class, () -> connection.run(call("echo"), streams))
                .getMessage();
        assertTrue(told.contains("32 commands already"), told);
      }
    }
    for (SocketChannel client : clients) {
      client.close();
    }
    assertWell();
  }

  @Test
  void whoSaysNothingIsNotWaitedForLong() throws Exception {
    try (SocketChannel silent = raw()) {
      readToTheEnd(silent);
    }
    assertWell();
  }

  @Test
  void aPathThatDoesNotFitIntoAnAddressIsToldSo() throws IOException {
    Path deep = Files.createDirectories(here.resolve("d".repeat(120)));
    Path far = Files.createFile(deep.resolve("v.upcall"));
    IOException told =
        assertThrows(IOException.class, () -> CommandListener.open(far, "a test", this::command));
    assertTrue(told.getMessage().contains("at most 106 bytes"), told::getMessage);
    assertNull(OwnerConnection.open(far));
    assertFalse(Files.exists(CommandSocket.unfinished(far)));
  }

  private static byte[] frame(Frame.Kind kind, byte[] bytes) {
    return ByteBuffer.allocate(Frame.HEAD_BYTES + bytes.length)
        .put(kind.code())
        .putInt(bytes.length)
        .put(bytes)
        .array();
  }

  private static void readToTheEnd(SocketChannel client) {
    ByteBuffer some = ByteBuffer.allocate(4096);
    try {
      while (client.read(some.clear()) >= 0) {
        assertTrue(some.position() > 0);
      }
    } catch (IOException reset) {
      // Cut off: the end, too.
    }
  }
}
