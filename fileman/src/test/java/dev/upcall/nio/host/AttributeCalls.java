package dev.upcall.nio.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/** Calls about attributes, by their views and by their names. */
final class AttributeCalls {
  private AttributeCalls() {}

  private interface One {
    Object run(Path file) throws IOException;
  }

  private static void each(List<Call> calls, String name, One one) {
    calls.add(
        new Call(
            name,
            root -> {
              Path file = Files.writeString(root.resolve("file"), "content");
              Files.createSymbolicLink(root.resolve("link"), root.getFileSystem().getPath("file"));
              Files.createSymbolicLink(
                  root.resolve("dangling"), root.getFileSystem().getPath("no"));
              return one.run(file);
            }));
  }

  static List<Call> all() {
    List<Call> calls = new ArrayList<>();
    names(calls);
    basic(calls);
    posix(calls);
    user(calls);
    return calls;
  }

  private static void names(List<Call> calls) {
    for (String names :
        List.of(
            "*",
            "size",
            "size,isDirectory",
            "basic:size",
            "basic:*",
            "posix:*",
            "owner:*",
            "posix:permissions",
            "owner:owner",
            "basic:owner",
            "basic:nothing",
            "nothing:x",
            "",
            "size,",
            "basic:",
            "posix:size,nothing",
            ":size")) {
      each(
          calls,
          "attributes " + names,
          file -> new TreeSet<>(Files.readAttributes(file, names).keySet()));
    }
    for (String name :
        List.of("size", "isDirectory", "isSymbolicLink", "isOther", "posix:permissions")) {
      each(calls, "attribute " + name, file -> Files.getAttribute(file, name));
      each(
          calls,
          "of a link " + name,
          f ->
              name.contains("perm")
                  ? ""
                  : Files.getAttribute(f.resolveSibling("link"), name, NOFOLLOW_LINKS));
      each(calls, "of nothing " + name, f -> Files.getAttribute(f.resolveSibling("none"), name));
      each(
          calls,
          "of a dangling link " + name,
          f -> Files.getAttribute(f.resolveSibling("dangling"), name));
    }
    for (String name :
        List.of("size", "basic:size", "nothing:x", "basic:nothing", "basic:fileKey")) {
      each(calls, "set " + name, file -> Files.setAttribute(file, name, 1L));
    }
    each(calls, "set a time to text", file -> Files.setAttribute(file, "lastModifiedTime", "now"));
    each(
        calls,
        "set a time by name",
        file -> {
          Files.setAttribute(file, "basic:lastModifiedTime", FileTime.fromMillis(123_000));
          return Files.getLastModifiedTime(file);
        });
  }

  private static void basic(List<Call> calls) {
    each(
        calls,
        "basic attributes",
        file -> {
          BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
          return found.size() + "" + found.isRegularFile() + found.isDirectory() + found.isOther();
        });
    each(
        calls,
        "one key for one file",
        file ->
            key(file).equals(key(file.resolveSibling("link")))
                + ""
                + key(file).equals(key(file.getParent())));
    each(
        calls,
        "time of the last change",
        file ->
            Files.setLastModifiedTime(file, FileTime.fromMillis(5_000)).equals(file)
                + ""
                + Files.getLastModifiedTime(file.resolveSibling("link")));
    each(
        calls,
        "time of nothing",
        f -> Files.setLastModifiedTime(f.resolveSibling("none"), FileTime.fromMillis(0)));
    each(calls, "size of nothing", f -> Files.size(f.resolveSibling("none")));
    each(calls, "size below a file", f -> Files.size(f.resolve("below")));
    each(calls, "is readable", Files::isReadable);
    each(calls, "is writable", Files::isWritable);
    each(calls, "is executable", Files::isExecutable);
    each(calls, "store of nothing", f -> Files.getFileStore(f.resolveSibling("none")));
  }

  private static Object key(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
  }

  private static void posix(List<Call> calls) {
    each(
        calls,
        "permissions set and read",
        file -> {
          Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx-w-r--"));
          return PosixFilePermissions.toString(Files.getPosixFilePermissions(file))
              + Files.isExecutable(file);
        });
    each(
        calls,
        "permissions when made",
        file -> {
          FileAttribute<?> mode =
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---"));
          Path made = Files.createFile(file.resolveSibling("made"), mode);
          Path directory = Files.createDirectory(file.resolveSibling("directory"), mode);
          return PosixFilePermissions.toString(Files.getPosixFilePermissions(made))
              + PosixFilePermissions.toString(Files.getPosixFilePermissions(directory));
        });
    each(
        calls,
        "other attributes when made",
        file -> Files.createFile(file.resolveSibling("made"), attribute("posix:owner", "x")));
    each(
        calls,
        "attributes of a link when made",
        file ->
            Files.createSymbolicLink(
                file.resolveSibling("made"),
                file,
                PosixFilePermissions.asFileAttribute(
                    PosixFilePermissions.fromString("rwx------"))));
    each(
        calls,
        "owner set to itself",
        file -> Files.setOwner(file, Files.getOwner(file)).equals(file));
    each(
        calls,
        "group set to itself",
        file -> {
          PosixFileAttributeView view =
              Files.getFileAttributeView(file, PosixFileAttributeView.class);
          view.setGroup(view.readAttributes().group());
          return view.name();
        });
    each(
        calls,
        "attributes of posix",
        file ->
            PosixFilePermissions.toString(
                Files.readAttributes(file, PosixFileAttributes.class).permissions()));
    each(
        calls,
        "a user that nobody knows",
        file ->
            file.getFileSystem()
                .getUserPrincipalLookupService()
                .lookupPrincipalByName("nobody knows this user"));
  }

  private static FileAttribute<String> attribute(String name, String value) {
    return new FileAttribute<>() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public String value() {
        return value;
      }
    };
  }

  private static UserDefinedFileAttributeView view(Path file) {
    return Files.getFileAttributeView(file, UserDefinedFileAttributeView.class);
  }

  private static void user(List<Call> calls) {
    each(
        calls,
        "a user's attribute",
        file -> {
          view(file).write("colour", ByteBuffer.wrap("red".getBytes(UTF_8)));
          ByteBuffer back = ByteBuffer.allocate(8);
          return view(file).read("colour", back)
              + new String(back.array(), 0, back.position(), UTF_8)
              + view(file).list()
              + view(file).size("colour");
        });
    each(
        calls,
        "a user's attribute by name",
        file -> {
          Files.setAttribute(file, "user:colour", "red".getBytes(UTF_8));
          return new String((byte[]) Files.getAttribute(file, "user:colour"), UTF_8)
              + new TreeMap<>(Files.readAttributes(file, "user:*")).keySet();
        });
    each(
        calls,
        "a user's attribute taken away",
        file -> {
          Files.setAttribute(file, "user:colour", ByteBuffer.wrap("red".getBytes(UTF_8)));
          view(file).delete("colour");
          return view(file).list();
        });
    each(calls, "an attribute that is not there", file -> view(file).size("none"));
    each(calls, "an attribute of nothing", file -> view(file.resolveSibling("none")).list());
    each(
        calls,
        "deleting what is not there",
        file -> {
          view(file).delete("none");
          return "";
        });
    each(
        calls,
        "a buffer that is too small",
        file -> {
          view(file).write("colour", ByteBuffer.wrap("red".getBytes(UTF_8)));
          return view(file).read("colour", ByteBuffer.allocate(2));
        });
  }
}
