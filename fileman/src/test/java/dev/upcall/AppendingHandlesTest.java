package dev.upcall;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.upcall.fileman.blocking.EachEngine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Many handles that append to one file: none is refused for another's sake. */
class AppendingHandlesTest {
  private static final int HANDLES = 16;

  @TempDir Path folder;

  @ParameterizedTest
  @EachEngine({"100, 40", "100000, 6"})
  void flush_sixteenHandlesAppendToOneFile_nobodyIsRefused(Engine engine, int bytes, int flushes)
      throws Exception {
    UpcallConfig config = UpcallConfig.DEFAULT.withMemoryBytes(64L << 20).withEngine(engine);
    try (Upcall store = Upcall.create(folder.resolve("s.upcall"), config);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      store.write("/log", new byte[0]);
      List<Callable<Void>> writers = new ArrayList<>();
      for (int writer = 0; writer < HANDLES; writer++) {
        byte[] line = line(writer, bytes);
        boolean isChannel = writer % 4 == 3;
        writers.add(
            () -> {
              if (isChannel) {
                appendByChannel(store, line, flushes);
              } else {
                appendByHandle(store, line, flushes);
              }
              return null;
            });
      }
      for (Future<Void> ended : threads.invokeAll(writers)) {
        ended.get();
      }
      assertWhole(store.readAllBytes("/log"), bytes, flushes);
    }
  }

  private static void appendByHandle(Upcall store, byte[] line, int flushes) {
    try (Upcall.RandomAccess handle = store.open("/log", OpenMode.EXISTING)) {
      for (int i = 0; i < flushes; i++) {
        handle.append(ByteBuffer.wrap(line));
        handle.flush();
      }
    }
  }

  private static void appendByChannel(Upcall store, byte[] line, int flushes) throws IOException {
    Path path = store.fileSystem().getPath("/log");
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.APPEND)) {
      for (int i = 0; i < flushes; i++) {
        channel.write(ByteBuffer.wrap(line));
        channel.force(false);
      }
    }
  }

  private static byte[] line(int writer, int bytes) {
    byte[] line = new byte[bytes];
    Arrays.fill(line, (byte) writer);
    return line;
  }

  private static void assertWhole(byte[] all, int bytes, int flushes) {
    int[] lines = new int[HANDLES];
    assertEquals(HANDLES * flushes * bytes, all.length);
    for (int at = 0; at < all.length; at += bytes) {
      assertArrayEquals(line(all[at], bytes), Arrays.copyOfRange(all, at, at + bytes));
      lines[all[at]]++;
    }
    int[] expected = new int[HANDLES];
    Arrays.fill(expected, flushes);
    assertArrayEquals(expected, lines);
  }
}
