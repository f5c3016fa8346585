package dev.upcall.nio.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.DELETE_ON_CLOSE;
import static java.nio.file.StandardOpenOption.DSYNC;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.SPARSE;
import static java.nio.file.StandardOpenOption.SYNC;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Calls about content: opening with all sorts of options, and what channels do. */
final class ContentCalls {
  private ContentCalls() {}

  private static final List<List<OpenOption>> OPTIONS =
      List.of(
          List.of(),
          List.of(READ),
          List.of(WRITE),
          List.of(READ, WRITE),
          List.of(APPEND),
          List.of(READ, APPEND),
          List.of(WRITE, APPEND),
          List.of(APPEND, TRUNCATE_EXISTING),
          List.of(CREATE),
          List.of(WRITE, CREATE),
          List.of(WRITE, CREATE_NEW),
          List.of(READ, CREATE_NEW),
          List.of(WRITE, CREATE, TRUNCATE_EXISTING),
          List.of(READ, TRUNCATE_EXISTING),
          List.of(WRITE, SPARSE, CREATE_NEW),
          List.of(WRITE, SYNC),
          List.of(WRITE, DSYNC, CREATE),
          List.of(READ, NOFOLLOW_LINKS),
          List.of(WRITE, CREATE, NOFOLLOW_LINKS),
          List.of(READ, WRITE, DELETE_ON_CLOSE),
          List.of(READ, DELETE_ON_CLOSE),
          List.of(WRITE, CREATE_NEW, DELETE_ON_CLOSE));

  private static final List<String> THINGS =
      List.of("file", "missing", "missing/x", "file/x", "directory", "link", "dangling", "loop");

  private static void furnish(Path root) throws IOException {
    Files.writeString(root.resolve("file"), "0123456789");
    Files.createDirectory(root.resolve("directory"));
    Files.createSymbolicLink(root.resolve("link"), root.getFileSystem().getPath("file"));
    Files.createSymbolicLink(root.resolve("dangling"), root.getFileSystem().getPath("nowhere"));
    Files.createSymbolicLink(root.resolve("loop"), root.getFileSystem().getPath("loop"));
  }

  static List<Call> all() {
    List<Call> calls = new ArrayList<>();
    for (String thing : THINGS) {
      for (List<OpenOption> options : OPTIONS) {
        calls.add(new Call("open " + thing + " " + options, root -> opened(root, thing, options)));
      }
      calls.add(new Call("read all of " + thing, root -> readAll(root, thing)));
      calls.add(
          new Call(
              "write all of " + thing,
              root -> {
                furnish(root);
                Files.writeString(root.resolve(thing), "new");
                return Files.readString(root.resolve("file"));
              }));
    }
    channels(calls);
    arguments(calls);
    streams(calls);
    return calls;
  }

  private static Object readAll(Path root, String thing) throws IOException {
    furnish(root);
    return Files.readString(root.resolve(thing));
  }

  /** What an opening leaves, and what the channel answers to each sort of request. */
  private static Object opened(Path root, String thing, List<OpenOption> options)
      throws IOException {
    furnish(root);
    Path path = root.resolve(thing);
    List<String> answers = new ArrayList<>();
    try (FileChannel channel = FileChannel.open(path, options.toArray(OpenOption[]::new))) {
      boolean directory = Files.isDirectory(path);
      ask(answers, root, () -> directory ? "directory" : channel.size());
      ask(answers, root, channel::position);
      ask(answers, root, () -> channel.read(ByteBuffer.allocate(4)));
      ask(answers, root, () -> channel.write(ByteBuffer.wrap("ab".getBytes(UTF_8))));
      ask(answers, root, channel::position);
      ask(answers, root, () -> directory ? "directory" : channel.size());
      ask(answers, root, () -> Files.exists(path));
    }
    return answers + " leaves " + NameCalls.tree(root);
  }

  private interface Question {
    Object ask() throws IOException;
  }

  private static void ask(List<String> answers, Path root, Question question) {
    answers.add(new Call("question", r -> question.ask()).outcome(root));
  }

  private interface Use {
    Object with(FileChannel channel) throws IOException;
  }

  private static void use(List<Call> calls, String name, Use use, OpenOption... options) {
    calls.add(
        new Call(
            name + " " + Arrays.toString(options),
            root -> {
              furnish(root);
              List<String> answers = new ArrayList<>();
              try (FileChannel channel = FileChannel.open(root.resolve("file"), options)) {
                ask(answers, root, () -> use.with(channel));
                ask(answers, root, channel::position);
                ask(answers, root, channel::size);
              }
              return answers + Files.readString(root.resolve("file"));
            }));
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  private static void channels(List<Call> calls) {
    OpenOption[][] ways = {{READ}, {WRITE}, {READ, WRITE}, {APPEND}};
    for (OpenOption[] way : ways) {
      use(calls, "position behind the end", c -> c.position(20).position(), way);
      use(calls, "read at 3", c -> c.read(ByteBuffer.allocate(4), 3), way);
      use(calls, "read at 20", c -> c.read(ByteBuffer.allocate(4), 20), way);
      use(calls, "read nothing", c -> c.read(ByteBuffer.allocate(0)), way);
      use(calls, "read nothing behind the end", c -> c.read(ByteBuffer.allocate(0), 99), way);
      use(calls, "write at 3", c -> c.write(bytes("xy"), 3), way);
      use(calls, "write behind the end", c -> c.write(bytes("xy"), 15), way);
      use(calls, "write nothing", c -> c.write(bytes("")), way);
      use(calls, "write behind a position", c -> c.position(12).write(bytes("z")), way);
      use(calls, "cut to 4", c -> c.position(8).truncate(4).position(), way);
      use(calls, "cut to more", c -> c.truncate(40).size(), way);
      use(calls, "cut behind the position", c -> c.position(99).truncate(50).position(), way);
      use(
          calls,
          "scatter",
          c -> {
            ByteBuffer[] parts = {
              ByteBuffer.allocate(3), ByteBuffer.allocate(0), ByteBuffer.allocate(20)
            };
            return c.read(parts) + Arrays.toString(parts[0].array());
          },
          way);
      use(
          calls,
          "gather",
          c -> c.write(new ByteBuffer[] {bytes("ab"), bytes(""), bytes("cd"), bytes("e")}, 0, 3),
          way);
      use(
          calls,
          "force",
          c -> {
            c.force(true);
            return "forced";
          },
          way);
      use(calls, "exclusive lock", c -> valid(c.lock(0, 4, false)), way);
      use(calls, "shared lock", c -> valid(c.lock(0, 4, true)), way);
      use(
          calls,
          "locks that overlap",
          c -> {
            boolean shared = way[0] == READ;
            return valid(c.lock(0, 4, shared)) + valid(c.tryLock(3, 2, shared));
          },
          way);
      use(
          calls,
          "a lock that is given back",
          c -> {
            FileLock lock = c.lock(0, 4, way[0] == READ);
            lock.release();
            return lock.isValid() + valid(c.lock(0, 4, way[0] == READ));
          },
          way);
      use(calls, "map to read", c -> Byte.toString(c.map(MapMode.READ_ONLY, 3, 4).get(0)), way);
      use(
          calls,
          "map more than there is",
          c -> way.length == 2 ? "grows there" : c.map(MapMode.READ_ONLY, 3, 40),
          way);
      use(calls, "transfer to itself", c -> c.transferTo(0, 0, c), way);
      use(
          calls,
          "transfer from a stream",
          c ->
              c.transferFrom(
                  java.nio.channels.Channels.newChannel(
                      new java.io.ByteArrayInputStream("stream".getBytes(UTF_8))),
                  4,
                  5),
          way);
      use(
          calls,
          "transfer from behind the end",
          c ->
              c.transferFrom(
                  java.nio.channels.Channels.newChannel(
                      new java.io.ByteArrayInputStream("stream".getBytes(UTF_8))),
                  14,
                  5),
          way);
      use(
          calls,
          "transfer to a stream",
          c -> {
            var out = new java.io.ByteArrayOutputStream();
            return c.transferTo(2, 5, java.nio.channels.Channels.newChannel(out))
                + out.toString(UTF_8);
          },
          way);
      use(
          calls,
          "closed",
          c -> {
            c.close();
            return c.isOpen();
          },
          way);
    }
  }

  private static String valid(FileLock lock) {
    return lock == null
        ? "none"
        : lock.position() + " " + lock.size() + lock.isValid() + lock.isShared();
  }

  private static void arguments(List<Call> calls) {
    OpenOption[] both = {READ, WRITE};
    use(calls, "negative position", c -> c.position(-1), both);
    use(calls, "negative read", c -> c.read(ByteBuffer.allocate(1), -1), both);
    use(calls, "negative write", c -> c.write(bytes("a"), -1), both);
    use(calls, "negative cut", c -> c.truncate(-1), both);
    use(calls, "read only buffer", c -> c.read(ByteBuffer.allocate(1).asReadOnlyBuffer()), both);
    use(calls, "no buffer", c -> c.read((ByteBuffer) null), both);
    use(calls, "no source", c -> c.write((ByteBuffer) null), both);
    use(calls, "bad range", c -> c.read(new ByteBuffer[1], 0, 2), both);
    use(calls, "negative lock", c -> c.lock(-1, 1, false), both);
    use(calls, "negative map", c -> c.map(MapMode.READ_ONLY, -1, 1), both);
    use(calls, "negative transfer", c -> c.transferTo(-1, 1, c), both);
    calls.add(
        new Call("no option", root -> FileChannel.open(root.resolve("x"), (OpenOption) null)));
    calls.add(
        new Call(
            "an option of somebody else",
            root -> FileChannel.open(root.resolve("x"), new OpenOption() {})));
    calls.add(new Call("read in", root -> Files.newOutputStream(root.resolve("x"), READ)));
    calls.add(new Call("write out", root -> Files.newInputStream(root.resolve("x"), WRITE)));
  }

  private static void streams(List<Call> calls) {
    calls.add(
        new Call(
            "append lines",
            root -> {
              Path file = root.resolve("lines");
              Files.write(file, List.of("a", "b"));
              Files.write(file, List.of("c"), APPEND);
              return Files.readAllLines(file);
            }));
    calls.add(
        new Call(
            "skip in a stream",
            root -> {
              furnish(root);
              try (var in = Files.newInputStream(root.resolve("file"))) {
                return in.skip(4) + " " + in.read() + " " + in.available();
              }
            }));
    calls.add(
        new Call(
            "a deleted file is read on",
            root -> {
              furnish(root);
              try (FileChannel channel = FileChannel.open(root.resolve("file"), READ, WRITE)) {
                Files.delete(root.resolve("file"));
                Files.writeString(root.resolve("file"), "anew");
                channel.write(bytes("XY"), 1);
                ByteBuffer old = ByteBuffer.allocate(10);
                channel.read(old);
                return new String(old.array(), UTF_8) + Files.readString(root.resolve("file"));
              }
            }));
    calls.add(
        new Call(
            "a replaced file is read on",
            root -> {
              furnish(root);
              Files.writeString(root.resolve("next"), "next");
              try (FileChannel channel = FileChannel.open(root.resolve("file"), READ)) {
                Files.move(
                    root.resolve("next"),
                    root.resolve("file"),
                    java.nio.file.StandardCopyOption.ATOMIC_MOVE);
                ByteBuffer old = ByteBuffer.allocate(10);
                channel.read(old);
                return new String(old.array(), UTF_8) + Files.readString(root.resolve("file"));
              }
            }));
    calls.add(
        new Call(
            "what a channel writes the others see",
            root -> {
              furnish(root);
              Path file = root.resolve("file");
              try (FileChannel one = FileChannel.open(file, WRITE);
                  FileChannel two = FileChannel.open(file, READ);
                  FileChannel end = FileChannel.open(file, APPEND)) {
                one.write(bytes("abc"), 8);
                end.write(bytes("def"));
                ByteBuffer seen = ByteBuffer.allocate(20);
                return two.read(seen)
                    + new String(seen.array(), 0, seen.position(), UTF_8)
                    + Files.size(file)
                    + end.position();
              }
            }));
  }
}
