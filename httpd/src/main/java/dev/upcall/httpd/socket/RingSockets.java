package dev.upcall.httpd.socket;

import dev.upcall.base.Invariants;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.SocketCalls;
import dev.upcall.io.volume.NettyReactor;
import io.netty.channel.IoHandle;
import io.netty.channel.IoRegistration;
import io.netty.channel.uring.IoUring;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What the sockets of one server share: dispatcher, loop and memory. Dispatcher's thread. */
public final class RingSockets {
  private static final long SCRATCH_BYTES = 64;

  private final Dispatcher dispatcher;
  private final NettyReactor reactor;
  private final int receiveBytes;
  private final SocketMemory memory = new SocketMemory();
  private final SocketCalls calls = new SocketCalls();

  /** For a system call; a socket's own may be what the kernel has yet to read. */
  private final MemorySegment scratch = Arena.ofAuto().allocate(SCRATCH_BYTES, Long.BYTES);

  /**
   * No sockets yet.
   *
   * @param reactor the dispatcher's, for which this is {@link #isPossible}
   * @param receiveBytes the most that one receive brings
   */
  public RingSockets(Dispatcher dispatcher, NettyReactor reactor, int receiveBytes) {
    Invariants.check(isPossible(reactor), "sockets of a ring on a loop that has none");
    this.dispatcher = dispatcher;
    this.reactor = reactor;
    this.receiveBytes = receiveBytes;
  }

  /** Whether a reactor has a ring, and its kernel accepts by one entry many times. */
  public static boolean isPossible(NettyReactor reactor) {
    return reactor.transport() == NettyReactor.Transport.IO_URING
        && IoUring.isAcceptMultishotEnabled();
  }

  /**
   * Accepts the connections of a socket that listens, once it is told to.
   *
   * @param fd the socket's, which stays the caller's
   * @param to gets each connection, in an upcall
   */
  public RingAcceptor acceptor(int fd, Consumer<RingSocket> to) {
    return new RingAcceptor(this, fd, to);
  }

  /** A connection that was accepted. */
  RingSocket accepted(int fd) {
    return new RingSocket(this, fd, memory.take());
  }

  Dispatcher dispatcher() {
    return dispatcher;
  }

  SocketMemory memory() {
    return memory;
  }

  /** Whom a socket that is open connects to; null if the peer is gone already. */
  @Nullable InetAddress peer(int fd) {
    return calls.peer(fd, scratch);
  }

  SocketCalls calls() {
    return calls;
  }

  int receiveBytes() {
    return receiveBytes;
  }

  IoRegistration register(IoHandle handle) {
    return Invariants.present(reactor.eventLoop().register(handle).getNow(), "a place in the loop");
  }
}
