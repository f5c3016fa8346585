package dev.upcall.bench.proxy.device;

import dev.upcall.bench.host.DeviceTraffic;
import dev.upcall.bench.host.KernelSync;
import dev.upcall.bench.host.MappedFaults;
import dev.upcall.bench.proxy.place.SegmentFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The file system of this machine, whose kernel has the memory. */
final class HostGround implements Ground {
  private final Path root;
  private final DeviceTraffic device;
  private final Content content;
  private final boolean readsAround;
  private final Arena arena = Arena.ofConfined();

  /**
   * @param readsAround whether a fault of a mapped file reads what is around it, as the kernel does
   *     unless it is told; otherwise it reads one page
   */
  HostGround(Path root, Content content, boolean readsAround) throws IOException {
    this.content = content;
    this.readsAround = readsAround;
    this.root = Files.createDirectory(root);
    this.device = DeviceTraffic.below(root);
  }

  @Override
  public Path root() {
    return root;
  }

  /** A mapped file with a hole wherever nothing was written. */
  @Override
  public SegmentFile segments(long mostBytes) throws IOException {
    Path path = root.resolve("segments");
    try (FileChannel file =
        FileChannel.open(
            path,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      MemorySegment memory = file.map(FileChannel.MapMode.READ_WRITE, 0, mostBytes, arena);
      if (!readsAround) {
        MappedFaults.onePage(memory);
      }
      return new Mapped(memory, content);
    }
  }

  /** A segment begins with its own offset. */
  private record Mapped(MemorySegment memory, Content content) implements SegmentFile {
    @Override
    public void write(long offset, int bytes) {
      memory
          .asSlice(offset, bytes)
          .copyFrom(MemorySegment.ofBuffer(content.stamped(offset, bytes)));
    }

    @Override
    public void read(long offset, int bytes) {
      ByteBuffer room = content.room(bytes);
      room.put(memory.asSlice(offset, bytes).asByteBuffer());
      content.check(offset);
    }
  }

  @Override
  public void flush() {
    KernelSync.run();
  }

  @Override
  public DeviceTraffic.Moved moved() throws IOException {
    return device.moved();
  }

  @Override
  public void close() {
    arena.close();
  }
}
