package dev.upcall.nio.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.DELETE_ON_CLOSE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.AclFileAttributeView;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Calls about open directories, whatever becomes of their paths. */
final class SecureCalls {
  private static final List<String> THINGS =
      List.of(
          "file",
          "full",
          "empty",
          "link",
          "dangling",
          "loop",
          "missing",
          "missing/x",
          "file/x",
          "full/inner",
          "full/new",
          "loop/x",
          "toFull",
          "toFull/inner",
          "missing/..",
          "full/..",
          "",
          "n".repeat(256));

  private static final List<String> OPENED =
      List.of(
          "file",
          "full",
          "link",
          "dangling",
          "loop",
          "missing",
          "missing/x",
          "file/x",
          "loop/x",
          "");

  private SecureCalls() {}

  static List<Call> all() {
    List<Call> calls = new ArrayList<>();
    singles(calls);
    opened(calls);
    moves(calls);
    elsewhere(calls);
    closed(calls);
    return calls;
  }

  /** What is asked of an open directory. */
  private interface One {
    Object run(SecureDirectoryStream<Path> directory, Path root) throws IOException;
  }

  /** A call of the directory "d" below the root, and what all looks like then. */
  private static void each(List<Call> calls, String name, One one) {
    calls.add(
        new Call(
            "open directory: " + name,
            root -> {
              furnish(root.resolve("d"));
              try (SecureDirectoryStream<Path> directory = open(root.resolve("d"))) {
                String outcome = new Call(name, r -> one.run(directory, r)).outcome(root);
                return outcome + " leaves " + NameCalls.tree(root);
              }
            }));
  }

  private static void furnish(Path root) throws IOException {
    Files.createDirectories(root.resolve("full/inner"));
    Files.createDirectory(root.resolve("empty"));
    Files.writeString(root.resolve("file"), "content");
    Files.writeString(root.resolve("full/other"), "other");
    links(root, "link", "file", "dangling", "nowhere", "loop", "loop", "toFull", "full");
  }

  private static void links(Path root, String... pairs) throws IOException {
    for (int i = 0; i < pairs.length; i += 2) {
      Path target = root.getFileSystem().getPath(pairs[i + 1]);
      Files.createSymbolicLink(root.resolve(pairs[i]), target);
    }
  }

  static SecureDirectoryStream<Path> open(Path directory) throws IOException {
    return (SecureDirectoryStream<Path>) Files.newDirectoryStream(directory);
  }

  private static Path path(Path root, String relative) {
    return root.getFileSystem().getPath(relative);
  }

  private static Object names(DirectoryStream<Path> stream) throws IOException {
    try (stream) {
      List<String> names = new ArrayList<>();
      stream.forEach(entry -> names.add(entry.toString()));
      names.sort(null);
      return names;
    }
  }

  private static Object kinds(BasicFileAttributes found) {
    return List.of(found.isDirectory(), found.isRegularFile(), found.isSymbolicLink());
  }

  private static void singles(List<Call> calls) {
    for (String thing : THINGS) {
      String name = thing.length() > 20 ? "a long name" : "'" + thing + "'";
      each(calls, "delete file " + name, (d, r) -> done(() -> d.deleteFile(path(r, thing))));
      each(
          calls,
          "delete directory " + name,
          (d, r) -> done(() -> d.deleteDirectory(path(r, thing))));
      looks(calls, name, thing);
      each(
          calls,
          "chmod " + name,
          (d, r) -> {
            PosixFileAttributeView view = view(d, path(r, thing));
            view.setPermissions(PosixFilePermissions.fromString("rwxr-----"));
            view.setTimes(FileTime.fromMillis(5_000_000), null, null);
            return view.readAttributes().permissions().size()
                + " "
                + view.readAttributes().lastModifiedTime();
          });
    }
  }

  /** What changes nothing, in one. */
  private static void looks(List<Call> calls, String name, String thing) {
    Map<String, One> looks = new LinkedHashMap<>();
    looks.put("list", (d, r) -> names(d.newDirectoryStream(path(r, thing))));
    looks.put(
        "list nofollow", (d, r) -> names(d.newDirectoryStream(path(r, thing), NOFOLLOW_LINKS)));
    looks.put("look", (d, r) -> kinds(view(d, path(r, thing)).readAttributes()));
    looks.put(
        "look nofollow", (d, r) -> kinds(view(d, path(r, thing), NOFOLLOW_LINKS).readAttributes()));
    looks.put("read", (d, r) -> used(d, path(r, thing), Set.of(READ)));
    looks.put("read and append", (d, r) -> used(d, path(r, thing), ordered(READ, APPEND)));
    each(
        calls,
        "look at " + name,
        (d, r) -> {
          StringBuilder outcomes = new StringBuilder();
          looks.forEach(
              (what, one) -> {
                String outcome = new Call(what, root -> one.run(d, root)).outcome(r);
                outcomes.append(what).append(": ").append(outcome).append("; ");
              });
          return outcomes;
        });
  }

  /** A channel is read or written. */
  private static Object used(
      SecureDirectoryStream<Path> directory, Path path, Set<OpenOption> options)
      throws IOException {
    try (SeekableByteChannel channel = directory.newByteChannel(path, options)) {
      if (options.contains(READ)) {
        ByteBuffer into = ByteBuffer.allocate(20);
        int unused = channel.read(into);
        return new String(into.array(), 0, into.position(), UTF_8);
      }
      return channel.write(ByteBuffer.wrap("new".getBytes(UTF_8)));
    }
  }

  private static PosixFileAttributeView view(
      SecureDirectoryStream<Path> directory, Path path, LinkOption... options) {
    return directory.getFileAttributeView(path, PosixFileAttributeView.class, options);
  }

  private interface Step {
    void run() throws IOException;
  }

  private static Object done(Step step) throws IOException {
    step.run();
    return "done";
  }

  private static final List<Set<OpenOption>> OPTIONS =
      List.of(
          Set.of(READ, NOFOLLOW_LINKS),
          Set.of(WRITE),
          ordered(WRITE, CREATE),
          ordered(WRITE, CREATE_NEW),
          ordered(WRITE, CREATE, TRUNCATE_EXISTING),
          ordered(WRITE, CREATE, NOFOLLOW_LINKS),
          ordered(CREATE, APPEND),
          ordered(WRITE, DELETE_ON_CLOSE));

  private static Set<OpenOption> ordered(OpenOption... options) {
    return new LinkedHashSet<>(List.of(options));
  }

  private static void opened(List<Call> calls) {
    for (Set<OpenOption> options : OPTIONS) {
      for (String thing : OPENED) {
        List<String> names = options.stream().map(Object::toString).sorted().toList();
        each(
            calls,
            "channel of '" + thing + "' with " + names,
            (d, r) -> used(d, path(r, thing), options));
      }
    }
    each(
        calls,
        "channel with permissions",
        (d, r) -> {
          Path made = path(r, "made");
          var mode =
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
          d.newByteChannel(made, ordered(WRITE, CREATE_NEW), mode).close();
          return PosixFilePermissions.toString(view(d, made).readAttributes().permissions());
        });
  }

  private static final List<String> SOURCES =
      List.of("file", "full", "empty", "link", "missing", "full/../file");
  private static final List<String> TARGETS =
      List.of("file", "full", "empty", "link", "new", "missing/x", "file/x", "full/inner/deep");

  private static void moves(List<Call> calls) {
    for (String source : SOURCES) {
      for (String target : TARGETS) {
        each(
            calls,
            "move " + source + " to " + target,
            (d, r) -> done(() -> d.move(path(r, source), d, path(r, target))));
      }
    }
    each(
        calls,
        "move to another one",
        (d, r) -> {
          Path other = Files.createDirectory(r.resolve("other"));
          try (SecureDirectoryStream<Path> there = open(other)) {
            d.move(path(r, "full"), there, path(r, "arrived"));
            return names(there.newDirectoryStream(path(r, "arrived")));
          }
        });
    each(calls, "move to none", (d, r) -> done(() -> d.move(path(r, "file"), null, path(r, "x"))));
  }

  /** What becomes of the directory while it is open, and then is asked of it. */
  private static void elsewhere(List<Call> calls) {
    Map<String, Fate> fates = new LinkedHashMap<>();
    fates.put("moved", root -> Files.move(root.resolve("d"), root.resolve("moved")));
    fates.put(
        "replaced",
        root -> {
          Files.move(root.resolve("d"), root.resolve("moved"));
          furnish(root.resolve("d"));
        });
    fates.put(
        "replaced by a link",
        root -> {
          Files.move(root.resolve("d"), root.resolve("moved"));
          Files.createDirectory(root.resolve("precious"));
          Files.writeString(root.resolve("precious/file"), "precious");
          links(root, "d", "precious");
        });
    Map<String, One> ones = new LinkedHashMap<>();
    ones.put("delete file", (d, r) -> done(() -> d.deleteFile(path(r, "file"))));
    ones.put("delete directory", (d, r) -> done(() -> d.deleteDirectory(path(r, "empty"))));
    ones.put("list", (d, r) -> names(d.newDirectoryStream(path(r, "full"))));
    ones.put("iterate", (d, r) -> names(d));
    ones.put("list itself", (d, r) -> names(d.newDirectoryStream(path(r, "."))));
    ones.put("look at it", (d, r) -> kinds(self(d).readAttributes()));
    ones.put("look at its parent", (d, r) -> names(d.newDirectoryStream(path(r, ".."))));
    ones.put("look at what is there", (d, r) -> kinds(view(d, path(r, "file")).readAttributes()));
    ones.put("by an absolute path", (d, r) -> done(() -> d.deleteFile(r.resolve("d/file"))));
    ones.put("move", (d, r) -> done(() -> d.move(path(r, "full"), d, path(r, "renamed"))));
    ones.put(
        "make",
        (d, r) -> {
          try (var made = d.newByteChannel(path(r, "made"), ordered(WRITE, CREATE_NEW))) {
            return made.write(ByteBuffer.wrap("made".getBytes(UTF_8)));
          }
        });
    fates.forEach(
        (fate, step) ->
            ones.forEach(
                (name, one) ->
                    each(
                        calls,
                        fate + " and then " + name,
                        (d, r) -> {
                          step.run(r);
                          return one.run(d, r);
                        })));
    ones.forEach((name, one) -> ofDeleted(calls, name, one));
  }

  private interface Fate {
    void run(Path root) throws IOException;
  }

  private static void ofDeleted(List<Call> calls, String name, One one) {
    calls.add(
        new Call(
            "open directory: deleted and then " + name,
            root -> {
              Path directory = Files.createDirectory(root.resolve("d"));
              try (SecureDirectoryStream<Path> open = open(directory)) {
                Files.delete(directory);
                return one.run(open, root);
              }
            }));
  }

  private static BasicFileAttributeView self(SecureDirectoryStream<Path> directory) {
    return directory.getFileAttributeView(BasicFileAttributeView.class);
  }

  private static void closed(List<Call> calls) {
    Map<String, One> ones = new LinkedHashMap<>();
    ones.put("delete file", (d, r) -> done(() -> d.deleteFile(path(r, "file"))));
    ones.put("delete missing", (d, r) -> done(() -> d.deleteFile(path(r, "missing"))));
    ones.put("delete directory", (d, r) -> done(() -> d.deleteDirectory(path(r, "empty"))));
    ones.put("list", (d, r) -> names(d.newDirectoryStream(path(r, "full"))));
    ones.put("channel", (d, r) -> d.newByteChannel(path(r, "file"), Set.of(READ)));
    ones.put("move", (d, r) -> done(() -> d.move(path(r, "full"), d, path(r, "renamed"))));
    ones.put("view", (d, r) -> kinds(view(d, path(r, "file")).readAttributes()));
    ones.put("view of itself", (d, r) -> kinds(self(d).readAttributes()));
    ones.put("nothing", (d, r) -> done(() -> d.deleteFile(null)));
    ones.forEach(
        (name, one) ->
            each(
                calls,
                "closed and then " + name,
                (d, r) -> {
                  d.close();
                  return one.run(d, r);
                }));
    each(
        calls,
        "a view before and after its end",
        (d, r) -> {
          BasicFileAttributeView view = self(d);
          Object before = kinds(view.readAttributes());
          d.close();
          return before + new Call("", _ -> view.readAttributes()).outcome(r);
        });
    each(
        calls,
        "views",
        (d, r) -> {
          Path file = path(r, "file");
          return List.of(
              d.getFileAttributeView(file, BasicFileAttributeView.class).name(),
              d.getFileAttributeView(file, PosixFileAttributeView.class).name(),
              d.getFileAttributeView(file, FileOwnerAttributeView.class) != null,
              d.getFileAttributeView(file, UserDefinedFileAttributeView.class) == null,
              d.getFileAttributeView(file, AclFileAttributeView.class) == null);
        });
    each(calls, "no type of view", (d, r) -> d.getFileAttributeView(path(r, "file"), null));
    each(calls, "no channel", (d, r) -> d.newByteChannel(path(r, "file"), null));
  }
}
