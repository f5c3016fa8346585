package dev.upcall.nio.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Calls of a thread whose interrupt flag is set before: the result, the flag, and what is left. */
final class InterruptedCalls {
  private InterruptedCalls() {}

  private interface Body {
    Object run(Path root) throws Exception;
  }

  /** A call with the flag set, after all that it needs was made without. */
  private static void each(List<Call> calls, String name, Body body) {
    calls.add(
        new Call(
            "interrupted: " + name,
            root -> {
              Files.writeString(root.resolve("file"), "0123456789");
              Files.writeString(root.resolve("empty"), "");
              Files.createDirectories(root.resolve("directory/inner"));
              Files.createSymbolicLink(root.resolve("link"), root.getFileSystem().getPath("file"));
              String outcome;
              boolean flag;
              Thread.currentThread().interrupt();
              try {
                outcome = new Call(name, body::run).outcome(root);
              } finally {
                flag = Thread.interrupted();
              }
              return outcome + ", interrupted " + flag + ", leaves " + NameCalls.tree(root);
            }));
  }

  static List<Call> all() {
    List<Call> calls = new ArrayList<>();
    content(calls);
    streams(calls);
    names(calls);
    attributes(calls);
    channels(calls);
    return calls;
  }

  private static void content(List<Call> calls) {
    each(calls, "readAllBytes", r -> Files.readAllBytes(r.resolve("file")).length);
    each(calls, "readAllBytes of nothing", r -> Files.readAllBytes(r.resolve("empty")).length);
    each(calls, "readAllBytes by a link", r -> Files.readAllBytes(r.resolve("link")).length);
    each(calls, "readString", r -> Files.readString(r.resolve("file")));
    each(calls, "readAllLines", r -> Files.readAllLines(r.resolve("file")));
    each(
        calls,
        "lines",
        r -> {
          try (Stream<String> lines = Files.lines(r.resolve("file"))) {
            return lines.toList();
          }
        });
    each(calls, "write", r -> Files.write(r.resolve("file"), "new".getBytes(UTF_8)));
    each(calls, "write nothing", r -> Files.write(r.resolve("file"), new byte[0]));
    each(calls, "write a new file", r -> Files.write(r.resolve("new"), "new".getBytes(UTF_8)));
    each(calls, "write much", r -> Files.write(r.resolve("file"), new byte[300_000]));
    each(calls, "write lines", r -> Files.write(r.resolve("file"), List.of("a", "b")));
    each(calls, "append lines", r -> Files.write(r.resolve("file"), List.of("a", "b"), APPEND));
    each(calls, "writeString", r -> Files.writeString(r.resolve("file"), "new"));
    each(calls, "writeString append", r -> Files.writeString(r.resolve("file"), "new", APPEND));
    each(
        calls,
        "writeString CREATE_NEW",
        r -> Files.writeString(r.resolve("new"), "new", CREATE_NEW, WRITE));
    each(calls, "mismatch", r -> Files.mismatch(r.resolve("file"), r.resolve("empty")));
    each(
        calls, "copy in", r -> Files.copy(new ByteArrayInputStream(new byte[3]), r.resolve("new")));
    each(
        calls,
        "copy in replacing",
        r ->
            Files.copy(
                new ByteArrayInputStream("abc".getBytes(UTF_8)),
                r.resolve("file"),
                StandardCopyOption.REPLACE_EXISTING));
    each(
        calls,
        "copy out",
        r -> {
          ByteArrayOutputStream out = new ByteArrayOutputStream();
          return Files.copy(r.resolve("file"), out) + out.toString(UTF_8);
        });
  }

  private static void streams(List<Call> calls) {
    each(
        calls,
        "newInputStream",
        r -> {
          try (InputStream in = Files.newInputStream(r.resolve("file"))) {
            return in.available()
                + " "
                + in.read()
                + in.skip(2)
                + new String(in.readAllBytes(), UTF_8);
          }
        });
    each(
        calls,
        "newInputStream with READ",
        r -> {
          try (InputStream in = Files.newInputStream(r.resolve("file"), READ)) {
            return in.transferTo(OutputStream.nullOutputStream());
          }
        });
    each(
        calls,
        "newOutputStream",
        r -> {
          try (OutputStream out = Files.newOutputStream(r.resolve("file"))) {
            out.write('a');
            out.write("bc".getBytes(UTF_8));
            out.flush();
          }
          return "written";
        });
    each(
        calls,
        "newOutputStream at the end",
        r -> {
          try (OutputStream out = Files.newOutputStream(r.resolve("file"), CREATE, APPEND)) {
            out.write("bc".getBytes(UTF_8));
          }
          return "written";
        });
    each(
        calls,
        "one stream to another",
        r -> {
          try (InputStream in = Files.newInputStream(r.resolve("file"));
              OutputStream out = Files.newOutputStream(r.resolve("new"))) {
            return in.transferTo(out);
          }
        });
    each(
        calls,
        "newBufferedReader",
        r -> {
          try (var in = Files.newBufferedReader(r.resolve("file"))) {
            return in.readLine();
          }
        });
    each(
        calls,
        "newBufferedWriter",
        r -> {
          try (var out = Files.newBufferedWriter(r.resolve("file"))) {
            out.write("line");
          }
          return "written";
        });
  }

  private static void names(List<Call> calls) {
    each(calls, "createFile", r -> Files.createFile(r.resolve("new")));
    each(calls, "createDirectory", r -> Files.createDirectory(r.resolve("new")));
    each(calls, "createDirectories", r -> Files.createDirectories(r.resolve("a/b/c")));
    each(
        calls,
        "createTempFile",
        r -> Files.size(Files.createTempFile(r.resolve("directory"), "", "")) + " " + deleted(r));
    each(
        calls,
        "createTempDirectory",
        r ->
            Files.isDirectory(Files.createTempDirectory(r.resolve("directory"), ""))
                + " "
                + deleted(r));
    each(
        calls,
        "createSymbolicLink",
        r -> Files.createSymbolicLink(r.resolve("new"), r.getFileSystem().getPath("file")));
    each(calls, "readSymbolicLink", r -> Files.readSymbolicLink(r.resolve("link")));
    each(
        calls,
        "delete",
        r -> {
          Files.delete(r.resolve("file"));
          return "deleted";
        });
    each(calls, "deleteIfExists", r -> Files.deleteIfExists(r.resolve("directory/inner")));
    each(calls, "copy", r -> Files.copy(r.resolve("file"), r.resolve("new")));
    each(
        calls,
        "copy replacing",
        r ->
            Files.copy(r.resolve("file"), r.resolve("empty"), StandardCopyOption.REPLACE_EXISTING));
    each(calls, "move", r -> Files.move(r.resolve("file"), r.resolve("new")));
    each(
        calls,
        "move atomically",
        r -> Files.move(r.resolve("file"), r.resolve("new"), StandardCopyOption.ATOMIC_MOVE));
    each(calls, "list", r -> listed(Files.list(r)));
    each(calls, "walk", r -> listed(Files.walk(r)));
    each(calls, "find", r -> listed(Files.find(r, 9, (_, there) -> there.isRegularFile())));
    each(
        calls,
        "walkFileTree",
        r -> {
          List<String> seen = new ArrayList<>();
          Files.walkFileTree(
              r,
              new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes there) {
                  seen.add(file.toString());
                  return FileVisitResult.CONTINUE;
                }
              });
          return new TreeSet<>(seen);
        });
    each(
        calls,
        "newDirectoryStream",
        r -> {
          TreeSet<String> seen = new TreeSet<>();
          try (var entries = Files.newDirectoryStream(r, "*e*")) {
            entries.forEach(entry -> seen.add(entry.toString()));
          }
          return seen;
        });
    each(calls, "toRealPath", r -> r.resolve("link").toRealPath());
  }

  private static Object deleted(Path root) throws IOException {
    for (Path entry : listedPaths(root.resolve("directory"))) {
      Files.delete(entry); // its name is of chance
    }
    return "deleted";
  }

  private static List<Path> listedPaths(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.toList();
    }
  }

  private static Object listed(Stream<Path> paths) {
    try (paths) {
      return new TreeSet<>(paths.map(Path::toString).toList());
    }
  }

  private static void attributes(List<Call> calls) {
    each(calls, "exists", r -> Files.exists(r.resolve("file")));
    each(calls, "notExists", r -> Files.notExists(r.resolve("file")));
    each(calls, "isDirectory", r -> Files.isDirectory(r.resolve("file")));
    each(calls, "isReadable", r -> Files.isReadable(r.resolve("file")));
    each(calls, "isWritable", r -> Files.isWritable(r.resolve("file")));
    each(calls, "isExecutable", r -> Files.isExecutable(r.resolve("file")));
    each(calls, "isHidden", r -> Files.isHidden(r.resolve("file")));
    each(calls, "isSameFile", r -> Files.isSameFile(r.resolve("file"), r.resolve("link")));
    each(calls, "size", r -> Files.size(r.resolve("file")));
    each(calls, "getFileStore", r -> Files.getFileStore(r.resolve("file")).isReadOnly());
    each(calls, "probeContentType", r -> Files.probeContentType(r.resolve("file")));
    each(calls, "getOwner", r -> Files.getOwner(r.resolve("file")) != null);
    each(
        calls,
        "setOwner",
        r -> Files.setOwner(r.resolve("file"), Files.getOwner(r.resolve("file"))));
    each(
        calls,
        "setLastModifiedTime",
        r ->
            Files.getLastModifiedTime(
                Files.setLastModifiedTime(r.resolve("file"), FileTime.fromMillis(5_000))));
    each(
        calls,
        "setPosixFilePermissions",
        r -> {
          Path file = r.resolve("file");
          Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
          return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
        });
    each(calls, "readAttributes", r -> Files.readAttributes(r.resolve("file"), "size"));
    each(calls, "getAttribute", r -> Files.getAttribute(r.resolve("file"), "isDirectory"));
    each(
        calls,
        "setAttribute",
        r -> {
          Files.setAttribute(r.resolve("file"), "lastModifiedTime", FileTime.fromMillis(5_000));
          return Files.getLastModifiedTime(r.resolve("file"));
        });
    each(
        calls,
        "views",
        r -> {
          Path file = r.resolve("file");
          PosixFileAttributeView posix =
              Files.getFileAttributeView(file, PosixFileAttributeView.class);
          posix.setTimes(FileTime.fromMillis(3_000), null, null);
          UserDefinedFileAttributeView user =
              Files.getFileAttributeView(file, UserDefinedFileAttributeView.class);
          user.write("colour", ByteBuffer.wrap(new byte[3]));
          return posix.readAttributes().lastModifiedTime() + " " + user.list();
        });
  }

  private interface Use {
    Object with(FileChannel channel) throws IOException;
  }

  /** A channel is closed by the first call that waits, before that has changed anything. */
  private static void use(List<Call> calls, String name, Use use, OpenOption... options) {
    calls.add(
        new Call(
            "interrupted channel: " + name + " " + Arrays.toString(options),
            root -> {
              Path file = Files.writeString(root.resolve("file"), "0123456789");
              List<Object> answers = new ArrayList<>();
              try (FileChannel channel = FileChannel.open(file, options)) {
                Thread.currentThread().interrupt();
                try {
                  answers.add(new Call(name, _ -> use.with(channel)).outcome(root));
                } finally {
                  answers.add(Thread.interrupted());
                }
                answers.add(channel.isOpen());
              }
              return answers + Files.readString(file);
            }));
  }

  private static void channels(List<Call> calls) {
    OpenOption[] both = {READ, WRITE};
    use(calls, "read", c -> c.read(ByteBuffer.allocate(3)), both);
    use(calls, "read nothing", c -> c.read(ByteBuffer.allocate(0)), both);
    use(calls, "read at", c -> c.read(ByteBuffer.allocate(3), 2), both);
    use(calls, "scatter", c -> c.read(new ByteBuffer[] {ByteBuffer.allocate(3)}), both);
    use(calls, "write", c -> c.write(ByteBuffer.wrap(new byte[3])), both);
    use(calls, "write at", c -> c.write(ByteBuffer.wrap(new byte[3]), 2), both);
    use(calls, "append", c -> c.write(ByteBuffer.wrap(new byte[3])), APPEND);
    use(calls, "gather", c -> c.write(new ByteBuffer[] {ByteBuffer.wrap(new byte[3])}), both);
    use(calls, "position", FileChannel::position, both);
    use(calls, "position to", c -> c.position(3), both);
    use(calls, "size", FileChannel::size, both);
    use(calls, "truncate", c -> c.truncate(3), both);
    use(
        calls,
        "force",
        c -> {
          c.force(true);
          return "forced";
        },
        both);
    use(calls, "lock", c -> c.lock() != null, both);
    use(calls, "lock shared", c -> c.lock(0, 3, true) != null, both);
    use(calls, "tryLock", c -> c.tryLock() != null, both);
    use(calls, "map", c -> c.map(MapMode.READ_ONLY, 0, 3).get(0), both);
    use(calls, "map more", c -> c.map(MapMode.READ_ONLY, 0, 30).get(0), both);
    use(
        calls,
        "transferTo",
        c -> c.transferTo(0, 3, Channels.newChannel(new ByteArrayOutputStream())),
        both);
    use(
        calls,
        "transferFrom",
        c -> c.transferFrom(Channels.newChannel(new ByteArrayInputStream(new byte[3])), 0, 3),
        both);
    use(calls, "open truncating is done", FileChannel::isOpen, WRITE, TRUNCATE_EXISTING);
    each(
        calls,
        "FileChannel.open truncating, and write",
        r -> {
          try (FileChannel c = FileChannel.open(r.resolve("file"), WRITE, TRUNCATE_EXISTING)) {
            return c.write(ByteBuffer.wrap(new byte[3]));
          }
        });
    each(
        calls,
        "newByteChannel, and read",
        r -> {
          try (var c = Files.newByteChannel(r.resolve("file"), READ)) {
            return c.read(ByteBuffer.allocate(3));
          }
        });
    each(
        calls,
        "newByteChannel, and size",
        r -> {
          try (var c = Files.newByteChannel(r.resolve("file"), READ)) {
            return c.size();
          }
        });
    each(
        calls,
        "newByteChannel, and write",
        r -> {
          try (var c = Files.newByteChannel(r.resolve("file"), WRITE)) {
            return c.write(ByteBuffer.wrap(new byte[3]));
          }
        });
  }
}
