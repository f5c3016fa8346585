package dev.upcall.nio.channel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.fileman.blocking.EachEngine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Channels by chance: the same requests to a store and to the host, with the same answers. */
class ChannelModelTest {
  private static final int STEPS = 600;
  private static final int FILES = 3;
  private static final int MOST_BYTES = 200_000;

  @TempDir Path folder;

  /** The same channel on both sides. */
  private record Twin(FileChannel host, FileChannel ours) {
    void close() throws IOException {
      host.close();
      ours.close();
    }
  }

  private interface Request {
    Object to(FileChannel channel) throws IOException;
  }

  @ParameterizedTest
  @EachEngine({"1", "2", "3"})
  void channelsAnswerAsThoseOfTheHost(Engine engine, long seed) throws IOException {
    UpcallConfig config = UpcallConfig.DEFAULT.withMemoryBytes(16L << 20).withEngine(engine);
    Random random = new Random(seed);
    Path host = Files.createDirectory(folder.resolve("host"));
    try (Upcall store = Upcall.create(folder.resolve("m.upcall"), config)) {
      Path ours = Files.createDirectory(store.fileSystem().getPath("/ours"));
      List<Twin> open = new ArrayList<>();
      for (int step = 0; step < STEPS; step++) {
        String where = "seed " + seed + ", step " + step;
        int what = random.nextInt(20);
        if (open.size() < 2 || what == 0 && open.size() < 8) {
          open.add(opened(random, host, ours));
        } else if (what == 1) {
          open.remove(random.nextInt(open.size())).close();
        } else if (what == 2) {
          moveOrDelete(random, host, ours);
        } else {
          Twin twin = open.get(random.nextInt(open.size()));
          same(where, twin, random);
        }
        if (step % 50 == 0) {
          sameFiles(where, host, ours);
        }
      }
      for (Twin twin : open) {
        twin.close();
      }
      sameFiles("seed " + seed + " at the end", host, ours);
    }
  }

  private static Twin opened(Random random, Path host, Path ours) throws IOException {
    OpenOption[][] ways = {
      {StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE},
      {StandardOpenOption.CREATE, StandardOpenOption.APPEND},
      {
        StandardOpenOption.CREATE,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE,
        StandardOpenOption.DSYNC
      },
      {
        StandardOpenOption.CREATE,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE,
        StandardOpenOption.TRUNCATE_EXISTING
      },
    };
    OpenOption[] way = ways[random.nextInt(ways.length)];
    String name = "f" + random.nextInt(FILES);
    return new Twin(
        FileChannel.open(host.resolve(name), way), FileChannel.open(ours.resolve(name), way));
  }

  private static void moveOrDelete(Random random, Path host, Path ours) throws IOException {
    String from = "f" + random.nextInt(FILES);
    String to = "f" + random.nextInt(FILES);
    int what = random.nextInt(3);
    for (Path folder : List.of(host, ours)) {
      if (what == 0) {
        Files.deleteIfExists(folder.resolve(from));
      } else if (Files.exists(folder.resolve(from)) && what == 1) {
        Files.move(folder.resolve(from), folder.resolve(to), StandardCopyOption.REPLACE_EXISTING);
      } else if (Files.exists(folder.resolve(from))) {
        Files.copy(folder.resolve(from), folder.resolve(to), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private static void same(String where, Twin twin, Random random) {
    long offset = random.nextInt(MOST_BYTES);
    byte[] bytes = new byte[length(random)];
    random.nextBytes(bytes);
    boolean direct = random.nextBoolean();
    Request request =
        switch (random.nextInt(10)) {
          case 0 -> channel -> channel.write(buffer(bytes, direct), offset);
          case 1 -> channel -> channel.write(buffer(bytes, direct));
          case 2 -> channel -> read(channel, bytes.length, offset);
          case 3 -> channel -> read(channel, bytes.length, -1);
          case 4 -> channel -> channel.position(offset).position();
          case 5 -> channel -> channel.truncate(offset).size();
          case 6 ->
              channel ->
                  channel.write(new ByteBuffer[] {buffer(bytes, direct), buffer(bytes, !direct)});
          case 7 ->
              channel -> {
                channel.force(direct);
                return channel.size();
              };
          case 8 ->
              channel -> {
                ByteBuffer[] parts = {ByteBuffer.allocate(bytes.length), ByteBuffer.allocate(9)};
                return channel.read(parts) + new String(parts[0].array(), "ISO-8859-1");
              };
          default -> FileChannel::size;
        };
    assertEquals(outcome(request, twin.host()), outcome(request, twin.ours()), where);
    assertEquals(
        outcome(FileChannel::position, twin.host()),
        outcome(FileChannel::position, twin.ours()),
        where);
  }

  /** Mostly small, sometimes more than rides in the log. */
  private static int length(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> random.nextInt(MOST_BYTES);
      case 1 -> 4096 * (1 + random.nextInt(4));
      case 2 -> 0;
      default -> random.nextInt(5000);
    };
  }

  private static ByteBuffer buffer(byte[] bytes, boolean direct) {
    return direct
        ? ByteBuffer.allocateDirect(bytes.length).put(bytes).flip()
        : ByteBuffer.wrap(bytes);
  }

  private static Object read(FileChannel channel, int length, long offset) throws IOException {
    ByteBuffer into = ByteBuffer.allocate(length);
    int count = offset < 0 ? channel.read(into) : channel.read(into, offset);
    return count + new String(into.array(), "ISO-8859-1");
  }

  private static String outcome(Request request, FileChannel channel) {
    try {
      return String.valueOf(request.to(channel));
    } catch (IOException | RuntimeException failed) {
      return failed.getClass().getName();
    }
  }

  private static void sameFiles(String where, Path host, Path ours) throws IOException {
    for (int i = 0; i < FILES; i++) {
      Path there = host.resolve("f" + i);
      Path here = ours.resolve("f" + i);
      assertEquals(Files.exists(there), Files.exists(here), where);
      if (Files.exists(there)) {
        assertEquals(Files.size(there), Files.size(here), where);
        assertArrayEquals(Files.readAllBytes(there), Files.readAllBytes(here), where);
      }
    }
  }
}
