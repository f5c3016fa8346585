package dev.upcall.nio.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Calls of channels at the edges of what their arguments may be: locks, transfers, mappings. */
final class ChannelCalls {
  private ChannelCalls() {}

  private static final OpenOption[][] WAYS = {{READ}, {WRITE}, {READ, WRITE}, {APPEND}};
  private static final OpenOption[] BOTH = {READ, WRITE};

  interface Use {
    Object with(FileChannel channel) throws IOException;
  }

  /** Uses, each with a channel of its own on a file of ten bytes. */
  private static final Map<String, Use> USES = new LinkedHashMap<>();

  private static void use(String name, Use use) {
    USES.put(name, use);
  }

  static List<Call> all() {
    USES.clear();
    locks();
    transfers();
    mappings();
    buffers();
    sizes();
    List<Call> calls = new ArrayList<>();
    for (OpenOption[] way : WAYS) {
      USES.forEach((name, use) -> calls.add(call("channel " + name, use, way)));
    }
    USES.forEach(
        (name, use) ->
            calls.add(
                call(
                    "closed channel " + name,
                    c -> {
                      c.close();
                      return use.with(c);
                    },
                    BOTH)));
    two(calls);
    ends(calls);
    return calls;
  }

  private static Call call(String name, Use use, OpenOption... options) {
    return new Call(
        name + " " + Arrays.toString(options),
        root -> {
          Path file = Files.writeString(root.resolve("file"), "0123456789");
          List<Object> answers = new ArrayList<>();
          try (FileChannel channel = FileChannel.open(file, options)) {
            ask(answers, root, () -> use.with(channel));
            ask(answers, root, channel::position);
            ask(answers, root, channel::size);
          }
          return answers + Files.readString(file).replace('\0', '_');
        });
  }

  private interface Question {
    Object ask() throws IOException;
  }

  private static void ask(List<Object> answers, Path root, Question question) {
    answers.add(new Call("question", _ -> question.ask()).outcome(root));
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  // ------------------------------------------------------------------ locks

  private static String told(FileLock lock) {
    return lock == null
        ? "none"
        : lock.position() + " " + lock.size() + " " + lock.isShared() + " " + lock.isValid();
  }

  private static void locks() {
    for (boolean shared : new boolean[] {true, false}) {
      for (long[] region :
          new long[][] {
            {0, 0},
            {4, 0},
            {Long.MAX_VALUE, 0},
            {-1, 0},
            {0, Long.MAX_VALUE},
            {1, Long.MAX_VALUE},
            {0, -1},
            {20, 5},
            {Long.MAX_VALUE - 1, 1}
          }) {
        String name = Arrays.toString(region) + (shared ? " shared" : "");
        use("lock " + name, c -> told(c.lock(region[0], region[1], shared)));
        use("tryLock " + name, c -> told(c.tryLock(region[0], region[1], shared)));
        use(
            "lock again " + name,
            c -> told(c.lock(3, 4, shared)) + told(c.lock(region[0], region[1], shared)));
        use(
            "lock before " + name,
            c -> told(c.lock(region[0], region[1], shared)) + told(c.tryLock(5, 1, shared)));
      }
      use(
          "release twice " + shared,
          c -> {
            FileLock lock = c.lock(0, 4, shared);
            lock.release();
            lock.release();
            return told(lock);
          });
      use(
          "release, then close " + shared,
          c -> {
            FileLock lock = c.lock(0, 4, shared);
            lock.close();
            c.close();
            return told(lock);
          });
      use(
          "close, then ask a lock " + shared,
          c -> {
            FileLock lock = c.lock(0, 4, shared);
            c.close();
            return told(lock);
          });
      use(
          "close, then release " + shared,
          c -> {
            FileLock lock = c.lock(0, 4, shared);
            c.close();
            lock.release();
            return told(lock);
          });
      use(
          "lock beside a lock " + shared,
          c -> told(c.lock(0, 4, shared)) + told(c.lock(4, 4, shared)));
      use(
          "lock overlaps " + shared,
          c -> {
            FileLock lock = c.lock(4, 0, shared);
            return lock.overlaps(0, 4) + " " + lock.overlaps(0, 5) + " " + lock.overlaps(99, 0);
          });
      use("lock and its channel " + shared, c -> c.lock(0, 1, shared).acquiredBy() == c);
    }
    use("lock of all", c -> told(c.lock()));
    use("tryLock of all", c -> told(c.tryLock()));
  }

  /** What two channels on one file say to each other. */
  private static void two(List<Call> calls) {
    for (long[] region : new long[][] {{0, 0}, {9, 0}, {0, 5}, {5, 5}, {5, 0}}) {
      calls.add(
          new Call(
              "two channels lock " + Arrays.toString(region),
              root -> {
                Path file = Files.writeString(root.resolve("file"), "0123456789");
                try (FileChannel one = FileChannel.open(file, BOTH);
                    FileChannel two = FileChannel.open(file, BOTH)) {
                  FileLock first = one.lock(5, 0, false);
                  String second =
                      new Call("second", _ -> told(two.lock(region[0], region[1], false)))
                          .outcome(root);
                  close(one);
                  return second + told(first) + told(two.tryLock(20, 0, false));
                } catch (OverlappingFileLockException overlapping) {
                  return "overlapping";
                }
              }));
    }
    calls.add(
        new Call(
            "two channels transfer",
            root -> {
              Path file = Files.writeString(root.resolve("file"), "0123456789");
              try (FileChannel one = FileChannel.open(file, BOTH);
                  FileChannel two = FileChannel.open(file, APPEND)) {
                return one.transferTo(3, Long.MAX_VALUE, two)
                    + " "
                    + two.transferFrom(one.position(14), 0, 1_000_000)
                    + one.position()
                    + Files.readString(file);
              }
            }));
    calls.add(
        new Call(
            "two channels transfer a lot",
            root -> {
              Path file = Files.write(root.resolve("file"), new byte[300_000]);
              try (FileChannel one = FileChannel.open(file, BOTH);
                  FileChannel two = FileChannel.open(file, BOTH)) {
                return one.transferTo(0, Long.MAX_VALUE, two.position(300_000))
                    + " "
                    + two.transferFrom(one.position(500_000), 600_000, Long.MAX_VALUE)
                    + " "
                    + one.position()
                    + " "
                    + two.position()
                    + " "
                    + Files.size(file);
              }
            }));
  }

  private static void close(Closeable channel) throws IOException {
    channel.close();
  }

  // ------------------------------------------------------------------ transfers

  private static WritableByteChannel sink() {
    return Channels.newChannel(new ByteArrayOutputStream());
  }

  private static void transfers() {
    use("transferTo its own end", c -> c.transferTo(0, 30, c.position(10)) + " " + c.size());
    use("transferTo behind its end", c -> c.transferTo(0, 30, c.position(20)) + " " + c.size());
    use("transferTo its own begin", c -> c.transferTo(5, 30, c.position(0)) + " " + c.size());
    use("transferTo all to its end", c -> c.transferTo(0, Long.MAX_VALUE, c.position(10)));
    use("transferTo from the end", c -> c.transferTo(10, 5, sink()));
    use("transferTo from behind the end", c -> c.transferTo(11, 5, sink()));
    use("transferTo from far behind the end", c -> c.transferTo(Long.MAX_VALUE, 5, sink()));
    use("transferTo nothing", c -> c.transferTo(3, 0, sink()));
    use("transferTo negative", c -> c.transferTo(3, -1, sink()));
    use("transferTo nowhere", c -> c.transferTo(3, 3, null));
    use(
        "transferTo what is closed",
        c -> {
          WritableByteChannel closed = sink();
          closed.close();
          return c.transferTo(0, 1, closed);
        });
    use("transferTo what takes little", c -> c.transferTo(0, 9, new Limited(4)));
    use("transferTo what takes nothing", c -> c.transferTo(0, 9, new Limited(0)));
    use("transferTo what fails", c -> c.transferTo(0, 9, new Limited(-1)));
    use("transferFrom its own begin", c -> c.transferFrom(c.position(0), 10, 30));
    use("transferFrom its own end", c -> c.transferFrom(c.position(10), 0, 30));
    use("transferFrom behind its own end", c -> c.transferFrom(c.position(12), 0, 30));
    use("transferFrom itself to the begin", c -> c.transferFrom(c.position(5), 0, 30));
    use("transferFrom nothing", c -> c.transferFrom(in("abc"), 3, 0));
    use("transferFrom negative", c -> c.transferFrom(in("abc"), 3, -1));
    use("transferFrom negative position", c -> c.transferFrom(in("abc"), -1, 3));
    use("transferFrom nowhere", c -> c.transferFrom(null, 0, 3));
    use("transferFrom behind the end", c -> c.transferFrom(in("abc"), 12, 3));
    use("transferFrom what ends", c -> c.transferFrom(in("abc"), 2, Long.MAX_VALUE));
    use(
        "transferFrom what is closed",
        c -> {
          var closed = in("abc");
          closed.close();
          return c.transferFrom(closed, 0, 1);
        });
  }

  private static java.nio.channels.ReadableByteChannel in(String text) {
    return Channels.newChannel(new ByteArrayInputStream(text.getBytes(UTF_8)));
  }

  /** Takes so many bytes at once; with less than none it fails. */
  private static final class Limited implements WritableByteChannel {
    private final int most;

    Limited(int most) {
      this.most = most;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
      if (most < 0) {
        throw new IOException("full");
      }
      int count = Math.min(most, source.remaining());
      source.position(source.position() + count);
      return count;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  // ------------------------------------------------------------------ mappings

  private static void mappings() {
    for (MapMode mode : List.of(MapMode.READ_ONLY, MapMode.PRIVATE)) {
      for (long[] range :
          new long[][] {
            {0, 10},
            {0, 0},
            {3, 4},
            {10, 0},
            {12, 0},
            {3, 20},
            {12, 4},
            {-1, 1},
            {1, -1},
            {0, 1L << 31},
            {Long.MAX_VALUE, 1}
          }) {
        use(
            "map " + mode + " " + Arrays.toString(range),
            c -> {
              MappedByteBuffer mapped = c.map(mode, range[0], range[1]);
              byte[] there = new byte[mapped.remaining()];
              mapped.get(there);
              return mapped.isReadOnly() + new String(there, UTF_8).replace('\0', '_');
            });
        use(
            "map segment " + mode + " " + Arrays.toString(range),
            c -> {
              if (range[1] > 100) {
                return "sparse files are not compared";
              }
              try (Arena arena = Arena.ofConfined()) {
                MemorySegment mapped = c.map(mode, range[0], range[1], arena);
                return mapped.isReadOnly()
                    + " "
                    + mapped.byteSize()
                    + new String(mapped.toArray(ValueLayout.JAVA_BYTE), UTF_8).replace('\0', '_');
              }
            });
      }
    }
    use("map without a mode", c -> c.map(null, 0, 1));
    use("map without an arena", c -> c.map(MapMode.READ_ONLY, 0, 1, null));
    use(
        "map of an arena that is closed",
        c -> {
          Arena arena = Arena.ofConfined();
          arena.close();
          return c.map(MapMode.READ_ONLY, 0, 1, arena);
        });
    use(
        "map privately and change",
        c -> {
          MappedByteBuffer mapped = c.map(MapMode.PRIVATE, 0, 4);
          mapped.put(0, (byte) 'x');
          return (char) mapped.get(0);
        });
  }

  // ------------------------------------------------------------------ buffers

  private static ByteBuffer[] buffers(int... sizes) {
    return Arrays.stream(sizes).mapToObj(ByteBuffer::allocate).toArray(ByteBuffer[]::new);
  }

  private static void buffers() {
    use("scatter none", c -> c.read(new ByteBuffer[0]));
    use("scatter into nothing", c -> c.read(buffers(0, 0)));
    use("scatter into nothing at the end", c -> c.position(10).read(buffers(0, 0)));
    use("scatter at the end", c -> c.position(10).read(buffers(2, 3)));
    use("scatter over the end", c -> c.position(8).read(buffers(1, 0, 3)));
    use("scatter some", c -> c.read(buffers(1, 2, 3, 4), 1, 2));
    use("scatter no range", c -> c.read(buffers(1, 2), 2, 0));
    use("scatter bad range", c -> c.read(buffers(1, 2), 1, 2));
    use("scatter negative range", c -> c.read(buffers(1, 2), -1, 2));
    use("scatter negative length", c -> c.read(buffers(1, 2), 0, -1));
    use("scatter into null", c -> c.read(new ByteBuffer[] {ByteBuffer.allocate(1), null}));
    use("scatter without buffers", c -> c.read((ByteBuffer[]) null));
    use(
        "scatter into one that is read only",
        c -> c.read(new ByteBuffer[] {ByteBuffer.allocate(3), bytes("abc").asReadOnlyBuffer()}));
    use("gather none", c -> c.write(new ByteBuffer[0]));
    use("gather nothing", c -> c.write(buffers(0, 0)));
    use("gather some", c -> c.write(buffers(1, 2, 3, 4), 1, 2));
    use("gather no range", c -> c.write(buffers(1, 2), 2, 0));
    use("gather bad range", c -> c.write(buffers(1, 2), 1, 2));
    use("gather negative range", c -> c.write(buffers(1, 2), -1, 2));
    use("gather null", c -> c.write(new ByteBuffer[] {ByteBuffer.allocate(1), null}));
    use("gather without buffers", c -> c.write((ByteBuffer[]) null));
    use("gather behind the end", c -> c.position(12).write(buffers(1, 2)));
    use("read into nothing at the end", c -> c.position(10).read(ByteBuffer.allocate(0)));
    use("read at the end", c -> c.position(10).read(ByteBuffer.allocate(4)));
    use("read behind the end", c -> c.position(1L << 40).read(ByteBuffer.allocate(4)));
    use("read far behind the end", c -> c.read(ByteBuffer.allocate(4), 1L << 40));
    use("read only buffer at", c -> c.read(bytes("abc").asReadOnlyBuffer(), 0));
    use("read only buffer of nothing", c -> c.read(bytes("").asReadOnlyBuffer()));
    use("read without a buffer", c -> c.read((ByteBuffer) null));
    use("read at without a buffer", c -> c.read(null, 0));
    use("read at a negative offset", c -> c.read(ByteBuffer.allocate(4), -1));
    use("read without a buffer at a negative offset", c -> c.read(null, -1));
    use("write without a buffer", c -> c.write((ByteBuffer) null));
    use("write at without a buffer", c -> c.write(null, 0));
    use("write at a negative offset", c -> c.write(bytes("a"), -1));
    use("write nothing at the end of all", c -> c.write(bytes(""), Long.MAX_VALUE));
    use("write a read only buffer", c -> c.write(bytes("abc").asReadOnlyBuffer()));
    use(
        "write a direct buffer",
        c -> c.write(ByteBuffer.allocateDirect(3).put(bytes("abc")).flip()));
    use(
        "read into a direct buffer",
        c -> {
          ByteBuffer direct = ByteBuffer.allocateDirect(5);
          return c.read(direct) + " " + direct.position();
        });
    use(
        "read into the middle of a buffer",
        c -> {
          ByteBuffer some = ByteBuffer.allocate(9).position(3).limit(6);
          return c.read(some) + " " + some + Arrays.toString(some.array());
        });
  }

  // ------------------------------------------------------------------ positions and sizes

  private static void sizes() {
    use("position", FileChannel::position);
    use("position negative", c -> c.position(-1));
    use("position far", c -> c.position(1L << 40).position());
    use("position, returned", c -> c.position(3) == c);
    use("size", FileChannel::size);
    use("truncate negative", c -> c.truncate(-1));
    use("truncate to nothing", c -> c.truncate(0).position());
    use("truncate to the same", c -> c.position(4).truncate(10).position());
    use("truncate to more", c -> c.position(4).truncate(Long.MAX_VALUE).position());
    use("truncate behind", c -> c.position(30).truncate(20).position());
    use("truncate, returned", c -> c.truncate(3) == c);
    use("truncate and write", c -> c.position(8).truncate(4).write(bytes("ab")));
    use("write, then position", c -> c.position(2).write(bytes("ab")) + " " + c.position());
    use("write at, then position", c -> c.write(bytes("ab"), 7) + " " + c.position());
    use(
        "force",
        c -> {
          c.force(false);
          return "forced";
        });
    use(
        "close twice",
        c -> {
          c.close();
          c.close();
          return c.isOpen();
        });
  }

  /** Positions that no file has; some file systems refuse them, all what is done there. */
  private static void ends(List<Call> calls) {
    for (OpenOption[] way : new OpenOption[][] {{WRITE}, BOTH}) {
      calls.add(
          new Call(
              "write where numbers end " + Arrays.toString(way),
              root -> {
                Path file = Files.writeString(root.resolve("file"), "0123456789");
                try (FileChannel channel = FileChannel.open(file, way)) {
                  return channel.position(Long.MAX_VALUE).write(bytes("ab"));
                }
              }));
    }
  }
}
