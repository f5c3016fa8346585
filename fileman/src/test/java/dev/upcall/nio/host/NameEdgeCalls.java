package dev.upcall.nio.host;

import static java.nio.file.FileVisitOption.FOLLOW_LINKS;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Calls about names with arguments at their edges: links that lead on, options, listings, walks.
 */
final class NameEdgeCalls {
  private NameEdgeCalls() {}

  private static final List<Call> CALLS = new ArrayList<>();

  private static void furnish(Path root) throws IOException {
    Files.writeString(root.resolve("file"), "content");
    Files.writeString(root.resolve("other"), "other content");
    Files.createDirectories(root.resolve("full/inner"));
    Files.createDirectory(root.resolve("empty"));
    link(root, "through", "file/../other");
    link(root, "missing-through", "no/../other");
    link(root, "at", "file/.");
    link(root, "slash", "file/");
    link(root, "full-slash", "full/");
    link(root, "full-dot", "full/.");
    link(root, "full-up", "full/inner/../..");
    link(root, "dot", ".");
    link(root, "chain", "full-dot/inner/../inner");
    link(root, "chain-through", "through");
    link(root, "double", "full//inner");
    link(root, "loop", "loop");
    link(root, "loop-through", "loop/../file");
    link(root, "dangling", "no");
    link(root, "long", "n".repeat(300));
  }

  private static void link(Path root, String name, String target) throws IOException {
    Files.createSymbolicLink(root.resolve(name), root.getFileSystem().getPath(target));
  }

  private static void each(String name, Call.Body body) {
    CALLS.add(
        new Call(
            name,
            root -> {
              furnish(root);
              return body.run(root);
            }));
  }

  static List<Call> all() {
    CALLS.clear();
    links();
    options();
    streams();
    patterns();
    walks();
    making();
    watches();
    return List.copyOf(CALLS);
  }

  private interface One {
    Object run(Path path) throws Exception;
  }

  private static void links() {
    for (String name :
        List.of(
            "through",
            "missing-through",
            "at",
            "slash",
            "full-slash",
            "full-dot",
            "full-up",
            "dot",
            "chain",
            "chain-through",
            "double",
            "loop-through",
            "long",
            "through/..",
            "full-dot/..",
            "full-up/file",
            "dot/dot/dot/file",
            "chain/..",
            "chain/../inner/.",
            "file/../other",
            "full/./inner",
            "full/inner/..",
            "full/inner/../no",
            "full/no/..",
            "link-to-nothing/..",
            "dangling/..",
            "loop/..",
            "slash/..")) {
      one("real of " + name, name, p -> p.toRealPath());
      one("real nofollow of " + name, name, p -> p.toRealPath(NOFOLLOW_LINKS));
      one("exists of " + name, name, p -> Files.exists(p));
      one("content of " + name, name, p -> Files.isDirectory(p) ? "/" : Files.readString(p));
      one("content written of " + name, name, p -> Files.writeString(p, "new") != null);
      one("attributes of " + name, name, p -> Files.readAttributes(p, "isDirectory"));
      one(
          "attributes nofollow of " + name,
          name,
          p -> Files.readAttributes(p, "isSymbolicLink", NOFOLLOW_LINKS));
      one("target at " + name, name, Files::readSymbolicLink);
      one("same as other " + name, name, p -> Files.isSameFile(p, p.resolveSibling("other")));
      one("directories made of " + name, name, p -> Files.createDirectories(p) != null);
      one("copy of " + name, name, p -> Files.copy(p, root(p).resolve("copy")) != null);
    }
  }

  private static Path root(Path path) {
    Path root = path;
    while (!root.getFileName().toString().matches("d[0-9]+|[A-Z]+-[0-9]+|h[0-9]+")) {
      root = root.getParent();
    }
    return root;
  }

  private static void one(String name, String place, One one) {
    each(name, root -> one.run(root.resolve(place)));
  }

  // ------------------------------------------------------------------ options

  /** An option of the JDK's that javac warns of. */
  private static <T> T extended(String type, String name, Class<T> as) {
    try {
      return as.cast(Class.forName("com.sun.nio.file." + type).getField(name).get(null));
    } catch (ReflectiveOperationException missing) {
      throw new AssertionError(missing);
    }
  }

  private static void options() {
    CopyOption interruptible = extended("ExtendedCopyOption", "INTERRUPTIBLE", CopyOption.class);
    CopyOption[][] sets = {
      {interruptible},
      {interruptible, REPLACE_EXISTING},
      {null},
      {REPLACE_EXISTING, null},
      {ATOMIC_MOVE, REPLACE_EXISTING},
      {ATOMIC_MOVE, NOFOLLOW_LINKS},
      {COPY_ATTRIBUTES, NOFOLLOW_LINKS},
      {REPLACE_EXISTING, REPLACE_EXISTING},
      {new CopyOption() {}}
    };
    for (int i = 0; i < sets.length; i++) {
      CopyOption[] set = sets[i];
      String name = i == sets.length - 1 ? "somebody's" : Arrays.toString(set);
      for (String source : List.of("file", "dangling", "empty", "full", "no")) {
        for (String target : List.of("new", "other", "empty")) {
          String pair = source + " to " + target + " " + name;
          each(
              "copy " + pair,
              r -> {
                String outcome =
                    new Call(pair, _ -> Files.copy(r.resolve(source), r.resolve(target), set))
                        .outcome(r);
                return outcome + Files.exists(r.resolve(target), NOFOLLOW_LINKS);
              });
          each(
              "move " + pair,
              r -> {
                String outcome =
                    new Call(pair, _ -> Files.move(r.resolve(source), r.resolve(target), set))
                        .outcome(r);
                return outcome + Files.exists(r.resolve(target), NOFOLLOW_LINKS);
              });
        }
      }
    }
    each("copy to null", r -> Files.copy(r.resolve("file"), (Path) null));
    each("move to null", r -> Files.move(r.resolve("file"), null));
    each("copy onto itself", r -> Files.copy(r.resolve("file"), r.resolve("file")));
    each("copy a directory onto itself", r -> Files.copy(r.resolve("full"), r.resolve("full")));
    each("move onto itself", r -> Files.move(r.resolve("file"), r.resolve("file")));
    each("move into itself", r -> Files.move(r.resolve("full"), r.resolve("full/inner/x")));
    each(
        "copy keeps the permissions",
        r -> {
          Path file = r.resolve("file");
          Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
          return PosixFilePermissions.toString(
              Files.getPosixFilePermissions(Files.copy(file, r.resolve("new"))));
        });
    each(
        "copy is of now",
        r -> {
          Path file = r.resolve("file");
          Files.setLastModifiedTime(file, FileTime.fromMillis(9_000));
          return Files.getLastModifiedTime(Files.copy(file, r.resolve("new"))).toMillis() > 9_000;
        });
    each(
        "copy of a user's attribute",
        r -> {
          Path file = r.resolve("file");
          Files.setAttribute(file, "user:colour", new byte[1]);
          return Files.readAttributes(Files.copy(file, r.resolve("new")), "user:*").keySet()
              + ""
              + Files.readAttributes(Files.copy(file, r.resolve("n"), COPY_ATTRIBUTES), "user:*")
                  .keySet();
        });
    each(
        "copy of a directory with its time",
        r -> {
          Path directory = r.resolve("full");
          Files.setLastModifiedTime(directory, FileTime.fromMillis(9_000));
          return Files.getLastModifiedTime(
              Files.copy(directory, r.resolve("new"), COPY_ATTRIBUTES));
        });
    each(
        "move keeps the time",
        r -> {
          Path file = r.resolve("file");
          Files.setLastModifiedTime(file, FileTime.fromMillis(9_000));
          return Files.getLastModifiedTime(Files.move(file, r.resolve("new")));
        });
  }

  // ------------------------------------------------------------------ directory streams

  private static void streams() {
    each(
        "iterator after close",
        r -> {
          DirectoryStream<Path> stream = Files.newDirectoryStream(r.resolve("empty"));
          Iterator<Path> entries = stream.iterator();
          closed(stream);
          return entries.hasNext();
        });
    each(
        "next after the last",
        r -> {
          try (DirectoryStream<Path> stream = Files.newDirectoryStream(r.resolve("empty"))) {
            return stream.iterator().next();
          }
        });
    each(
        "next without a question",
        r -> {
          try (DirectoryStream<Path> stream = Files.newDirectoryStream(r.resolve("full"))) {
            return stream.iterator().next();
          }
        });
    each(
        "remove of an entry",
        r -> {
          try (DirectoryStream<Path> stream = Files.newDirectoryStream(r.resolve("full"))) {
            Iterator<Path> entries = stream.iterator();
            entries.next();
            entries.remove();
            return "removed";
          }
        });
    each(
        "close twice",
        r -> {
          DirectoryStream<Path> stream = Files.newDirectoryStream(r.resolve("full"));
          closed(stream);
          closed(stream);
          return "closed";
        });
    each(
        "a filter that throws unchecked",
        r -> {
          try (DirectoryStream<Path> stream =
              Files.newDirectoryStream(
                  r,
                  _ -> {
                    throw new IllegalStateException("filter");
                  })) {
            return stream.iterator().hasNext();
          }
        });
    each(
        "a filter that fails late",
        r -> {
          List<String> seen = new ArrayList<>();
          try (DirectoryStream<Path> stream =
              Files.newDirectoryStream(
                  r.resolve("full"),
                  path -> {
                    throw new UncheckedIOException(new IOException(path.toString()));
                  })) {
            stream.forEach(path -> seen.add(path.toString()));
          }
          return seen;
        });
    each("no filter", r -> Files.newDirectoryStream(r, (DirectoryStream.Filter<Path>) null));
    each("no glob", r -> Files.newDirectoryStream(r, (String) null));
    for (String glob :
        List.of(
            "*",
            "**",
            "f*",
            "*.{a,b}",
            "{file,other}",
            "[fo]*",
            "[!f]*",
            "[^f]*",
            "[a-",
            "{a",
            "{a,{b}}",
            "\\",
            "\\f*",
            "?ile",
            "",
            "full/*",
            "*[",
            "[]",
            "[a-c-e]*",
            "[z-a]")) {
      each(
          "glob '" + glob + "'",
          r -> {
            TreeSet<String> names = new TreeSet<>();
            try (DirectoryStream<Path> some = Files.newDirectoryStream(r, glob)) {
              some.forEach(path -> names.add(path.getFileName().toString()));
            }
            return names;
          });
    }
    for (String place :
        List.of("file", "through", "full-dot", "loop", "no", "file/x", "dangling")) {
      one(
          "stream of " + place,
          place,
          p -> {
            try (DirectoryStream<Path> stream = Files.newDirectoryStream(p)) {
              return stream.iterator().hasNext();
            }
          });
    }
  }

  private static void closed(DirectoryStream<Path> stream) throws IOException {
    stream.close();
  }

  // ------------------------------------------------------------------ patterns

  private static void patterns() {
    for (String pattern :
        List.of(
            "glob:*",
            "GLOB:*",
            "Regex:.*",
            "regex:[",
            "glob:[",
            "glob:",
            "regex:",
            "glob",
            ":x",
            "",
            "other:x",
            "glob:**/x",
            "glob:/**",
            "regex:.*/x")) {
      each(
          "matcher " + pattern,
          r -> {
            PathMatcher matcher = r.getFileSystem().getPathMatcher(pattern);
            List<Boolean> answers = new ArrayList<>();
            for (String path : List.of("", "a", "a/x", "/a/x", "a.b", "x")) {
              answers.add(matcher.matches(r.getFileSystem().getPath(path)));
            }
            return answers;
          });
    }
    each("matcher of null", r -> r.getFileSystem().getPathMatcher(null));
    each("match of null", r -> r.getFileSystem().getPathMatcher("glob:*").matches(null));
  }

  // ------------------------------------------------------------------ walks

  private static void walks() {
    for (Set<FileVisitOption> how :
        List.of(EnumSet.noneOf(FileVisitOption.class), EnumSet.of(FOLLOW_LINKS))) {
      for (int depth : new int[] {0, 1, 2, Integer.MAX_VALUE}) {
        for (String place : List.of("full", "full-dot", "file", "no", "loop", "up-and-down")) {
          each(
              "walk of " + place + " " + how + " to " + depth,
              r -> {
                Files.createSymbolicLink(
                    r.resolve("full/inner/cycle"), r.getFileSystem().getPath("../.."));
                Files.createDirectory(r.resolve("up-and-down"));
                Files.createSymbolicLink(
                    r.resolve("up-and-down/again"), r.getFileSystem().getPath("../up-and-down"));
                List<String> seen = new ArrayList<>();
                Files.walkFileTree(r.resolve(place), how, depth, new Noting(r, seen));
                seen.sort(null);
                return seen;
              });
        }
      }
    }
    each("walk to a negative depth", r -> Files.walk(r, -1));
    each("list of a file", r -> Files.list(r.resolve("file")));
    each(
        "a walk that is closed",
        r -> {
          Stream<Path> walk = Files.walk(r);
          walk.close();
          return walk.count();
        });
  }

  private static final class Noting extends SimpleFileVisitor<Path> {
    private final Path root;
    private final List<String> seen;

    Noting(Path root, List<String> seen) {
      this.root = root;
      this.seen = seen;
    }

    private FileVisitResult note(String what, Path path) {
      seen.add(what + " " + root.relativize(path));
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes there) {
      return note("before", directory);
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes there) {
      return note(
          there.isDirectory() ? "directory" : there.isSymbolicLink() ? "link" : "file", file);
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failed) {
      return note(failed.getClass().getSimpleName(), file);
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException failed) {
      return note(failed == null ? "after" : failed.getClass().getSimpleName(), directory);
    }
  }

  // ------------------------------------------------------------------ making

  private static void making() {
    each(
        "file with a null attribute",
        r -> Files.createFile(r.resolve("n"), (FileAttribute<?>) null));
    each(
        "directory with a null attribute",
        r -> Files.createDirectory(r.resolve("n"), (FileAttribute<?>) null));
    each(
        "temporary file with permissions",
        r ->
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(
                    Files.createTempFile(
                        r,
                        "a",
                        "b",
                        PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-r-----"))))));
    each(
        "temporary file's permissions",
        r ->
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(Files.createTempFile(r, "a", "b"))));
    each(
        "temporary directory's permissions",
        r ->
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(Files.createTempDirectory(r, "a"))));
    each("temporary file of a bad name", r -> Files.createTempFile(r, "a/b", "c"));
    each("link to null", r -> Files.createSymbolicLink(r.resolve("n"), null));
    each("link over a file", r -> Files.createSymbolicLink(r.resolve("file"), r));
    each("directories over a link", r -> Files.createDirectories(r.resolve("full-dot/a/b")));
    each("directories over a dangling link", r -> Files.createDirectories(r.resolve("dangling")));
    each("delete the directory itself", r -> deleted(r.resolve("full/.")));
    for (String dots :
        List.of(
            "full/..", "full/inner/..", "empty/.", "missing/..", "file/..", "file/.", "loop/..")) {
      each("delete " + dots, r -> deleted(r.resolve(dots)));
      each("delete if there " + dots, r -> Files.deleteIfExists(r.resolve(dots)));
    }
    each("delete of a link to a directory", r -> deleted(r.resolve("full-dot")));
    each("exists without options", r -> Files.exists(r, (LinkOption) null));
    each("is hidden", r -> Files.isHidden(r.resolve(".x")) + "" + Files.isHidden(r.resolve("x")));
    each("is hidden of nothing", r -> Files.isHidden(r.getFileSystem().getPath("")));
    each("is hidden of dots", r -> Files.isHidden(r.getFileSystem().getPath("..")));
    each("is hidden of the root", r -> Files.isHidden(r.getFileSystem().getPath("/")));
  }

  private static Object deleted(Path path) throws IOException {
    Files.delete(path);
    return "deleted";
  }

  // ------------------------------------------------------------------ watches

  private static void watches() {
    for (String name : List.of("HIGH", "MEDIUM", "LOW")) {
      watch(
          "sensitivity " + name,
          extended("SensitivityWatchEventModifier", name, WatchEvent.Modifier.class));
    }
    watch("a tree", extended("ExtendedWatchEventModifier", "FILE_TREE", WatchEvent.Modifier.class));
    watch("null", (WatchEvent.Modifier) null);
    watch("somebody's", () -> "somebody's");
    each(
        "watch of a file",
        r -> {
          try (WatchService service = r.getFileSystem().newWatchService()) {
            return r.resolve("file").register(service, StandardWatchEventKinds.ENTRY_CREATE);
          }
        });
    each(
        "watch for nothing",
        r -> {
          try (WatchService service = r.getFileSystem().newWatchService()) {
            return r.register(service);
          }
        });
    each(
        "watch for overflows",
        r -> {
          try (WatchService service = r.getFileSystem().newWatchService()) {
            return r.register(service, StandardWatchEventKinds.OVERFLOW).isValid();
          }
        });
    each(
        "watch by a service that is closed",
        r -> {
          WatchService service = r.getFileSystem().newWatchService();
          try (service) {
            assertOpen(service);
          }
          return r.register(service, StandardWatchEventKinds.ENTRY_CREATE);
        });
    each("watch by null", r -> r.register(null, StandardWatchEventKinds.ENTRY_CREATE));
  }

  private static void assertOpen(WatchService service) {
    if (service.poll() != null) {
      throw new AssertionError("a key before any registration");
    }
  }

  private static void watch(String name, WatchEvent.Modifier modifier) {
    each(
        "watch with " + name,
        r -> {
          try (WatchService service = r.getFileSystem().newWatchService()) {
            WatchKey key =
                r.register(
                    service,
                    new WatchEvent.Kind<?>[] {StandardWatchEventKinds.ENTRY_CREATE},
                    modifier);
            return key.isValid() + "" + key.watchable();
          }
        });
  }
}
