package dev.upcall.io.volume;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.io.BlockDevice;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.DiskRules;
import dev.upcall.io.Errno;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A volume over {@code FileChannel}. It has no word for writes that are durable one by one, for
 * moving several buffers at an offset, for syncing without a channel that an interrupt may close,
 * for allocating or for punching: the first go through a second channel opened with {@code DSYNC},
 * the others are foreign calls.
 *
 * <p>A {@code FileChannel} is closed by an interrupt of a thread inside it, for all threads: it is
 * opened again and the transfer repeated, which brings the same bytes to the same place.
 */
final class ChannelDevice implements BlockDevice {
  private static final int RETRY_LIMIT = 1000;

  /** What {@code FileChannel} only says in words. */
  private static final int[] FULL = {Errno.ENOSPC, Errno.EDQUOT, Errno.EFBIG};

  private final OpenVolume volume;
  private final ResultFilter filter;
  private final ReentrantLock reopening = new ReentrantLock();

  /** Held by whoever cuts the volume, makes it longer, or looks how long it is: pool threads. */
  private final ReentrantLock sizing = new ReentrantLock();

  private long sizeBlocks;
  private volatile Channels channels;

  /** For calls that come late; whoever closes waits for those that are under way. */
  private volatile boolean closed;

  private volatile @Nullable Failure lost;

  private ChannelDevice(OpenVolume volume, ResultFilter filter, Channels channels) {
    this.volume = volume;
    this.filter = filter;
    this.channels = channels;
    this.sizeBlocks = volume.sizeBlocks();
  }

  /** A device over an open volume, which it owns from now on. May block. */
  static ChannelDevice open(OpenVolume volume, ResultFilter filter) throws IOException {
    return new ChannelDevice(volume, filter, Channels.open(volume));
  }

  /** The two ways into the volume; one, where it is only read. */
  private record Channels(FileChannel plain, FileChannel durable) {
    /** Opens the file behind the volume's descriptor again, whatever has become of its name. */
    static Channels open(OpenVolume volume) throws IOException {
      Path path = Path.of("/proc/self/fd/" + volume.fd());
      FileChannel plain = FileChannel.open(path, options(volume));
      if (volume.access().readOnly()) {
        return new Channels(plain, plain);
      }
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
      if (!volume.access().readOnly()) {
        options.add(StandardOpenOption.WRITE);
      }
      if (volume.access().direct()) {
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

    boolean isOpen() {
      return plain.isOpen() && durable.isOpen();
    }

    void close() throws IOException {
      plain.close();
      durable.close();
    }
  }

  @Override
  public Completion<Unit> perform(DiskRequest request) {
    boolean interrupted = false;
    try {
      while (true) {
        interrupted |= Thread.interrupted();
        Channels present = channels;
        try {
          return perform(request, present);
        } catch (ClosedChannelException byInterrupt) {
          if (closed) {
            return Completion.failed(new Failure.Closed(volume.name()));
          }
          interrupted |= Thread.interrupted();
          reopen();
        }
      }
    } catch (IOException | RuntimeException | Error error) {
      // Whatever it was: the asker must hear of it, and a pool's thread has nobody else to tell.
      return Completion.failed(failure(request, error));
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void reopen() throws IOException {
    reopening.lock();
    try {
      Channels present = channels;
      if (!present.isOpen()) {
        channels = Channels.open(volume);
        present.close();
      }
    } finally {
      reopening.unlock();
    }
  }

  @Override
  public long sizeBlocks() {
    return volume.sizeBlocks();
  }

  @Override
  public String name() {
    return volume.name();
  }

  @Override
  public void close() {
    closed = true;
    try {
      channels.close();
    } catch (IOException error) {
      System.getLogger(ChannelDevice.class.getName())
          .log(System.Logger.Level.WARNING, "closing " + name(), error);
    }
    volume.close();
  }

  private Completion<Unit> perform(DiskRequest request, Channels into) throws IOException {
    if (closed) {
      // Another file may have the descriptor's number by now.
      return Completion.failed(new Failure.Closed(volume.name()));
    }
    Failure gone = lost;
    if (gone != null && !DiskRules.changesNothing(request)) {
      return Completion.failed(gone);
    }
    return switch (request) {
      case DiskRequest.Read _ ->
          transfer(request, moving(request, into.plain()::read, volume::read));
      case DiskRequest.Write _ ->
          transfer(request, moving(request, into.plain()::write, volume::write));
      case DiskRequest.DurableWrite _ -> transfer(request, oneByOne(into.durable()::write));
      case DiskRequest.Sync _ -> result(request, volume.sync());
      case DiskRequest.Allocate allocate ->
          sizing(() -> resize(request, volume.allocate(allocate.block(), allocate.blocks())));
      case DiskRequest.Discard discard ->
          result(request, volume.punch(discard.block(), discard.blocks()));
      case DiskRequest.Shrink shrink ->
          sizing(() -> resize(request, volume.truncate(shrink.blocks())));
      case DiskRequest.Stat _ -> sizing(this::look);
    };
  }

  private Completion<Unit> sizing(Supplier<Completion<Unit>> work) {
    sizing.lock();
    try {
      return work.get();
    } finally {
      sizing.unlock();
    }
  }

  private Completion<Unit> resize(DiskRequest request, int errno) {
    if (errno == 0) {
      sizeBlocks = DiskRules.resized(request, sizeBlocks);
    }
    return result(request, errno);
  }

  private Completion<Unit> look() {
    Completion<Unit> outcome =
        volume
            .presentBytes()
            .flatMap(
                bytes ->
                    bytes < sizeBlocks * Disk.BLOCK_BYTES
                        ? Completion.failed(DiskRules.cut(name(), bytes, sizeBlocks))
                        : Completion.done());
    if (lost == null && outcome instanceof Completion.Failed<Unit>(Failure why)) {
      lost = why;
    }
    return outcome;
  }

  /** One call, for what of several buffers was not moved before. */
  private interface Transfer {
    /** How many bytes were moved, or a negated errno; 0 at the end of the file. */
    int move(List<ByteBuffer> buffers, int doneBytes, long offset) throws IOException;
  }

  /** A call of a channel, which moves one buffer. */
  private interface Single {
    int move(ByteBuffer buffer, long offset) throws IOException;
  }

  /**
   * Several buffers go in one call. One goes through the channel. So does each of a virtual thread
   * where I/O is direct: in a channel, and only for direct I/O, the JDK runs others in its stead.
   */
  private Transfer moving(DiskRequest request, Single single, Transfer together) {
    boolean waits = volume.access().direct() && Thread.currentThread().isVirtual();
    return request.buffers().size() == 1 || waits ? oneByOne(single) : together;
  }

  private static Transfer oneByOne(Single single) {
    return (buffers, doneBytes, offset) -> {
      int skip = doneBytes;
      int at = 0;
      while (skip >= buffers.get(at).remaining()) {
        skip -= buffers.get(at++).remaining();
      }
      ByteBuffer rest = buffers.get(at).duplicate();
      return Math.max(0, single.move(rest.position(rest.position() + skip), offset));
    };
  }

  private Completion<Unit> transfer(DiskRequest request, Transfer transfer) throws IOException {
    List<ByteBuffer> buffers = request.buffers();
    int totalBytes = DiskRules.lengthBytes(buffers);
    int doneBytes = 0;
    int retries = 0;
    while (doneBytes < totalBytes) {
      long offset = request.firstBlock() * Disk.BLOCK_BYTES + doneBytes;
      int result = filter.filter(request, transfer.move(buffers, doneBytes, offset));
      if (result < 0 && !Errno.isTransient(-result)) {
        return failed(request, -result);
      }
      int whole = Math.max(0, result) / Disk.BLOCK_BYTES * Disk.BLOCK_BYTES;
      doneBytes += whole;
      retries = whole > 0 ? 0 : retries + 1;
      if (result == 0 || retries > RETRY_LIMIT) {
        return Completion.failed(Errno.stuck(request, name()));
      }
    }
    return Completion.done();
  }

  private Completion<Unit> result(DiskRequest request, int errno) {
    return errno == 0 ? Completion.done() : failed(request, errno);
  }

  private Completion<Unit> failed(DiskRequest request, int errno) {
    return Completion.failed(Errno.failure(request, errno, name()));
  }

  private Failure failure(DiskRequest request, Throwable error) {
    String words =
        error instanceof IOException ? String.valueOf(error.getMessage()) : error.toString();
    for (int errno : FULL) {
      if (words.contains(Errno.message(errno))) {
        return Errno.failure(request, errno, name());
      }
    }
    return Errno.device(request, name(), words);
  }
}
