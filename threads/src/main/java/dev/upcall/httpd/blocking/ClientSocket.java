package dev.upcall.httpd.blocking;

import dev.upcall.base.Clock;
import dev.upcall.base.Invariants;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.message.ClientAddress;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The socket of one connection. Its thread reads and writes; the methods that end it may be called
 * from any other, which wakes the thread with a {@link ClosedChannelException}.
 *
 * <p>Plain blocking reads and writes know no time limit and cost one system call. So they are made
 * where the next request is awaited and where a client takes what is sent, and {@link #isStuck}
 * tells the watch when that lasts too long. Where the answer to lateness is more than the end, the
 * read itself has a limit, which costs some system calls more.
 */
final class ClientSocket {
  /** What {@link #readUntil} gives back when the time is over. */
  static final int LATE = -2;

  /** A write that took so long is followed by small ones, of which the watch sees each. */
  private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final int SLOW_PIECE_BYTES = 4096;

  private static final System.Logger LOG = System.getLogger(ClientSocket.class.getName());

  private enum Doing {
    /** Waits for the first byte of a request. */
    IDLE,
    /** Waits for the rest of a head. */
    HEAD,
    /** Something else. */
    BUSY,
    /** Waits until the client has taken something. */
    SENDING,
    /** Nothing more: another thread has ended it. */
    ENDED,
    /** Nothing more: the watch has ended it. */
    TIMED_OUT
  }

  private final SocketChannel channel;
  private final HttpConfig.Timeouts limits;
  private final Clock clock;
  private final AtomicReference<Doing> doing = new AtomicReference<>(Doing.BUSY);
  private long sentBytes;
  private boolean slow;

  /** The same for the watch. */
  private volatile long progress;

  // The watch's own.
  private Doing seenDoing = Doing.BUSY;
  private long seenProgress;
  private long seenNanos;

  ClientSocket(SocketChannel channel, HttpConfig.Timeouts limits, Clock clock) {
    this.channel = channel;
    this.limits = limits;
    this.clock = clock;
  }

  /** Whose it is; see {@link ClientAddress}. */
  String address() {
    return ClientAddress.of(channel.socket().getRemoteSocketAddress());
  }

  // ------------------------------------------------------------------ its own thread

  /** Waits for the first bytes of a request; how many came, -1 at the end of the input. */
  int readFirst(byte[] into) throws IOException {
    begin(Doing.IDLE);
    int count = channel.read(ByteBuffer.wrap(into));
    end(Doing.IDLE);
    return count;
  }

  /** Waits for more of a head until a moment; -1 at the end of the input, or {@link #LATE}. */
  int readHead(byte[] into, long deadlineNanos) throws IOException {
    begin(Doing.HEAD);
    int count = readUntil(into, deadlineNanos);
    end(Doing.HEAD);
    return count;
  }

  /** Waits for bytes until a moment; -1 at the end of the input, or {@link #LATE}. */
  int readUntil(byte[] into, long deadlineNanos) throws IOException {
    long leftNanos = deadlineNanos - clock.monotonicNanos();
    if (leftNanos <= 0) {
      return LATE;
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(leftNanos) + 1;
    channel.socket().setSoTimeout((int) Math.min(millis, Integer.MAX_VALUE));
    try {
      return channel.socket().getInputStream().read(into);
    } catch (SocketTimeoutException late) {
      return LATE;
    }
  }

  /** Waits until the kernel has taken all bytes of some buffers. */
  void send(ByteBuffer... buffers) throws IOException {
    begin(Doing.SENDING);
    long begunNanos = clock.monotonicNanos();
    if (slow) {
      sendInPieces(buffers);
    } else {
      sendAtOnce(buffers);
    }
    slow = clock.monotonicNanos() - begunNanos > SLOW_NANOS;
    end(Doing.SENDING);
  }

  private void sendAtOnce(ByteBuffer... buffers) throws IOException {
    for (int first = 0; first < buffers.length; ) {
      if (buffers[first].hasRemaining()) {
        sent(channel.write(buffers, first, buffers.length - first));
      } else {
        first++;
      }
    }
  }

  private void sendInPieces(ByteBuffer... buffers) throws IOException {
    for (ByteBuffer buffer : buffers) {
      int end = buffer.limit();
      while (buffer.position() < end) {
        buffer.limit(Math.min(end, buffer.position() + SLOW_PIECE_BYTES));
        sent(channel.write(buffer));
      }
    }
  }

  private void sent(long bytes) {
    sentBytes += bytes;
    progress = sentBytes;
  }

  /** Tells the peer that no more will be sent. */
  void finishOutput() throws IOException {
    channel.shutdownOutput();
  }

  private void begin(Doing next) throws ClosedChannelException {
    change(Doing.BUSY, next);
  }

  private void end(Doing now) throws ClosedChannelException {
    change(now, Doing.BUSY);
  }

  private void change(Doing from, Doing to) throws ClosedChannelException {
    if (!doing.compareAndSet(from, to)) {
      throw new ClosedChannelException();
    }
  }

  // ------------------------------------------------------------------ any thread

  /** Closes; harmless when closed. */
  void close() {
    try {
      channel.close();
    } catch (IOException unclosed) {
      // The descriptor is gone all the same, and nobody expects anything of the connection.
      LOG.log(System.Logger.Level.DEBUG, "closing a connection", unclosed);
    }
  }

  /** Ends the connection if it waits for a request; what has come of one is not answered. */
  boolean endIfIdle() {
    if (doing.compareAndSet(Doing.IDLE, Doing.ENDED)
        || doing.compareAndSet(Doing.HEAD, Doing.ENDED)) {
      close();
      return true;
    }
    return false;
  }

  /** Ends the connection, whatever it does. */
  void giveUp() {
    doing.updateAndGet(now -> now == Doing.TIMED_OUT ? now : Doing.ENDED);
    close();
  }

  /** Whether another thread has ended the connection. */
  boolean wasEnded() {
    return doing.get() == Doing.ENDED || timedOut();
  }

  /** Whether the watch has. */
  boolean timedOut() {
    return doing.get() == Doing.TIMED_OUT;
  }

  // ------------------------------------------------------------------ the watch

  /**
   * Whether it has waited for its client for as long as it may.
   *
   * @param pressed whether others wait for what is sent here
   */
  boolean isStuck(long nowNanos, boolean pressed) {
    Doing now = Invariants.present(doing.get(), "what it does");
    long done = progress;
    if (now != seenDoing || done != seenProgress) {
      seenDoing = now;
      seenProgress = done;
      seenNanos = nowNanos;
      return false;
    }
    long limitNanos =
        switch (now) {
          case IDLE -> limits.receiving().idleNanos();
          case SENDING -> pressed ? limits.sending().pressedNanos() : limits.sending().stuckNanos();
          case HEAD, BUSY, ENDED, TIMED_OUT -> Long.MAX_VALUE;
        };
    return nowNanos - seenNanos >= limitNanos;
  }

  /** Ends the connection if it still waits as {@link #isStuck} saw it. */
  void endIfStuck() {
    if (doing.compareAndSet(seenDoing, Doing.TIMED_OUT)) {
      close();
    }
  }
}
