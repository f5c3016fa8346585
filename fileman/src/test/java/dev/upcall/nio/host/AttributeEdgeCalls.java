package dev.upcall.nio.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessMode;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.AclFileAttributeView;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.nio.file.attribute.FileStoreAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Calls about attributes with arguments at their edges: times, names, missing values, places. */
final class AttributeEdgeCalls {
  private AttributeEdgeCalls() {}

  private interface One {
    Object run(Path file) throws Exception;
  }

  private static final List<Call> CALLS = new ArrayList<>();

  private static void each(String name, One one) {
    CALLS.add(
        new Call(
            name,
            root -> {
              Path file = Files.writeString(root.resolve("file"), "content");
              Files.createDirectory(root.resolve("directory"));
              Files.createSymbolicLink(root.resolve("link"), root.getFileSystem().getPath("file"));
              Files.createSymbolicLink(
                  root.resolve("dangling"), root.getFileSystem().getPath("no"));
              Files.createSymbolicLink(root.resolve("loop"), root.getFileSystem().getPath("loop"));
              return one.run(file);
            }));
  }

  static List<Call> all() {
    CALLS.clear();
    times();
    names();
    missing();
    places();
    user();
    stores();
    return List.copyOf(CALLS);
  }

  // ------------------------------------------------------------------ times

  private static void times() {
    for (String moment :
        List.of(
            "1969-12-31T23:59:59.500Z",
            "1969-12-31T23:59:59.999999999Z",
            "1969-12-31T23:59:59Z",
            "1960-02-29T12:00:00.000000001Z",
            "1902-01-01T00:00:00Z",
            "1970-01-01T00:00:00.000000001Z",
            "2038-01-19T03:14:08Z",
            "2200-01-01T00:00:00.123456789Z",
            "2262-04-11T23:47:16.854775806Z",
            "2262-04-11T23:47:16.854775807Z",
            "2262-04-11T23:47:16.854775808Z",
            "2300-01-01T00:00:00Z",
            "9999-12-31T23:59:59.999999999Z",
            "+1000000-01-01T00:00:00Z")) {
      FileTime time = FileTime.from(Instant.parse(moment));
      each("time " + moment, file -> modified(Files.setLastModifiedTime(file, time)));
      each(
          "time by name " + moment,
          file -> modified(Files.setAttribute(file, "lastModifiedTime", time)));
      each(
          "time by a view " + moment,
          file -> {
            view(file, BasicFileAttributeView.class).setTimes(time, time, time);
            return modified(file);
          });
    }
    each(
        "time of so many milliseconds",
        f -> modified(Files.setLastModifiedTime(f, FileTime.fromMillis(Long.MAX_VALUE))));
    each(
        "time of so many days",
        f ->
            modified(
                Files.setLastModifiedTime(
                    f, FileTime.from(Long.MAX_VALUE, java.util.concurrent.TimeUnit.DAYS))));
    each("time of none", f -> Files.setLastModifiedTime(f, null));
    each(
        "times of none",
        f -> {
          Files.setLastModifiedTime(f, FileTime.fromMillis(7_000));
          view(f, BasicFileAttributeView.class).setTimes(null, null, null);
          return modified(f);
        });
    each(
        "times of none of nothing",
        f -> {
          view(f.resolveSibling("no"), BasicFileAttributeView.class).setTimes(null, null, null);
          return "set";
        });
    each(
        "time of an access only",
        f -> {
          Files.setLastModifiedTime(f, FileTime.fromMillis(7_000));
          view(f, BasicFileAttributeView.class).setTimes(null, FileTime.fromMillis(9_000), null);
          return modified(f);
        });
    each(
        "time of birth only",
        f -> {
          Files.setLastModifiedTime(f, FileTime.fromMillis(7_000));
          view(f, BasicFileAttributeView.class).setTimes(null, null, FileTime.fromMillis(9_000));
          return modified(f);
        });
    each(
        "time of a link",
        f -> {
          Path link = f.resolveSibling("link");
          view(link, BasicFileAttributeView.class, NOFOLLOW_LINKS)
              .setTimes(FileTime.fromMillis(9_000), null, null);
          return Files.getLastModifiedTime(link, NOFOLLOW_LINKS)
              + " "
              + Files.getLastModifiedTime(f).equals(FileTime.fromMillis(9_000));
        });
    each(
        "time of an empty file that is written with nothing",
        f -> {
          Path empty = Files.createFile(f.resolveSibling("empty"));
          Files.setLastModifiedTime(empty, FileTime.fromMillis(9_000));
          Files.write(empty, new byte[0]);
          return Files.getLastModifiedTime(empty).toMillis() > 9_000;
        });
    each(
        "time of an empty file that is opened to be emptied",
        f -> {
          Path empty = Files.createFile(f.resolveSibling("empty"));
          Files.setLastModifiedTime(empty, FileTime.fromMillis(9_000));
          Files.newOutputStream(empty).close();
          return Files.getLastModifiedTime(empty).toMillis() > 9_000;
        });
    each(
        "time of an empty file that is appended nothing",
        f -> {
          Path empty = Files.createFile(f.resolveSibling("empty"));
          Files.setLastModifiedTime(empty, FileTime.fromMillis(9_000));
          Files.write(empty, new byte[0], java.nio.file.StandardOpenOption.APPEND);
          return modified(empty);
        });
  }

  private static String modified(Path file) throws IOException {
    FileTime time = Files.getLastModifiedTime(file);
    return time + " " + Files.readAttributes(file, BasicFileAttributes.class).lastModifiedTime();
  }

  private static <V extends FileAttributeView> V view(
      Path file, Class<V> type, LinkOption... options) {
    return Files.getFileAttributeView(file, type, options);
  }

  // ------------------------------------------------------------------ names

  private static void names() {
    for (String names :
        List.of(
            "*,size",
            "size,*",
            "size,size",
            "posix:*,nothing",
            "posix:owner,*",
            "owner:*,size",
            "owner:size",
            "basic:size:x",
            "posix:",
            "owner:",
            "nothing:",
            "nothing",
            ",",
            "size,,isOther",
            ",size",
            " size",
            "SIZE",
            "Basic:size",
            "**",
            "basic:posix:owner",
            "user:none",
            "user:*",
            "user:*,none",
            "user:none,*",
            "user:",
            "user:a,b")) {
      each("names " + names, f -> new TreeSet<>(Files.readAttributes(f, names).keySet()));
      each(
          "names of nothing " + names,
          f -> new TreeSet<>(Files.readAttributes(f.resolveSibling("no"), names).keySet()));
      each("name " + names, f -> Files.getAttribute(f, names) != null);
      each("set " + names + " to a number", f -> Files.setAttribute(f, names, 1L));
      each("set " + names + " to nothing", f -> Files.setAttribute(f, names, null));
    }
    for (String name :
        List.of(
            "lastModifiedTime",
            "basic:lastAccessTime",
            "posix:lastModifiedTime",
            "posix:permissions",
            "posix:owner",
            "posix:group",
            "owner:owner",
            "owner:permissions",
            "basic:permissions",
            "user:colour")) {
      each("set " + name + " to a number", f -> Files.setAttribute(f, name, 1L));
      each("set " + name + " to a text", f -> Files.setAttribute(f, name, "text"));
      each("set " + name + " to nothing", f -> Files.setAttribute(f, name, null));
      each("set " + name + " to a set", f -> Files.setAttribute(f, name, Set.of("text")));
    }
    each("set a posix time", f -> Files.setAttribute(f, "posix:lastModifiedTime", NOW) != null);
    each(
        "set permissions by name",
        f -> {
          Files.setAttribute(f, "posix:permissions", PosixFilePermissions.fromString("r--r-----"));
          return PosixFilePermissions.toString(Files.getPosixFilePermissions(f));
        });
  }

  private static final FileTime NOW = FileTime.fromMillis(5_000);

  // ------------------------------------------------------------------ what is missing

  private static void missing() {
    each("no owner", f -> Files.setOwner(f, null));
    each("no owner of nothing", f -> Files.setOwner(f.resolveSibling("no"), null));
    each(
        "no owner by its view",
        f -> {
          view(f, FileOwnerAttributeView.class).setOwner(null);
          return "set";
        });
    each(
        "no group",
        f -> {
          view(f, PosixFileAttributeView.class).setGroup(null);
          return "set";
        });
    each(
        "no group of nothing",
        f -> {
          view(f.resolveSibling("no"), PosixFileAttributeView.class).setGroup(null);
          return "set";
        });
    each(
        "no permissions of nothing",
        f -> Files.setPosixFilePermissions(f.resolveSibling("no"), null));
    each("no permissions", f -> Files.setPosixFilePermissions(f, null));
    each("permissions of none", f -> Files.setPosixFilePermissions(f, Set.of()));
    each(
        "permissions with null",
        f -> Files.setPosixFilePermissions(f, Collections.singleton(null)));
    each(
        "no principal's name",
        f -> f.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(null));
    each(
        "no group's name",
        f -> f.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByGroupName(null));
    each(
        "a group that nobody knows",
        f ->
            f.getFileSystem()
                .getUserPrincipalLookupService()
                .lookupPrincipalByGroupName("nobody knows this group"));
    each("no type of view", f -> Files.getFileAttributeView(f, null));
    each("no option of a view", f -> view(f, BasicFileAttributeView.class, (LinkOption) null));
    each("a view of another system", f -> view(f, AclFileAttributeView.class));
    each("no type of attributes", f -> Files.readAttributes(f, (Class<BasicFileAttributes>) null));
    each("no names of attributes", f -> Files.readAttributes(f, (String) null));
    each("no name of an attribute", f -> Files.setAttribute(f, null, 1));
    each(
        "no mode of access",
        f -> {
          f.getFileSystem().provider().checkAccess(f, (AccessMode) null);
          return "granted";
        });
    each("no other file", f -> Files.isSameFile(f, null));
    each("the same nothing", f -> Files.isSameFile(f.resolveSibling("no"), f.resolveSibling("no")));
    each("a file and nothing", f -> Files.isSameFile(f, f.resolveSibling("no")));
  }

  // ------------------------------------------------------------------ places

  private static void places() {
    for (String place :
        List.of(
            "no",
            "no/x",
            "file/x",
            "file/x/y",
            "file/..",
            "file/.",
            "link/x",
            "dangling",
            "dangling/x",
            "loop",
            "loop/x",
            "directory",
            "directory/x",
            "x".repeat(300))) {
      String name = place.length() > 20 ? "long" : place;
      for (LinkOption[] options : new LinkOption[][] {{}, {NOFOLLOW_LINKS}}) {
        String of = name + " " + Arrays.toString(options);
        each("size at " + of, at(place, p -> directoryOr(p, options)));
        each(
            "exact attributes at " + of,
            at(
                place,
                p -> Files.readAttributes(p, PosixFileAttributes.class, options).isDirectory()));
        each("attributes at " + of, at(place, p -> Files.readAttributes(p, "isOther", options)));
        each("exists at " + of, at(place, p -> Files.exists(p, options)));
        each("not exists at " + of, at(place, p -> Files.notExists(p, options)));
        each(
            "basic view at " + of,
            at(
                place,
                p ->
                    view(p, BasicFileAttributeView.class, options).readAttributes().isDirectory()));
        each(
            "owner view at " + of,
            at(place, p -> view(p, FileOwnerAttributeView.class, options).getOwner() != null));
        each(
            "owner set at " + of,
            at(
                place,
                p -> {
                  FileOwnerAttributeView view = view(p, FileOwnerAttributeView.class, options);
                  view.setOwner(Files.getOwner(p.getFileSystem().getPath("/")));
                  return "set";
                }));
        if (options.length == 0) {
          each(
              "permissions set at " + of,
              at(
                  place,
                  p -> {
                    view(p, PosixFileAttributeView.class)
                        .setPermissions(PosixFilePermissions.fromString("rwxr-x---"));
                    return "set";
                  }));
          each(
              "a user's attribute at " + of,
              at(
                  place,
                  p ->
                      view(p, UserDefinedFileAttributeView.class)
                          .write("a", ByteBuffer.wrap(new byte[1]))));
          each(
              "a user's attributes at " + of,
              at(place, p -> view(p, UserDefinedFileAttributeView.class).list()));
        }
        each(
            "time set at " + of,
            at(
                place,
                p -> {
                  view(p, BasicFileAttributeView.class, options).setTimes(NOW, null, null);
                  return Files.getLastModifiedTime(p, options);
                }));
      }
      each("readable at " + name, at(place, Files::isReadable));
      each("writable at " + name, at(place, Files::isWritable));
      each("executable at " + name, at(place, Files::isExecutable));
      each("store at " + name, at(place, p -> Files.getFileStore(p).isReadOnly()));
    }
  }

  private static One at(String place, One one) {
    return file -> one.run(file.resolveSibling(place));
  }

  private static Object directoryOr(Path path, LinkOption... options) throws IOException {
    BasicFileAttributes there = Files.readAttributes(path, BasicFileAttributes.class, options);
    return there.isDirectory() ? "directory" : there.size();
  }

  // ------------------------------------------------------------------ users' attributes

  private static UserDefinedFileAttributeView users(Path file) {
    return view(file, UserDefinedFileAttributeView.class);
  }

  private static ByteBuffer red() {
    return ByteBuffer.wrap("red".getBytes(UTF_8));
  }

  private static void user() {
    each(
        "user's attribute into a read only buffer",
        f -> {
          users(f).write("colour", red());
          return users(f).read("colour", ByteBuffer.allocate(9).asReadOnlyBuffer());
        });
    each(
        "user's attribute into no room",
        f -> {
          users(f).write("colour", red());
          return users(f).read("colour", ByteBuffer.allocate(0));
        });
    each(
        "user's attribute into a direct buffer",
        f -> {
          users(f).write("colour", ByteBuffer.allocateDirect(3).put(red()).flip());
          ByteBuffer direct = ByteBuffer.allocateDirect(8).position(2);
          return users(f).read("colour", direct) + " " + direct.position() + direct.get(4);
        });
    each(
        "user's attribute from the middle of a buffer",
        f -> {
          ByteBuffer some = ByteBuffer.wrap("a red b".getBytes(UTF_8)).position(2).limit(5);
          return users(f).write("colour", some)
              + " "
              + some
              + users(f).size("colour")
              + new TreeMap<>(Files.readAttributes(f, "user:*")).keySet();
        });
    each(
        "user's attribute from a read only buffer",
        f -> users(f).write("a", red().asReadOnlyBuffer()));
    each(
        "user's attribute written again",
        f -> {
          users(f).write("colour", red());
          users(f).write("colour", ByteBuffer.wrap("blue".getBytes(UTF_8)));
          return users(f).size("colour") + "" + users(f).list();
        });
    each("user's attribute without a name", f -> users(f).write(null, red()));
    each("user's attribute of an empty name", f -> users(f).write("", red()));
    each("user's attribute of a long name", f -> users(f).write("n".repeat(300), red()));
    each("user's attribute without a buffer", f -> users(f).write("colour", null));
    each("user's attribute read without a name", f -> users(f).read(null, ByteBuffer.allocate(1)));
    each("user's attribute read without a buffer", f -> users(f).read("colour", null));
    each("user's attribute sized without a name", f -> users(f).size(null));
    each("user's attribute missing, read", f -> users(f).read("no", ByteBuffer.allocate(1)));
    each(
        "user's attribute deleted without a name",
        f -> {
          users(f).delete(null);
          return "deleted";
        });
    each(
        "user's attribute deleted twice",
        f -> {
          users(f).write("colour", red());
          users(f).delete("colour");
          users(f).delete("colour");
          return "deleted";
        });
    each("user's attribute of a directory", f -> users(f.getParent()).write("colour", red()));
    each("user's view by its name", f -> users(f).name());
    each(
        "user's attribute by a link",
        f -> users(f.resolveSibling("link")).write("colour", red()) + "" + users(f).list());
    each(
        "user's attribute by name, of a buffer",
        f -> Files.setAttribute(f, "user:colour", red()) + "" + users(f).list());
  }

  // ------------------------------------------------------------------ stores

  private static void stores() {
    for (String view : List.of("basic", "owner", "posix", "user", "nothing", "", "acl")) {
      each("store supports " + view, f -> Files.getFileStore(f).supportsFileAttributeView(view));
    }
    each("store supports the view of basic", f -> supports(f, BasicFileAttributeView.class));
    each("store supports the view of owners", f -> supports(f, FileOwnerAttributeView.class));
    each(
        "store supports the view of posix attributes",
        f -> supports(f, PosixFileAttributeView.class));
    each(
        "store supports the view of users' attributes",
        f -> supports(f, UserDefinedFileAttributeView.class));
    each("store supports the view of lists", f -> supports(f, AclFileAttributeView.class));
    each("store supports the view of null", f -> supports(f, null));
    each(
        "store supports no name",
        f -> Files.getFileStore(f).supportsFileAttributeView((String) null));
    each(
        "view of a store",
        f -> Files.getFileStore(f).getFileStoreAttributeView(FileStoreAttributeView.class));
    each("no view of a store", f -> Files.getFileStore(f).getFileStoreAttributeView(null));
    for (String name :
        List.of("totalSpace", "usableSpace", "unallocatedSpace", "blockSize", "nothing", "")) {
      each("store's " + name, f -> (Long) Files.getFileStore(f).getAttribute(name) >= 0);
    }
    each("store's attribute without a name", f -> Files.getFileStore(f).getAttribute(null));
    each(
        "stores that are equal",
        f -> {
          FileStore one = Files.getFileStore(f);
          FileStore two = Files.getFileStore(f.getParent());
          return one.equals(two) + "" + (one.hashCode() == two.hashCode()) + one.equals("x");
        });
  }

  private static boolean supports(Path file, Class<? extends FileAttributeView> type)
      throws IOException {
    return Files.getFileStore(file).supportsFileAttributeView(type);
  }
}
