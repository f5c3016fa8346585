package dev.upcall.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory that does not come out of the JVM's. */
class DirectMemoryTest {
  @TempDir Path folder;

  @Test
  void ofProcess_isZeroedAndDirect() {
    for (int bytes : new int[] {1, 4096, 1 << 20}) {
      ByteBuffer buffer = DirectMemory.ofProcess(bytes);
      assertTrue(buffer.isDirect());
      assertEquals(bytes, buffer.capacity());
      for (int at = 0; at < bytes; at++) {
        assertEquals(0, buffer.get(at));
      }
      buffer.put(bytes - 1, (byte) 1);
    }
  }

  @Test
  void ofProcess_ofMoreThanThereIs_isRefused() {
    assertEquals(0, LargePages.calls().allocate(Long.MAX_VALUE / 2));
  }

  @Test
  void newBuffer_isAlignedAndReadsFiles() throws Exception {
    ByteBuffer buffer = Disk.newBuffer(3 * Disk.BLOCK_BYTES);
    assertEquals(0, MemorySegment.ofBuffer(buffer).address() % Disk.BLOCK_BYTES);
    assertEquals(ByteOrder.LITTLE_ENDIAN, buffer.order());
    ByteBuffer own = DirectMemory.ofProcess(Disk.BLOCK_BYTES);
    own.putInt(0, 4711);
    Path file = folder.resolve("f");
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      assertEquals(own.capacity(), channel.write(own));
      channel.read(buffer.slice(0, Disk.BLOCK_BYTES), 0);
    }
    assertEquals(4711, buffer.order(ByteOrder.BIG_ENDIAN).getInt(0));
  }
}
