package dev.upcall.io;

import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Failure;
import dev.upcall.fsm.Unit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jctools.queues.MpscUnboundedArrayQueue;

/**
 * A disk over {@code FileChannel} with a pool of threads: the fallback where there is no ring, and
 * what a system of 1999 had. Each request occupies a thread while it is served; requests beyond the
 * pool wait in the order of their submission. Completions come back to the dispatcher in batches.
 *
 * <p>{@code FileChannel} has no word for writes that are durable one by one, for allocating or for
 * punching: the first go through a second channel opened with {@code DSYNC}, the others are foreign
 * calls on the pool's threads.
 */
final class ChannelDisk implements Disk {
  private static final long IDLE_THREAD_SECONDS = 30;
  private static final int RETRY_LIMIT = 1000;

  private final OpenVolume volume;
  private final Dispatcher dispatcher;
  private final ResultFilter filter;
  private final FileChannel channel;
  private final FileChannel durableChannel;
  private final ThreadPoolExecutor pool;
  private final DiskLife life;
  private final DiskMeter meter;
  private final MpscUnboundedArrayQueue<Served> served = new MpscUnboundedArrayQueue<>(1024);
  private final AtomicBoolean drainPosted = new AtomicBoolean();

  private record Served(DiskRequest request, Completion<Unit> completion, long begunNanos) {}

  private ChannelDisk(
      OpenVolume volume, Dispatcher dispatcher, Channels channels, Settings settings) {
    this.volume = volume;
    this.dispatcher = dispatcher;
    this.filter = settings.filter();
    this.meter = new DiskMeter(dispatcher.clock());
    this.channel = channels.plain();
    this.durableChannel = channels.durable();
    this.pool =
        new ThreadPoolExecutor(
            settings.threads(),
            settings.threads(),
            IDLE_THREAD_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("upcall-disk-", 0).factory());
    this.pool.allowCoreThreadTimeOut(true);
    this.life = new DiskLife(dispatcher, volume, pool::shutdown, this::free);
  }

  /** What a test may change. */
  record Settings(int threads, ResultFilter filter) {}

  /** The two ways into the volume. Opened on a helper thread, since opening may block. */
  record Channels(FileChannel plain, FileChannel durable) {
    /** Opens the file behind the volume's descriptor again, whatever has become of its name. */
    static Channels open(OpenVolume volume) throws IOException {
      Path path = Path.of("/proc/self/fd/" + volume.fd());
      FileChannel plain = FileChannel.open(path, options(volume));
      try {
        Set<OpenOption> durable = options(volume);
        durable.add(StandardOpenOption.DSYNC);
        return new Channels(plain, FileChannel.open(path, durable));
      } catch (IOException error) {
        plain.close();
        throw error;
      }
    }

    private static Set<OpenOption> options(OpenVolume volume) throws IOException {
      Set<OpenOption> options = new LinkedHashSet<>();
      options.add(StandardOpenOption.READ);
      options.add(StandardOpenOption.WRITE);
      if (volume.direct()) {
        options.add(directOption());
      }
      return options;
    }

    /**
     * {@code ExtendedOpenOption.DIRECT} by name: it is supported, but the compiler warns of its
     * package and cannot be told not to.
     */
    private static OpenOption directOption() throws IOException {
      try {
        Class<?> type = Class.forName("com.sun.nio.file.ExtendedOpenOption");
        for (Object constant : type.getEnumConstants()) {
          if (constant.toString().equals("DIRECT")) {
            return (OpenOption) constant;
          }
        }
      } catch (ClassNotFoundException missing) {
        throw new IOException("this Java has no direct I/O (module jdk.unsupported)", missing);
      }
      throw new IOException("this Java has no direct I/O");
    }
  }

  /** A disk over open channels; it owns them and the volume from now on. Owner's thread. */
  static ChannelDisk over(
      OpenVolume volume, Dispatcher dispatcher, Channels channels, Settings settings) {
    dispatcher.checkOwner();
    return new ChannelDisk(volume, dispatcher, channels, settings);
  }

  @Override
  public long sizeBlocks() {
    return life.sizeBlocks();
  }

  @Override
  public String name() {
    return volume.name();
  }

  @Override
  public DiskCounters counters() {
    return meter.snapshot(pool.getQueue().size());
  }

  @Override
  public void submit(DiskRequest request) {
    if (life.admit(request)) {
      long begunNanos = meter.begun();
      pool.execute(() -> serve(request, begunNanos));
    }
  }

  @Override
  public void close(CompletionPort<Unit> port) {
    life.close(port);
  }

  /** Runs on a helper thread when nothing is in flight any more. */
  private void free() {
    try {
      channel.close();
      durableChannel.close();
    } catch (IOException error) {
      System.getLogger(ChannelDisk.class.getName())
          .log(System.Logger.Level.WARNING, "closing " + name(), error);
    }
    volume.close();
  }

  /** Runs on a thread of the pool. */
  private void serve(DiskRequest request, long begunNanos) {
    Completion<Unit> completion;
    try {
      completion = perform(request);
    } catch (IOException | RuntimeException | Error error) {
      // Whatever it was: the asker must hear of it, and the thread has nobody else to tell.
      completion = Completion.failed(failure(request, error));
    }
    served.add(new Served(request, completion, begunNanos));
    if (!drainPosted.getAndSet(true)) {
      HelperThread.handOver(dispatcher, this::drain);
    }
  }

  /** Runs on the dispatcher's thread, as an upcall. */
  private void drain() {
    drainPosted.set(false);
    for (Served one = served.poll(); one != null; one = served.poll()) {
      boolean done = one.completion() instanceof Completion.Done;
      meter.ended(one.request(), done, one.begunNanos());
      dispatcher.complete(one.request().port(), one.completion());
      life.left(one.request(), done);
    }
  }

  private Completion<Unit> perform(DiskRequest request) throws IOException {
    return switch (request) {
      case DiskRequest.Read read -> transfer(request, channel::read, read.block(), read.into());
      case DiskRequest.Write write ->
          transfer(request, channel::write, write.block(), write.from());
      case DiskRequest.DurableWrite write ->
          transfer(request, durableChannel::write, write.block(), write.from());
      case DiskRequest.Sync sync -> {
        channel.force(false);
        yield Completion.done();
      }
      case DiskRequest.Allocate allocate ->
          result(request, volume.allocate(allocate.block(), allocate.blocks()));
      case DiskRequest.Discard discard ->
          result(request, volume.punch(discard.block(), discard.blocks()));
      case DiskRequest.Shrink shrink -> result(request, volume.truncate(shrink.blocks()));
    };
  }

  private interface Transfer {
    int move(ByteBuffer buffer, long offset) throws IOException;
  }

  /** Moves buffer by buffer: {@code FileChannel} has no vectored transfer at an offset. */
  private Completion<Unit> transfer(
      DiskRequest request, Transfer transfer, long block, List<ByteBuffer> buffers)
      throws IOException {
    long offset = block * BLOCK_BYTES;
    for (ByteBuffer buffer : buffers) {
      ByteBuffer rest = buffer.duplicate();
      int retries = 0;
      while (rest.hasRemaining()) {
        int start = rest.position();
        int result = filter.filter(request, transfer.move(rest, offset));
        if (result < 0 && !Errno.isTransient(-result)) {
          return result == -1 ? stuck(request) : failed(request, -result);
        }
        int whole = Math.max(0, result) / BLOCK_BYTES * BLOCK_BYTES;
        rest.position(start + whole);
        offset += whole;
        retries = whole > 0 ? 0 : retries + 1;
        if (result == 0 || retries > RETRY_LIMIT) {
          return stuck(request);
        }
      }
    }
    return Completion.done();
  }

  private Completion<Unit> result(DiskRequest request, int errno) {
    return errno == 0 ? Completion.done() : failed(request, errno);
  }

  private Completion<Unit> failed(DiskRequest request, int errno) {
    return Completion.failed(Errno.failure(request, errno, name(), volume.sizeBlocks()));
  }

  private Completion<Unit> stuck(DiskRequest request) {
    return Completion.failed(
        new Failure.Device(
            DiskRules.operation(request) + " of " + name(),
            "nothing more transferred at block %d or after: the volume was cut short"
                .formatted(DiskRules.firstBlock(request))));
  }

  private Failure failure(DiskRequest request, Throwable error) {
    String words =
        error instanceof IOException ? String.valueOf(error.getMessage()) : error.toString();
    if (words.contains(Errno.message(Errno.ENOSPC))
        || words.contains(Errno.message(Errno.EDQUOT))) {
      return Errno.failure(request, Errno.ENOSPC, name(), volume.sizeBlocks());
    }
    return new Failure.Device(
        "%s of %d blocks at block %d of %s"
            .formatted(
                DiskRules.operation(request),
                DiskRules.blocks(request),
                DiskRules.firstBlock(request),
                name()),
        words);
  }
}
