package dev.upcall.httpd.socket;

import dev.upcall.base.Invariants;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.IoEvent;
import io.netty.channel.IoRegistration;
import io.netty.channel.uring.IoUringIoEvent;
import io.netty.channel.uring.IoUringIoHandle;
import io.netty.channel.uring.IoUringIoOps;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An accepted connection whose bytes go through the dispatcher's ring. At most one receive and one
 * send are in the kernel, each asked for by its owner; what comes of them is told to the owner in
 * one upcall. Dispatcher's thread.
 *
 * <p>A receive waits with a small buffer, which is part of the socket's own memory and large enough
 * for the head of a request. When the kernel says that more is there, the next receive takes it
 * into a large buffer and does not wait: so an idle connection, or one that sends slowly, has the
 * small one only.
 *
 * <p>Memory (bytes of the socket's piece, see {@link SocketMemory}):
 *
 * <pre>
 *     0  struct msghdr, which names the vectors
 *    64  struct iovec for each piece of a send
 *   320  what a receive brings
 *  1024
 * </pre>
 *
 * <p>Invariant: buffers and memory are given back only when the kernel has no entry of the socket
 * any more.
 */
public final class RingSocket {
  /** Who uses a socket; told in upcalls. */
  public interface Owner {
    /** Bytes have come, which pass to the owner; none are asked for until it does so again. */
    void arrived(ByteBuf bytes);

    /** The peer sends no more. */
    void inputEnded();

    /** The kernel has taken bytes of what was sent; what is left has to be sent again. */
    void sent(int bytes);

    /** The end, lost or asked for; nothing is used by the kernel any more. Once. */
    void closed();

    /**
     * The same instead of {@link #closed} where the loop ends under the socket: inside the loop,
     * and no upcall will run any more.
     */
    void abandoned();
  }

  /** The most pieces of one send: a head, and what a client may have on its way in slices. */
  public static final int MAX_PIECES = 20;

  private static final long HEADER_VECTORS = 16;
  private static final long HEADER_COUNT = 24;
  private static final long HEADER_BYTES = 56;
  private static final long VECTORS = 64;
  private static final long VECTOR_BYTES = 16;
  private static final long VECTOR_LENGTH = 8;
  private static final int INPUT = (int) (VECTORS + MAX_PIECES * VECTOR_BYTES);
  private static final int INPUT_BYTES = SocketMemory.PIECE_BYTES - INPUT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

  private final RingSockets home;
  private final int fd;
  private final MemorySegment memory;
  private final Events events = new Events();
  private final IoRegistration registration;
  private @Nullable Owner owner;

  /** Where a large receive goes; null while there is none. */
  private @Nullable ByteBuf large;

  private long receiving; // what the kernel knows it by; 0 when there is none
  private long sending;
  private int received;
  private int sent;
  private int inFlight;
  private boolean hasReceived;
  private boolean hasSent;
  private boolean leftSome; // the last receive, of what was there
  private boolean inputEnded;
  private boolean posted;
  private boolean closing;
  private boolean over;
  private boolean abandoned;

  RingSocket(RingSockets home, int fd, MemorySegment memory) {
    this.home = home;
    this.fd = fd;
    this.memory = memory;
    memory.asSlice(0, HEADER_BYTES).fill((byte) 0);
    memory.set(LONG, HEADER_VECTORS, memory.address() + VECTORS);
    this.registration = home.register(events);
  }

  /** Names who is told from now on, before anything is asked for. */
  public void own(Owner by) {
    Invariants.check(owner == null, "a socket has one owner");
    owner = by;
  }

  /** Whom it connects to; null if the peer is gone already, or the connection closed. */
  public @Nullable InetAddress peer() {
    return closing ? null : home.peer(fd);
  }

  /** Asks for what comes next; nothing if that was asked already, or none can come. */
  public void receive() {
    if (receiving != 0 || hasReceived || inputEnded || closing) {
      return;
    }
    if (leftSome) {
      ByteBuf into =
          PooledByteBufAllocator.DEFAULT.directBuffer(home.receiveBytes(), home.receiveBytes());
      large = into;
      long address = address(into.internalNioBuffer(0, into.capacity()));
      receiving = submit(RingEntry.receiveNow(fd, address, into.capacity()));
    } else {
      receiving = submit(RingEntry.receive(fd, memory.address() + INPUT, inputBytes()));
    }
  }

  /** Whether a send is under way, before whose end there must be no other. */
  public boolean isSending() {
    return sending != 0 || hasSent;
  }

  /**
   * Names a piece of the next send, which must stay as it is until that has ended.
   *
   * @param place which piece, below {@link #MAX_PIECES}
   * @param bytes direct memory, from its position to its limit
   * @param skip how many of these were sent before
   */
  public void piece(int place, ByteBuffer bytes, int skip) {
    long vector = VECTORS + place * VECTOR_BYTES;
    memory.set(LONG, vector, address(bytes) + skip);
    memory.set(LONG, vector + VECTOR_LENGTH, bytes.remaining() - skip);
  }

  /** Sends so many pieces, as far as there is room for them; nothing when closed. */
  public void send(int pieces) {
    Invariants.check(!isSending(), "a send during another");
    if (closing) {
      return;
    }
    if (pieces > 1) {
      memory.set(LONG, HEADER_COUNT, pieces);
      sending = submit(RingEntry.sendMessage(fd, memory.address()));
    } else {
      long bytes = pieces == 0 ? 0 : memory.get(LONG, VECTORS + VECTOR_LENGTH);
      sending = submit(RingEntry.send(fd, memory.get(LONG, VECTORS), (int) bytes));
    }
  }

  /** Tells the peer that no more will be sent. */
  public void finishOutput() {
    if (!closing) {
      home.calls().finishOutput(fd);
    }
  }

  /** Closes it; what was not sent is lost. Harmless when closed. */
  public void close() {
    if (closing) {
      return;
    }
    closing = true;
    if (receiving != 0) {
      submit(RingEntry.cancel(receiving));
    }
    if (sending != 0) {
      submit(RingEntry.cancel(sending));
    }
    // Entries that the kernel has keep the connection, not the descriptor.
    submit(RingEntry.close(fd));
  }

  private int inputBytes() {
    return Math.min(INPUT_BYTES, home.receiveBytes());
  }

  private long submit(IoUringIoOps entry) {
    inFlight++;
    return registration.submit(entry);
  }

  private static long address(ByteBuffer bytes) {
    return MemorySegment.ofBuffer(bytes).address();
  }

  /** Inside the loop: notes what has come, and appends the upcall. */
  private void completed(IoUringIoEvent completion) {
    byte opcode = completion.opcode();
    int result = completion.res();
    inFlight--;
    if (opcode == RingEntry.RECEIVE) {
      receiving = 0;
      received = result;
      leftSome = RingEntry.leftSome(completion.flags());
      hasReceived = true;
    } else if (opcode == RingEntry.SEND || opcode == RingEntry.SEND_MESSAGE) {
      sending = 0;
      sent = result;
      hasSent = true;
    }
    boolean ended = closing && inFlight == 0;
    if (ended) {
      registration.cancel();
    }
    if (abandoned) {
      abandonIf(ended);
    } else if ((ended || !closing) && !posted) {
      posted = true;
      home.dispatcher().post(events);
    }
  }

  private void abandonIf(boolean ended) {
    if (ended && !over) {
      over = true;
      releaseLarge();
      Invariants.present(owner, "a socket's owner").abandoned();
    }
  }

  /** The upcall. A send comes first: its end may be what the request behind it waits for. */
  private void tell() {
    posted = false;
    Owner told = Invariants.present(owner, "a socket's owner");
    if (hasSent && !closing) {
      hasSent = false;
      sendEnded(told);
    }
    if (hasReceived && !closing) {
      hasReceived = false;
      receiveEnded(told);
    }
    if (closing && inFlight == 0 && !over) {
      over = true;
      releaseLarge();
      home.memory().give(memory);
      told.closed();
    }
  }

  private void sendEnded(Owner told) {
    if (sent >= 0 || RingEntry.isTransient(sent)) {
      told.sent(Math.max(0, sent));
    } else {
      close(); // the peer is gone
    }
  }

  private void receiveEnded(Owner told) {
    if (received > 0) {
      told.arrived(arrived(received));
      return;
    }
    releaseLarge();
    if (received == 0) {
      inputEnded = true;
      told.inputEnded();
    } else if (RingEntry.isTransient(received)) {
      receive();
    } else {
      close(); // the peer is gone
    }
  }

  private ByteBuf arrived(int bytes) {
    ByteBuf into = large;
    if (into == null) {
      byte[] copy = new byte[bytes];
      MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, INPUT, copy, 0, bytes);
      return Unpooled.wrappedBuffer(copy);
    }
    large = null;
    return into.writerIndex(bytes);
  }

  private void releaseLarge() {
    if (large != null) {
      large.release();
      large = null;
    }
  }

  /** The loop's end of it, and the upcall. */
  private final class Events implements IoUringIoHandle, Runnable {
    @Override
    public void handle(IoRegistration from, IoEvent event) {
      completed((IoUringIoEvent) event);
    }

    @Override
    public void run() {
      tell();
    }

    /** The loop ends under it, and nobody is told any more. */
    @Override
    public void close() {
      abandoned = true;
      RingSocket.this.close();
    }
  }
}
