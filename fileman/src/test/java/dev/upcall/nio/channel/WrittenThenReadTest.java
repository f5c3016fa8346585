package dev.upcall.nio.channel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.buffer.BufferCounters;
import dev.upcall.completion.Completion;
import dev.upcall.txn.Store;
import dev.upcall.txn.metrics.StoreMetrics;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was written a moment ago can be read on other threads when it has got its place. */
class WrittenThenReadTest {
  private static final UpcallConfig SMALL = UpcallConfig.DEFAULT.withMemoryBytes(64L << 20);

  private static final int FILES = 50;

  @TempDir Path folder;

  /** So the first one to read it waits neither for the disk nor for the store. */
  @Test
  void whatWasJustPlacedIsReadBesideTheStore() throws IOException {
    try (Upcall store = Upcall.create(folder.resolve("s.upcall"), SMALL)) {
      Path root = store.fileSystem().getPath("/");
      Files.write(root.resolve("other"), new byte[1 << 20]);
      Files.readAllBytes(root.resolve("other")); // from now on frames are shared
      Random random = new Random(3);
      List<byte[]> contents = new ArrayList<>();
      for (int i = 0; i < FILES; i++) {
        byte[] content = new byte[5000 + random.nextInt(40_000)];
        random.nextBytes(content);
        contents.add(content);
        Files.write(root.resolve("f" + i), content);
      }
      store.checkpoint(); // which gives all of it a place
      BufferCounters before = buffers(store);
      long asked = answered(store);
      for (int i = 0; i < FILES; i++) {
        ByteBuffer into = ByteBuffer.allocate(contents.get(i).length);
        try (FileChannel channel = FileChannel.open(root.resolve("f" + i))) {
          assertEquals(into.capacity(), channel.read(into));
        }
        assertArrayEquals(contents.get(i), into.array(), "file " + i);
      }
      assertEquals(before.loads(), buffers(store).loads(), "reads of the disk");
      assertEquals(before.hits(), buffers(store).hits(), "reads of the store");
      assertTrue(answered(store) - asked >= FILES, "reads beside the store");
    }
  }

  private static long answered(Upcall store) {
    return store.fsm().fileManager().store().published().answered();
  }

  private static BufferCounters buffers(Upcall store) {
    Completion<StoreMetrics> metrics =
        store
            .fsm()
            .await(
                port -> {
                  Store machines = store.fsm().fileManager().store();
                  machines.dispatcher().complete(port, Completion.done(machines.metrics()));
                });
    return UpcallException.value(metrics).buffers();
  }
}
