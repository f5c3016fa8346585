package dev.upcall.io.volume;

import dev.upcall.base.Clock;
import dev.upcall.base.Invariants;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.fsm.HeapRoom;
import dev.upcall.fsm.HelperThreads;
import dev.upcall.fsm.Reactor;
import dev.upcall.fsm.meter.LookCounts;
import dev.upcall.fsm.record.Stage;
import dev.upcall.fsm.wakeup.AdaptivePoll;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.ServerChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandlerConfig;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.util.concurrent.Ticker;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A reactor over Netty's event loop, driven by hand: the dispatcher owns the turn, and sockets and
 * disk complete on the dispatcher's thread, in the same ring where there is io_uring.
 *
 * <p>Whatever runs inside the loop (channel handlers, promises' listeners, the disk's completions)
 * must only append to the dispatcher's FIFO.
 *
 * <p>{@link #submit} does nothing: the system call that hands requests to the kernel is the same
 * one that looks for completions, and either {@link #reap} of the next turn or {@link #await}
 * follows at once. So a busy turn costs one system call.
 */
public final class NettyReactor implements Reactor {
  /** What carries sockets and, if it can, the disk. */
  public enum Transport {
    /** One io_uring for sockets and disk. */
    IO_URING,
    /** Epoll for sockets; the disk goes through {@link ChannelDisk}. */
    EPOLL,
    /** Java's selector for sockets; the disk as with epoll. */
    NIO
  }

  /** Netty's setting of whether a poll of a socket stays armed. */
  private static final String STAYING_POLLS = "io.netty.iouring.pollAddMultishotEnabled";

  static {
    // A poll that stays armed tells of changes only. A client that sends and goes away before its
    // bytes are read changes nothing any more, and Netty 4.2.18 would wait for it until a time-out.
    if (System.getProperty(STAYING_POLLS) == null) {
      System.setProperty(STAYING_POLLS, "false");
    }
  }

  /** How long a wait for durable writes polls at most, unless said otherwise. */
  public static final long DEFAULT_POLL_NANOS = 200_000;

  /** Submission entries; more requests in one turn are handed over in several calls. */
  private static final int RING_ENTRIES = 1024;

  /** Completion entries: what disk and sockets can have in flight without an overflow list. */
  private static final int COMPLETION_ENTRIES = 8192;

  /** How long Netty's own tasks may run in one turn. */
  private static final long TASKS_NANOS = 50_000;

  /** One queued request for so many that the kernel has is few. */
  private static final int FEW = 4;

  /** Longer durable writes are slept through. */
  private static final int POLLED_BYTES = 64 << 10;

  /** How long one look of those who wait for the last requests takes at most. */
  private static final long DRAIN_NANOS = 10_000_000;

  /** Failing system calls in a row after which there is no hope. */
  private static final int FAILURES_LIMIT = 1000;

  private final Transport transport;
  private final @Nullable String noRing;
  private final ManualIoEventLoop loop;
  private final AdaptivePoll poll;
  private final HeapReserve heapReserve = new HeapReserve();
  private final HelperThreads helpers = new HelperThreads("upcall-helper", Integer.MAX_VALUE);

  /** Whom those queued requests serve whose stages somebody wants. */
  private final List<Long> queuedMeasured = new ArrayList<>();

  private @Nullable Clock clock;
  private @Nullable FlightRecorder recorder;
  private @Nullable Thread owner;
  private int failures;
  private int diskRequests;
  private int queuedRequests;
  private int durableWrites;
  private boolean durableWriteQueued;
  private int largeDurableWrites;
  private int foundAwaiting;
  private long polls;
  private long pollsFound;
  private long polledNanos;
  private boolean closed;

  private NettyReactor(
      Transport transport, IoHandlerFactory factory, long pollNanos, @Nullable String noRing) {
    this.transport = transport;
    this.noRing = noRing;
    this.poll = new AdaptivePoll(pollNanos);
    // Netty's io_uring handler mixes the loop's ticker with System.nanoTime, so the loop gets the
    // very same source; the store's own timers are the dispatcher's and never come here.
    this.loop = new ManualIoEventLoop(null, null, factory, Ticker.systemTicker());
  }

  /** A reactor over io_uring if this process may use it, else over epoll, else over a selector. */
  public static NettyReactor create() {
    return create(DEFAULT_POLL_NANOS);
  }

  /**
   * The same with another time of polling.
   *
   * @param pollNanos how long a wait for nothing but durable writes of the ring's disk may look for
   *     their end before it sleeps; 0: never. On a machine with one processor it never does
   */
  public static NettyReactor create(long pollNanos) {
    return create(pollNanos, NettyReactor::rings);
  }

  /**
   * As above.
   *
   * @param rings gives what makes the ring, asked only where there can be one: loading it loads the
   *     native library. What that throws, as for want of memory to map or of descriptors, leaves
   *     epoll and the selector
   */
  static NettyReactor create(long pollNanos, Supplier<IoHandlerFactory> rings) {
    String reason = ringUnavailable();
    if (reason == null) {
      try {
        return new NettyReactor(Transport.IO_URING, rings.get(), usefulNanos(pollNanos), null);
      } catch (RuntimeException | OutOfMemoryError refused) {
        reason = String.valueOf(refused.getMessage());
      }
    }
    boolean epoll = EpollHandler.unavailable() == null;
    return new NettyReactor(
        epoll ? Transport.EPOLL : Transport.NIO,
        epoll ? EpollHandler.factory() : NioIoHandler.newFactory(),
        usefulNanos(pollNanos),
        reason);
  }

  private static IoHandlerFactory rings() {
    return RingHandler.factory(config());
  }

  private static IoUringIoHandlerConfig config() {
    IoUringIoHandlerConfig config = new IoUringIoHandlerConfig().setRingSize(RING_ENTRIES);
    if (config.getCqSize() > 0) {
      config.setCqSize(COMPLETION_ENTRIES);
    }
    return config;
  }

  private static long usefulNanos(long pollNanos) {
    return Runtime.getRuntime().availableProcessors() == 1 ? 0 : pollNanos;
  }

  /**
   * A reactor over one transport.
   *
   * @throws IllegalStateException if what is asked for is not there
   */
  public static NettyReactor create(Transport transport) {
    String reason = unavailable(transport);
    if (reason != null) {
      throw new IllegalStateException(transport + " is not available: " + reason);
    }
    long pollNanos = usefulNanos(DEFAULT_POLL_NANOS);
    return switch (transport) {
      case IO_URING -> new NettyReactor(transport, rings(), pollNanos, null);
      case EPOLL ->
          new NettyReactor(
              transport, EpollHandler.factory(), pollNanos, "the dispatcher's loop uses epoll");
      case NIO ->
          new NettyReactor(
              transport,
              NioIoHandler.newFactory(),
              pollNanos,
              "the dispatcher's loop uses a selector");
    };
  }

  /** Why this process cannot use a transport, or null if it can. */
  public static @Nullable String unavailable(Transport transport) {
    return switch (transport) {
      case IO_URING -> ringUnavailable();
      case EPOLL -> EpollHandler.unavailable();
      case NIO -> null;
    };
  }

  /** Why this process cannot use io_uring, or null if it can. */
  public static @Nullable String ringUnavailable() {
    if (IoUring.isAvailable()) {
      return null;
    }
    return root(IoUring.unavailabilityCause());
  }

  /** The message of the first of all causes. */
  static String root(@Nullable Throwable cause) {
    Throwable first = cause;
    while (first != null && first.getCause() != null) {
      first = first.getCause();
    }
    return first == null ? "unknown reason" : String.valueOf(first.getMessage());
  }

  /** Why there is no ring, or null if there is one. */
  @Nullable String noRing() {
    return noRing;
  }

  /** The loop to register channels with; also an {@code EventLoopGroup} of one. */
  public IoEventLoop eventLoop() {
    return loop;
  }

  /** The transport of its event loop. */
  public Transport transport() {
    return transport;
  }

  /** The class of server channels that fits the loop. */
  public Class<? extends ServerChannel> serverChannelClass() {
    return switch (transport) {
      case IO_URING -> IoUringServerSocketChannel.class;
      case EPOLL -> EpollHandler.servers();
      case NIO -> NioServerSocketChannel.class;
    };
  }

  @Override
  public void attach(Dispatcher dispatcher) {
    // The loop's owner is the dispatcher's, known at its first turn.
    clock = dispatcher.clock();
    recorder = dispatcher.recorder();
  }

  /**
   * {@inheritDoc}
   *
   * <p>Netty empties its completion queue in one go, so the limit is that queue's size. Behind a
   * wait that has found something, which is in the FIFO already, this asks the kernel only when
   * there is something to hand over.
   */
  @Override
  public int reap(int limit) {
    own();
    int found = foundAwaiting;
    foundAwaiting = 0;
    return found > 0 && queuedRequests == 0 ? found : guarded(-1);
  }

  @Override
  public void submit() {}

  /**
   * {@inheritDoc}
   *
   * <p>That is when the disk's requests that wait to be handed over are no longer few against those
   * that the kernel has. An idle disk gets its first request at once, a busy one gets them in
   * batches, and system calls stay rare.
   */
  @Override
  public boolean isSubmissionDue() {
    return queuedRequests > 0 && queuedRequests * FEW >= diskRequests - queuedRequests;
  }

  @Override
  public boolean isDurableWriteInFlight() {
    return durableWrites > 0;
  }

  @Override
  public boolean isDurableWriteQueued() {
    return durableWriteQueued;
  }

  /**
   * {@inheritDoc}
   *
   * <p>When small durable writes are all that the disk is asked for, it polls for a while before it
   * sleeps ({@link AdaptivePoll}); behind a large one there are many commits, among which what a
   * wake-up takes is shared. What other threads hand over ends that, too: their wake-up comes
   * through the same ring.
   */
  @Override
  public void await(long timeoutNanos) {
    own();
    long sleepNanos = timeoutNanos;
    if (durableWrites > 0 && durableWrites == diskRequests && largeDurableWrites == 0) {
      long pollNanos = Math.min(timeoutNanos, poll.begin());
      if (pollNanos > 0) {
        if (polled(pollNanos)) {
          return;
        }
        sleepNanos -= pollNanos;
      }
    }
    foundAwaiting = guarded(sleepNanos == 0 ? -1 : sleepNanos);
  }

  /**
   * Looks for completions again and again; true if there was something. Between two looks others
   * may have the processor, the kernel's own workers above all: on one of them a durable write
   * ends, maybe on this very core.
   */
  @SuppressWarnings("ThreadPriorityCheck") // Yielding is no synchronisation here, but manners.
  private boolean polled(long limitNanos) {
    Clock now = Invariants.present(clock, "a dispatcher");
    long beganNanos = now.monotonicNanos();
    polls++;
    long tookNanos = 0;
    int found = guarded(-1);
    while (found == 0 && tookNanos < limitNanos) {
      Thread.yield();
      found = guarded(-1);
      tookNanos = now.monotonicNanos() - beganNanos;
    }
    polledNanos += tookNanos;
    foundAwaiting = found;
    if (found > 0) {
      pollsFound++;
    }
    poll.ended(found > 0);
    return found > 0;
  }

  @Override
  public void wakeup() {
    loop.wakeup();
  }

  @Override
  public boolean help(String what, Runnable work) {
    return helpers.execute(what, work);
  }

  @Override
  public HeapRoom heapRoom() {
    return heapReserve;
  }

  @Override
  public void awaitHelpers() {
    helpers.awaitEnd();
  }

  /** {@inheritDoc} Channels and disks are closed before. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    own();
    Invariants.check(
        diskRequests == 0, "disk requests in flight at the reactor's end", diskRequests);
    closed = true;
    loop.shutdownGracefully(0, 0, TimeUnit.NANOSECONDS);
    while (!loop.isTerminated()) {
      loop.runNow();
    }
  }

  /** Waits a moment for the kernel, outside the dispatcher's turns. Owner's thread. */
  void awaitCompletions() {
    own();
    guarded(DRAIN_NANOS);
  }

  /** Lets the ring carry requests from now on. Owner's thread. */
  void start() {
    own();
    loop.runNow(TASKS_NANOS);
  }

  /** Counts a disk's request that goes into the ring. Owner's thread. */
  void requestQueued() {
    diskRequests++;
    queuedRequests++;
  }

  /** A request that was queued gets the stamp of its start when it is handed to the kernel. */
  void stampSubmission(long asker) {
    queuedMeasured.add(asker);
  }

  /** Counts a disk's request that has left the ring. Owner's thread. */
  void requestEnded() {
    diskRequests--;
  }

  /** One of the queued requests is a durable write of so many bytes. Owner's thread. */
  void durableWriteQueued(int bytes) {
    durableWrites++;
    durableWriteQueued = true;
    largeDurableWrites += bytes > POLLED_BYTES ? 1 : 0;
  }

  /** One of the requests that ended was a durable write. Owner's thread. */
  void durableWriteEnded(int bytes, long tookNanos) {
    durableWrites--;
    largeDurableWrites -= bytes > POLLED_BYTES ? 1 : 0;
    poll.waitTook(tookNanos);
  }

  @Override
  public LookCounts looks() {
    return new LookCounts(polls, pollsFound, polledNanos);
  }

  private void own() {
    if (owner == null) {
      owner = Thread.currentThread();
      loop.setOwningThread(owner);
    }
    Invariants.check(owner == Thread.currentThread(), "reactor has another owner");
  }

  private void stampQueued() {
    long now = Invariants.present(clock, "a clock").monotonicNanos();
    FlightRecorder stamping = Invariants.present(recorder, "a recorder");
    queuedMeasured.forEach(asker -> stamping.stamp(asker, Stage.STARTED, now));
    queuedMeasured.clear();
  }

  /**
   * One round of the loop. io_uring_enter may fail for want of memory, which passes; nothing is
   * lost then, since what was queued stays queued. Where the heap has none, Netty takes no
   * completion out of its queue: handlers let nothing out, and what runs before them is done again.
   */
  private int guarded(long waitNanos) {
    queuedRequests = 0;
    durableWriteQueued = false;
    if (!queuedMeasured.isEmpty()) {
      stampQueued();
    }
    try {
      int ran = waitNanos < 0 ? loop.runNow(TASKS_NANOS) : loop.run(waitNanos, TASKS_NANOS);
      failures = 0;
      return ran;
    } catch (UncheckedIOException error) {
      if (++failures > FAILURES_LIMIT) {
        throw error;
      }
      return 0;
    } catch (OutOfMemoryError noRoom) {
      return 0;
    }
  }
}
