package dev.upcall.httpd.session;

import dev.upcall.base.Invariants;
import dev.upcall.content.ContentSlice;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.sim.SimReactor;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A connection without a network: a kernel buffer of bounded size that takes writes in parts, a
 * client that reads as slowly as it likes, bytes that arrive in fragments, resets at any moment,
 * which the session hears of when it reads or writes. Everything comes from one seed and happens on
 * the simulated clock.
 */
public final class SimConnection implements SocketConnection {
  private static final class Write {
    private final ByteBuf bytes;
    private final @Nullable ContentSlice slice;
    private final int size;

    private Write(ByteBuf bytes, @Nullable ContentSlice slice) {
      this.bytes = bytes;
      this.slice = slice;
      this.size = bytes.readableBytes();
    }
  }

  private final Dispatcher dispatcher;
  private final SimReactor reactor;
  private final SplittableRandom random;
  private final int kernelBytes;
  private final ArrayDeque<Write> writes = new ArrayDeque<>();
  private final ArrayDeque<byte[]> toServer = new ArrayDeque<>();
  private final ByteArrayOutputStream toClient = new ByteArrayOutputStream();
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final ByteBuf kernel = Unpooled.buffer();
  private @Nullable Listener session;
  private @Nullable SimTlsClient tls;
  private int tlsFragment = Integer.MAX_VALUE;
  private boolean reading = true;
  private boolean readsAll;
  private Runnable whenClientReads = () -> {};
  private boolean clientEnded;
  private boolean endReported;
  private boolean serverEnded;
  private boolean broken;
  private boolean gone;
  private boolean closedReported;
  private int writesToReport;
  private long takenBytes;

  /** Bytes that have come to the session. */
  public long deliveredBytes;

  /** Bytes of writes that were not taken yet, at most so far. */
  public long waitingMost;

  public SimConnection(
      Dispatcher dispatcher, SimReactor reactor, SplittableRandom random, int kernelBytes) {
    this.dispatcher = dispatcher;
    this.reactor = reactor;
    this.random = random;
    this.kernelBytes = kernelBytes;
  }

  /** Where the session's buffers and those of what arrives come from. */
  public ByteBufAllocator buffers = UnpooledByteBufAllocator.DEFAULT;

  @Override
  public void listen(Listener listener) {
    session = listener;
  }

  /** Bytes come from the beginning. */
  @Override
  public void begin() {}

  @Override
  public void refuse() {
    vanish();
  }

  // ---- the client's side

  /** Sends bytes, which arrive in fragments of random size after random delays. */
  public void clientSends(String latin1) {
    clientSends(latin1.getBytes(StandardCharsets.ISO_8859_1), Integer.MAX_VALUE);
  }

  public void clientSends(byte[] bytes, int largestFragment) {
    if (tls != null) {
      tlsFragment = largestFragment;
      tls.send(bytes);
      pumpTls();
    } else {
      clientSendsRaw(bytes, largestFragment);
    }
  }

  /** The client talks TLS from now on: what it sends and gets is what lies inside that. */
  public SimConnection clientTalks(SimTlsClient client) {
    tls = client;
    return this;
  }

  private void pumpTls() {
    tls.pump(bytes -> clientSendsRaw(bytes, tlsFragment), toClient::writeBytes);
    if (tls.hasEnded() && !clientEnded) {
      clientEnded = true;
      arriveLater();
    }
  }

  /** The same for bytes as they are. */
  public void clientSendsRaw(byte[] bytes, int largestFragment) {
    for (int at = 0; at < bytes.length; ) {
      int most = Math.min(bytes.length - at, largestFragment);
      int size = largestFragment == Integer.MAX_VALUE ? most : 1 + random.nextInt(most);
      byte[] fragment = new byte[size];
      System.arraycopy(bytes, at, fragment, 0, size);
      at += size;
      toServer.addLast(fragment);
    }
    arriveLater();
  }

  /** The client sends no more. */
  public void clientEnds() {
    if (tls != null) {
      tls.end();
      pumpTls();
      return;
    }
    clientEnded = true;
    arriveLater();
  }

  /** The listener of what happens. */
  public Listener listener() {
    return session();
  }

  /** The client stops reading. */
  public void clientReadsNoMore() {
    readsAll = false;
  }

  /** From now on the client looks at what it has whenever it has read some bytes. */
  public void whenClientReads(Runnable look) {
    whenClientReads = look;
  }

  /** The client reads at most so many bytes. */
  void clientReads(int most) {
    byte[] read = new byte[Math.min(most, kernel.readableBytes())];
    kernel.readBytes(read).discardReadBytes();
    if (tls != null) {
      tls.received(read);
      pumpTls();
    } else {
      toClient.writeBytes(read);
    }
    if (read.length > 0) {
      whenClientReads.run();
    }
    dispatcher.post(this::takeWrites);
  }

  /** The client reads so many bytes at a time, with a pause between, until the end. */
  public void clientKeepsReading(int bytes, long pauseNanos) {
    reactor.after(
        pauseNanos,
        () -> {
          clientReads(bytes);
          if (!clientSawEnd()) {
            clientKeepsReading(bytes, pauseNanos);
          }
        });
  }

  /** The client reads whatever comes, at once. */
  public void clientReadsAll() {
    readsAll = true;
    clientReads(Integer.MAX_VALUE);
  }

  /** The connection breaks; what is on its way is lost. */
  public void reset() {
    kernel.clear();
    toServer.clear();
    serverEnded = true;
    broken = true;
    if (reading || !writes.isEmpty()) {
      vanish();
    }
  }

  /** What the client has read. */
  public byte[] clientGot() {
    return toClient.toByteArray();
  }

  /** The client has looked at what it has read, and from now on only what comes counts. */
  public void forgetWhatClientGot() {
    toClient.reset();
  }

  /** What the session has written, whether or not the client will ever see it. */
  public byte[] serverSaid() {
    return said.toByteArray();
  }

  public String clientGotText() {
    return toClient.toString(StandardCharsets.ISO_8859_1);
  }

  /** Whether the client has read everything and knows that nothing will follow. */
  public boolean clientSawEnd() {
    return serverEnded && !kernel.isReadable();
  }

  public boolean closedReported() {
    return closedReported;
  }

  public boolean isReading() {
    return reading;
  }

  // ---- the network

  private void arriveLater() {
    reactor.after(random.nextInt(1000), this::arrive);
  }

  private void arrive() {
    if (gone || !reading) {
      return;
    }
    byte[] fragment = toServer.pollFirst();
    if (fragment != null) {
      deliveredBytes += fragment.length;
      session().received(buffers.buffer(fragment.length).writeBytes(fragment));
      arriveLater();
    } else if (clientEnded && !endReported) {
      endReported = true;
      session().inputEnded();
    }
  }

  private void takeWrites() {
    while (!gone && kernel.readableBytes() < kernelBytes && !writes.isEmpty()) {
      Write first = writes.getFirst();
      int most = Math.min(kernelBytes - kernel.readableBytes(), first.bytes.readableBytes());
      int part = most == 0 ? 0 : 1 + random.nextInt(most);
      kernel.writeBytes(first.bytes, part);
      takenBytes += part;
      if (!first.bytes.isReadable()) {
        writes.removeFirst();
        writesToReport++;
        dispatcher.post(() -> written(first, true));
      }
    }
    if (readsAll && kernel.isReadable()) {
      clientReads(Integer.MAX_VALUE);
    }
  }

  private void written(Write write, boolean taken) {
    writesToReport--;
    write.bytes.release();
    if (write.slice != null) {
      write.slice.release();
    }
    if (taken) {
      session().sent(write.size);
    }
    reportClosed();
  }

  private void vanish() {
    if (gone) {
      return;
    }
    gone = true;
    serverEnded = true;
    for (Write write = writes.pollFirst(); write != null; write = writes.pollFirst()) {
      Write failed = write;
      writesToReport++;
      dispatcher.post(() -> written(failed, false));
    }
    int delayNanos = random.nextBoolean() ? 1_000 : 50_000_000;
    reactor.after(random.nextInt(delayNanos), this::reportClosed);
  }

  private void reportClosed() {
    if (gone && writesToReport == 0 && !closedReported) {
      closedReported = true;
      session().closed();
    }
  }

  private Listener session() {
    Invariants.check(session != null, "a connection without listener");
    return session;
  }

  // ---- the session's side

  /** Whose it is. */
  public String client = "somebody";

  /** Whether the server wanted to know it. */
  public boolean addressWasAsked;

  @Override
  public String address() {
    addressWasAsked = true;
    return client;
  }

  /** The other end. */
  public InetAddress peer = InetAddress.getLoopbackAddress();

  /** Whether nobody can listen on the way. */
  public boolean secure;

  /** Of a client certificate. */
  public List<String> certificateNames = List.of();

  @Override
  public InetAddress peer() {
    return peer;
  }

  @Override
  public boolean isSecure() {
    return secure;
  }

  @Override
  public List<String> certificateNames() {
    return certificateNames;
  }

  @Override
  public ByteBufAllocator allocator() {
    return buffers;
  }

  @Override
  public void write(@Nullable ByteBuf bytes, @Nullable ContentSlice slice) {
    Invariants.check(bytes != null || slice != null, "nothing to write");
    if (broken) {
      vanish();
    }
    Invariants.check(!serverEnded || gone, "written behind the end");
    ByteBuf all = Unpooled.buffer();
    if (bytes != null) {
      all.writeBytes(bytes);
      bytes.release();
    }
    if (slice != null) {
      for (ByteBuffer piece : slice.buffers()) {
        all.writeBytes(piece.duplicate());
      }
    }
    said.write(all.array(), all.arrayOffset() + all.readerIndex(), all.readableBytes());
    Write write = new Write(all, slice);
    if (gone) {
      writesToReport++;
      dispatcher.post(() -> written(write, false));
      return;
    }
    writes.addLast(write);
    long waiting = writes.stream().mapToLong(w -> w.bytes.readableBytes()).sum();
    waitingMost = Math.max(waitingMost, waiting);
    dispatcher.post(this::takeWrites);
  }

  @Override
  public void reading(boolean on) {
    boolean goesOn = on && !reading;
    reading = on;
    if (goesOn && broken) {
      vanish();
    } else if (goesOn) {
      arriveLater();
    }
  }

  @Override
  public void finishOutput() {
    Invariants.check(writes.isEmpty(), "output finished before all was taken");
    serverEnded = true;
  }

  @Override
  public void close() {
    vanish();
  }

  @Override
  public long takenBytes() {
    return takenBytes;
  }
}
