package dev.upcall.fileman.blocking;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.upcall.OpenMode;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.UpcallTransaction;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Channels of a store's files, beside those of the host's. */
class ByteChannelTest {
  @TempDir Path folder;

  private Upcall create(TestedStore tested) {
    return Upcall.create(folder.resolve("v.upcall"), tested.config());
  }

  /** Whatever is done to both gives the same. */
  @ParameterizedTest
  @EachEngine
  void aChannelDoesWhatThatOfTheHostDoes(TestedStore tested) throws IOException {
    for (long seed = 1; seed <= 3; seed++) {
      Random random = new Random(seed);
      String name = "f" + seed;
      try (Upcall store = Upcall.create(folder.resolve("s" + seed + ".upcall"), tested.config());
          SeekableByteChannel ours = store.newByteChannel("/" + name, OpenMode.CREATE_NEW);
          SeekableByteChannel theirs =
              FileChannel.open(
                  folder.resolve(name),
                  StandardOpenOption.CREATE_NEW,
                  StandardOpenOption.READ,
                  StandardOpenOption.WRITE)) {
        for (int step = 0; step < 120; step++) {
          String at = "seed " + seed + ", step " + step;
          switch (random.nextInt(5)) {
            case 0 -> {
              long size = random.nextInt(40_000);
              ours.truncate(size);
              theirs.truncate(size);
            }
            case 1 -> {
              long position = random.nextInt(40_000);
              ours.position(position);
              theirs.position(position);
            }
            case 2, 3 -> {
              byte[] bytes = new byte[random.nextInt(9_000)];
              random.nextBytes(bytes);
              ByteBuffer from = ByteBuffer.wrap(bytes);
              assertEquals(theirs.write(ByteBuffer.wrap(bytes)), ours.write(from), at);
              assertFalse(from.hasRemaining(), at);
            }
            default -> {
              int length = random.nextInt(9_000);
              long start = theirs.position();
              ByteBuffer expected = ByteBuffer.allocate(length);
              while (expected.hasRemaining() && theirs.read(expected) >= 0) {}
              ours.position(start);
              ByteBuffer read = ByteBuffer.allocate(length);
              while (read.hasRemaining() && ours.read(read) >= 0) {}
              assertArrayEquals(expected.array(), read.array(), at);
            }
          }
          assertEquals(theirs.position(), ours.position(), at);
          assertEquals(theirs.size(), ours.size(), at);
        }
      }
      try (Upcall store = Upcall.open(folder.resolve("s" + seed + ".upcall"), tested.config())) {
        assertArrayEquals(
            Files.readAllBytes(folder.resolve(name)), store.readAllBytes("/" + name), "" + seed);
      }
    }
  }

  @ParameterizedTest
  @EachEngine
  void aChannelToReadKeepsItsVersion(TestedStore tested) throws IOException {
    try (Upcall store = create(tested)) {
      store.writeString("/f", "before");
      SeekableByteChannel channel = store.newByteChannel("/f");
      store.writeString("/f", "afterwards");
      ByteBuffer read = ByteBuffer.allocate(100);
      assertEquals(4, channel.position(2).read(read));
      assertEquals("fore", new String(read.array(), 0, 4, UTF_8));
      assertEquals(-1, channel.read(read));
      assertEquals(0, channel.read(ByteBuffer.allocate(0)));
      assertEquals(6, channel.size());
      assertThrows(NonWritableChannelException.class, () -> channel.write(read));
      assertThrows(NonWritableChannelException.class, () -> channel.truncate(0));
      assertThrows(IllegalArgumentException.class, () -> channel.position(-1));
      channel.close();
      assertThrows(ClosedChannelException.class, () -> channel.read(read));
      assertThrows(ClosedChannelException.class, channel::size);
      assertThrows(UpcallException.NotFound.class, () -> store.newByteChannel("/none"));
      assertThrows(
          UpcallException.AlreadyExists.class,
          () -> store.newByteChannel("/f", OpenMode.CREATE_NEW));
    }
  }

  @ParameterizedTest
  @EachEngine
  void aChannelToWriteEndsWithItsClose(TestedStore tested) throws IOException {
    try (Upcall store = create(tested)) {
      SeekableByteChannel channel = store.newByteChannel("/f", OpenMode.CREATE);
      channel.write(ByteBuffer.wrap("text".getBytes(UTF_8)));
      assertEquals("", store.readString("/f"));
      channel.close();
      channel.close();
      assertFalse(channel.isOpen());
      assertEquals("text", store.readString("/f"));
      assertThrows(ClosedChannelException.class, () -> channel.write(ByteBuffer.allocate(1)));
      assertThrows(ClosedChannelException.class, () -> channel.truncate(0));
      assertThrows(IllegalArgumentException.class, () -> channel.truncate(-1));
    }
  }

  @Test
  void aTransactionHasChannelsToo() throws IOException {
    try (Upcall store = create(TestedStore.RING);
        UpcallTransaction change = store.fsm().begin()) {
      try (SeekableByteChannel channel = change.newByteChannel("/f", OpenMode.CREATE)) {
        channel.write(ByteBuffer.wrap("text".getBytes(UTF_8)));
        ByteBuffer read = ByteBuffer.allocate(4);
        assertEquals(4, channel.position(0).read(read));
      }
      assertFalse(store.exists("/f"));
      change.commit();
      assertEquals("text", store.readString("/f"));
    }
  }
}
