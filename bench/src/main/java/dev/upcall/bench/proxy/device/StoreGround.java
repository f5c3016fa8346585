package dev.upcall.bench.proxy.device;

import dev.upcall.FsmUpcall;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.bench.host.DeviceTraffic;
import dev.upcall.bench.proxy.place.SegmentFile;
import dev.upcall.io.DiskCounters;
import dev.upcall.io.DiskOperation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Our store, as a file system of Java; its own counters say what it asked of the device. */
final class StoreGround implements Ground {
  private final Path volume;
  private final UpcallConfig config;
  private final Content content;
  private FsmUpcall store;
  private DeviceTraffic.Moved closed = new DeviceTraffic.Moved(0, 0, 0, 0);
  private @Nullable SeekableByteChannel segments;

  /** A new volume. */
  StoreGround(Path volume, long memoryBytes, Content content) {
    this.volume = volume;
    this.config =
        UpcallConfig.DEFAULT.withMemoryBytes(Math.max(UpcallConfig.MIN_MEMORY_BYTES, memoryBytes));
    this.content = content;
    this.store = Upcall.create(volume, config).fsm();
  }

  @Override
  public Path root() {
    return store.fileSystem().getPath("/");
  }

  @Override
  public SegmentFile segments(long mostBytes) throws IOException {
    Files.createFile(root().resolve("segments"));
    return new Segments();
  }

  private SeekableByteChannel channel() throws IOException {
    SeekableByteChannel open = segments;
    if (open == null) {
      open =
          Files.newByteChannel(
              root().resolve("segments"), StandardOpenOption.READ, StandardOpenOption.WRITE);
      segments = open;
    }
    return open;
  }

  /** A file that is read and written at places; a segment begins with its own offset. */
  private final class Segments implements SegmentFile {
    @Override
    public void write(long offset, int bytes) {
      try {
        ByteBuffer from = content.stamped(offset, bytes);
        channel().position(offset);
        while (from.hasRemaining()) {
          channel().write(from);
        }
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }

    @Override
    public void read(long offset, int bytes) {
      try {
        ByteBuffer into = content.room(bytes);
        channel().position(offset);
        while (into.hasRemaining() && channel().read(into) >= 0) {
          // There is more to read.
        }
        content.check(offset);
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }
  }

  @Override
  public void flush() {
    store.flush();
  }

  /** Closes the volume and opens it again: it has nothing of its files in memory. */
  void reopen() throws IOException {
    store.checkpoint();
    closed = moved();
    close();
    store = Upcall.open(volume, config).fsm();
  }

  @Override
  public DeviceTraffic.Moved moved() {
    CompletableFuture<DiskCounters> counted = new CompletableFuture<>();
    store.execute(() -> counted.complete(store.fileManager().store().metrics().disk()));
    DiskCounters disk = counted.join();
    DiskCounters.Kind reads = disk.of(DiskOperation.READ);
    DiskCounters.Kind writes = disk.of(DiskOperation.WRITE);
    DiskCounters.Kind durable = disk.of(DiskOperation.DURABLE_WRITE);
    return new DeviceTraffic.Moved(
        closed.reads() + reads.requests(),
        closed.readBytes() + reads.bytes(),
        closed.writes() + writes.requests() + durable.requests(),
        closed.writtenBytes() + writes.bytes() + durable.bytes());
  }

  @Override
  public void close() throws IOException {
    if (segments != null) {
      segments.close();
      segments = null;
    }
    store.close();
  }
}
