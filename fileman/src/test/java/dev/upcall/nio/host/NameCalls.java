package dev.upcall.nio.host;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.IOException;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Calls about names: directories, links, copies, moves and deletions. */
final class NameCalls {
  private NameCalls() {}

  /** What there is below a root before a copy or a move. */
  private static void furnish(Path root) throws IOException {
    Files.writeString(root.resolve("file"), "content");
    Files.writeString(root.resolve("other"), "other content");
    Files.createDirectories(root.resolve("full/inner"));
    Files.createDirectory(root.resolve("empty"));
    Files.createSymbolicLink(root.resolve("link"), root.getFileSystem().getPath("file"));
    Files.createSymbolicLink(root.resolve("dangling"), root.getFileSystem().getPath("nowhere"));
    Files.createSymbolicLink(root.resolve("loop"), root.getFileSystem().getPath("loop"));
  }

  /** All that is below a root, with kinds and contents. */
  static String tree(Path root) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> all = Files.walk(root)) {
      for (Path path : all.sorted().toList()) {
        String kind =
            Files.isSymbolicLink(path)
                ? "-> " + Files.readSymbolicLink(path)
                : Files.isDirectory(path) ? "/" : "=" + Files.readString(path);
        lines.add(root.relativize(path) + " " + kind);
      }
    }
    return lines.toString();
  }

  private static final List<String> THINGS =
      List.of(
          "file",
          "other",
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
          "link/x",
          "loop/x",
          ".",
          "full/..",
          "empty/../file",
          "file/..",
          "missing/..");

  static List<Call> all() {
    List<Call> calls = new ArrayList<>();
    pairs(calls, "copy", Files::copy);
    pairs(calls, "copy replacing", (a, b) -> Files.copy(a, b, REPLACE_EXISTING));
    pairs(calls, "copy nofollow", (a, b) -> Files.copy(a, b, REPLACE_EXISTING, NOFOLLOW_LINKS));
    pairs(calls, "move", Files::move);
    pairs(calls, "move replacing", (a, b) -> Files.move(a, b, REPLACE_EXISTING));
    pairs(calls, "move atomically", (a, b) -> Files.move(a, b, ATOMIC_MOVE));
    singles(calls);
    options(calls);
    listings(calls);
    return calls;
  }

  private interface Pair {
    Object run(Path source, Path target) throws IOException;
  }

  private static final List<String> SOURCES =
      List.of("file", "full", "empty", "link", "dangling", "missing", "file/x");

  private static final List<String> TARGETS =
      List.of(
          "file",
          "other",
          "full",
          "empty",
          "link",
          "dangling",
          "new",
          "missing/x",
          "file/x",
          "full/inner/deep");

  private static void pairs(List<Call> calls, String name, Pair pair) {
    for (String source : SOURCES) {
      for (String target : TARGETS) {
        calls.add(
            new Call(
                name + " " + source + " to " + target,
                root -> {
                  furnish(root);
                  String outcome =
                      new Call(name, r -> pair.run(r.resolve(source), r.resolve(target)))
                          .outcome(root);
                  return outcome + " leaves " + tree(root);
                }));
      }
    }
  }

  private static void each(List<Call> calls, String name, Call.Body body) {
    calls.add(new Call(name, body));
  }

  private static void singles(List<Call> calls) {
    for (String thing : THINGS) {
      each(calls, "exists " + thing, with(thing, path -> Files.exists(path)));
      each(calls, "exists nofollow " + thing, with(thing, p -> Files.exists(p, NOFOLLOW_LINKS)));
      each(calls, "not exists " + thing, with(thing, path -> Files.notExists(path)));
      each(calls, "directory " + thing, with(thing, path -> Files.isDirectory(path)));
      each(calls, "regular " + thing, with(thing, path -> Files.isRegularFile(path)));
      each(calls, "symbolic " + thing, with(thing, Files::isSymbolicLink));
      each(calls, "hidden " + thing, with(thing, Files::isHidden));
      each(calls, "real " + thing, with(thing, path -> path.toRealPath()));
      each(calls, "real nofollow " + thing, with(thing, p -> p.toRealPath(NOFOLLOW_LINKS)));
      each(calls, "target of " + thing, with(thing, Files::readSymbolicLink));
      each(calls, "make directory " + thing, with(thing, path -> Files.createDirectory(path)));
      each(calls, "make directories " + thing, with(thing, path -> Files.createDirectories(path)));
      each(calls, "make file " + thing, with(thing, path -> Files.createFile(path)));
      each(calls, "list " + thing, with(thing, NameCalls::names));
      each(
          calls,
          "link at " + thing,
          with(thing, p -> Files.createSymbolicLink(p, p.getFileSystem().getPath("../t"))));
      each(
          calls,
          "same as file " + thing,
          with(thing, path -> Files.isSameFile(path, path.resolveSibling("file"))));
    }
    for (String thing : THINGS.subList(0, 14)) {
      each(calls, "delete " + thing, with(thing, NameCalls::deleted));
      each(calls, "delete if there " + thing, with(thing, Files::deleteIfExists));
    }
  }

  private interface One {
    Object run(Path path) throws IOException;
  }

  private static Call.Body with(String thing, One one) {
    return root -> {
      furnish(root);
      return one.run(root.resolve(thing));
    };
  }

  private static Object deleted(Path path) throws IOException {
    Files.delete(path);
    return names(path.getParent());
  }

  private static Object names(Path directory) throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      entries.forEach(entry -> names.add(entry.toString()));
    }
    names.replaceAll(name -> name.substring(directory.toString().length()));
    names.sort(null);
    return names;
  }

  private static void options(List<Call> calls) {
    CopyOption[][] sets = {
      {ATOMIC_MOVE}, {COPY_ATTRIBUTES}, {COPY_ATTRIBUTES, REPLACE_EXISTING}, {NOFOLLOW_LINKS}
    };
    for (CopyOption[] set : sets) {
      String name = List.of(set).toString();
      each(
          calls, "copy with " + name, with("file", p -> Files.copy(p, p.resolveSibling("n"), set)));
      each(
          calls, "move with " + name, with("file", p -> Files.move(p, p.resolveSibling("n"), set)));
    }
    each(
        calls,
        "copy with the time",
        root -> {
          furnish(root);
          Path file = root.resolve("file");
          Files.setLastModifiedTime(file, java.nio.file.attribute.FileTime.fromMillis(1_000_000));
          Path copy = Files.copy(file, root.resolve("n"), COPY_ATTRIBUTES);
          return Files.getLastModifiedTime(copy);
        });
    each(
        calls,
        "link without a target",
        with("new", p -> Files.createSymbolicLink(p, p.getFileSystem().getPath(""))));
    each(calls, "a name that is too long", root -> Files.createFile(root.resolve("n".repeat(256))));
    each(calls, "a name that just fits", root -> Files.createFile(root.resolve("n".repeat(255))));
    each(
        calls,
        "through a link to the parent",
        root -> {
          furnish(root);
          Files.createSymbolicLink(root.resolve("full/up"), root.getFileSystem().getPath(".."));
          return Files.readString(root.resolve("full/up/full/../file"));
        });
    each(
        calls,
        "dots behind a link are the parent of what it leads to",
        root -> {
          furnish(root);
          Files.createSymbolicLink(
              root.resolve("deep"), root.getFileSystem().getPath("full/inner"));
          Files.writeString(root.resolve("full/inner-sibling"), "x");
          return Files.readString(root.resolve("deep/../inner-sibling"));
        });
  }

  private static void listings(List<Call> calls) {
    each(
        calls,
        "a glob",
        root -> {
          furnish(root);
          List<String> names = new ArrayList<>();
          try (DirectoryStream<Path> some = Files.newDirectoryStream(root, "{f,e}*")) {
            some.forEach(path -> names.add(path.getFileName().toString()));
          }
          names.sort(null);
          return names;
        });
    each(
        calls,
        "one iterator only",
        root -> {
          try (DirectoryStream<Path> all = Files.newDirectoryStream(root)) {
            var unused = all.iterator();
            return all.iterator();
          }
        });
    each(
        calls,
        "no iterator of what is closed",
        root -> {
          DirectoryStream<Path> all = Files.newDirectoryStream(root);
          all.close();
          return all.iterator();
        });
    each(
        calls,
        "a filter that fails",
        root -> {
          furnish(root);
          try (DirectoryStream<Path> all =
              Files.newDirectoryStream(
                  root,
                  path -> {
                    throw new IOException("filter");
                  })) {
            return all.iterator().hasNext();
          }
        });
    each(
        calls,
        "a walk that follows links",
        root -> {
          Files.createDirectories(root.resolve("a/b"));
          Files.createSymbolicLink(root.resolve("a/b/up"), root.getFileSystem().getPath(".."));
          try (Stream<Path> all = Files.walk(root, java.nio.file.FileVisitOption.FOLLOW_LINKS)) {
            return all.count();
          } catch (java.io.UncheckedIOException loop) {
            throw loop.getCause();
          }
        });
    each(
        calls,
        "temporary files",
        root ->
            Files.exists(Files.createTempFile(root, "a", ".b"))
                && Files.isDirectory(Files.createTempDirectory(root, "c")));
  }
}
