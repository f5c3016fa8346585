package dev.upcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.fileman.blocking.EachEngine;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Ranges that no file has, and files that nearly have them: the store lives whatever is asked. */
class ExtremeRangesTest {
  private static final long MAX = FileRequest.MAX_FILE_BYTES;

  private static final long[] NUMBERS = {
    Long.MIN_VALUE, -1, 0, 999, 1000, 1001, MAX - 4096, MAX - 2, MAX, MAX + 1, Long.MAX_VALUE
  };

  private static final int[] LENGTHS = {0, 3, 5000};

  @TempDir Path folder;
  private int calls;

  @BeforeEach
  void count() {
    calls = 0;
  }

  private interface Call {
    void run() throws IOException;
  }

  private Upcall store(Engine engine) {
    UpcallConfig config = UpcallConfig.DEFAULT.withMemoryBytes(16L << 20).withEngine(engine);
    Upcall store = Upcall.create(folder.resolve("s.upcall"), config);
    store.write("/other", new byte[] {7});
    return store;
  }

  /** It does what is asked, or refuses in words of the caller's; other files hear nothing of it. */
  private void call(Upcall store, String what, Call call) {
    calls++;
    try {
      call.run();
    } catch (IOException | UpcallException | IllegalArgumentException refused) {
      assertTrue(refused.getMessage() != null && !refused.getMessage().isEmpty(), what);
    }
    assertEquals(1, store.stat("/other").sizeBytes(), what);
  }

  @ParameterizedTest
  @EachEngine
  void request_anyRange_storeLives(Engine engine) {
    try (Upcall store = store(engine)) {
      for (long offset : NUMBERS) {
        store.write("/f", new byte[1000]);
        for (long removed : NUMBERS) {
          for (int length : LENGTHS) {
            String what = "%d from %d, %d come".formatted(removed, offset, length);
            FileRequest splice =
                new FileRequest.Splice(StorePath.of("/f"), offset, removed, new byte[length]);
            call(store, what, () -> store.batch(List.of(splice), Durability.ASYNC));
            call(store, what, () -> spliceByHandle(store, offset, removed, length));
          }
          call(store, removed + " copied from " + offset, () -> copy(store, offset, removed));
        }
      }
      assertTrue(calls > 800, () -> "only " + calls);
    }
  }

  private static void copy(Upcall store, long offset, long bytes) {
    FileRequest.Range from = new FileRequest.Range(StorePath.of("/f"), offset, bytes);
    for (FileRequest.Placing placing : FileRequest.Placing.values()) {
      FileRequest copy = new FileRequest.CopyRange(from, StorePath.of("/other"), offset, placing);
      try {
        store.batch(List.of(copy), Durability.ASYNC);
      } finally {
        store.write("/other", new byte[] {7});
      }
    }
  }

  private static void spliceByHandle(Upcall store, long offset, long removed, int length) {
    try (Upcall.RandomAccess handle = store.open("/f", OpenMode.EXISTING)) {
      handle.splice(offset, removed, ByteBuffer.allocate(length));
    }
  }

  @ParameterizedTest
  @EachEngine
  void write_anyOffset_storeLives(Engine engine) {
    try (Upcall store = store(engine)) {
      for (long offset : NUMBERS) {
        for (int length : LENGTHS) {
          store.write("/f", new byte[1000]);
          String what = length + " at " + offset;
          call(store, what, () -> writeByHandle(store, offset, length));
          call(store, what, () -> appendByHandle(store, length));
          call(store, what, () -> writeByChannel(store, offset, length));
          call(store, what, () -> appendByChannel(store, length));
          call(store, what, () -> truncate(store, offset));
          call(store, what, () -> appendByHandle(store, length));
        }
      }
      assertTrue(calls > 190, () -> "only " + calls);
    }
  }

  private static void writeByHandle(Upcall store, long offset, int length) {
    try (Upcall.RandomAccess handle = store.open("/f", OpenMode.EXISTING)) {
      handle.write(offset, ByteBuffer.allocate(length));
      handle.flush();
      handle.read(offset, ByteBuffer.allocate(length));
    }
  }

  private static void appendByHandle(Upcall store, int length) {
    try (Upcall.RandomAccess handle = store.open("/f", OpenMode.EXISTING)) {
      handle.append(ByteBuffer.allocate(length));
    }
  }

  private static void truncate(Upcall store, long sizeBytes) {
    try (Upcall.RandomAccess handle = store.open("/f", OpenMode.EXISTING)) {
      handle.truncate(sizeBytes);
    }
  }

  private static void writeByChannel(Upcall store, long offset, int length) throws IOException {
    Path path = store.fileSystem().getPath("/f");
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(length), offset);
      channel.read(ByteBuffer.allocate(length), offset);
      channel.force(false);
    }
  }

  private static void appendByChannel(Upcall store, int length) throws IOException {
    Path path = store.fileSystem().getPath("/f");
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.APPEND)) {
      channel.write(ByteBuffer.allocate(length));
      channel.write(ByteBuffer.allocate(length));
    }
  }
}
