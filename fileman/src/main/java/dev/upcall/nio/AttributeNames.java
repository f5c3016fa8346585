package dev.upcall.nio;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Attributes by their names, as {@code "posix:owner,size"} asks for them. */
final class AttributeNames {
  private static final List<String> BASIC =
      List.of(
          "lastModifiedTime",
          "lastAccessTime",
          "creationTime",
          "size",
          "isRegularFile",
          "isDirectory",
          "isSymbolicLink",
          "isOther",
          "fileKey");

  private static final List<String> OWNER = List.of("owner");
  private static final List<String> POSIX = List.of("owner", "group", "permissions");

  private final Located file;
  private final boolean follows;

  AttributeNames(Located file, boolean follows) {
    this.file = file;
    this.follows = follows;
  }

  /** A view's name and what is asked of it. */
  private record Asked(String view, String names) {
    static Asked parse(String text) {
      int colon = text.indexOf(':');
      if (colon == 0) {
        throw unknown(text);
      }
      return colon < 0
          ? new Asked("basic", text)
          : new Asked(text.substring(0, colon), text.substring(colon + 1));
    }
  }

  private static UnsupportedOperationException noView(String view) {
    return new UnsupportedOperationException("View '" + view + "' not available");
  }

  private static IllegalArgumentException unknown(String name) {
    return new IllegalArgumentException("'" + name + "' not recognized");
  }

  private static List<String> namesOf(String view) {
    return switch (view) {
      case "basic" -> BASIC;
      case "owner" -> OWNER;
      case "posix" -> {
        List<String> all = new ArrayList<>(BASIC);
        all.addAll(POSIX);
        yield all;
      }
      default -> throw noView(view);
    };
  }

  // ------------------------------------------------------------------ reading

  /**
   * See {@link java.nio.file.Files#readAttributes(java.nio.file.Path, String,
   * java.nio.file.LinkOption...)}.
   */
  Map<String, Object> read(String attributes) throws IOException {
    Asked asked = Asked.parse(attributes);
    List<String> wanted = List.of(asked.names().split(","));
    if (asked.view().equals("user")) {
      return user(wanted);
    }
    List<String> known = namesOf(asked.view());
    Set<String> names = new LinkedHashSet<>();
    for (String name : wanted) {
      if (name.equals("*")) {
        names.addAll(known);
      } else if (known.contains(name)) {
        names.add(name);
      } else {
        throw unknown(name);
      }
    }
    PosixFileAttributes found = file.attributes(follows);
    Map<String, Object> values = new LinkedHashMap<>();
    names.forEach(name -> values.put(name, value(found, name)));
    return values;
  }

  private static Object value(PosixFileAttributes found, String name) {
    return switch (name) {
      case "lastModifiedTime" -> found.lastModifiedTime();
      case "lastAccessTime" -> found.lastAccessTime();
      case "creationTime" -> found.creationTime();
      case "size" -> found.size();
      case "isRegularFile" -> found.isRegularFile();
      case "isDirectory" -> found.isDirectory();
      case "isSymbolicLink" -> found.isSymbolicLink();
      case "isOther" -> found.isOther();
      case "fileKey" -> found.fileKey();
      case "owner" -> found.owner();
      case "group" -> found.group();
      case "permissions" -> found.permissions();
      default -> throw unknown(name);
    };
  }

  private Map<String, Object> user(List<String> wanted) throws IOException {
    UpcallUserView view = new UpcallUserView(file, follows);
    Map<String, Object> values = new LinkedHashMap<>();
    for (String name : wanted.contains("*") ? view.list() : wanted) {
      if (name.isEmpty()) {
        throw unknown(name);
      }
      values.put(name, view.value(name));
    }
    return values;
  }

  // ------------------------------------------------------------------ setting

  /** See {@link java.nio.file.Files#setAttribute}. */
  void set(String attribute, @Nullable Object value) throws IOException {
    Asked asked = Asked.parse(attribute);
    if (asked.view().equals("user")) {
      setUser(asked.names(), value);
      return;
    }
    String name = asked.names();
    if (!namesOf(asked.view()).contains(name)) {
      throw unknown(attribute);
    }
    UpcallPosixView view = new UpcallPosixView(file, follows, asked.view());
    switch (name) {
      case "lastModifiedTime" -> view.setTimes((FileTime) value, null, null);
      case "lastAccessTime" -> view.setTimes(null, (FileTime) value, null);
      case "creationTime" -> view.setTimes(null, null, (FileTime) value);
      case "owner" -> view.setOwner((UserPrincipal) Objects.requireNonNull(value, "owner"));
      case "group" -> view.setGroup((GroupPrincipal) Objects.requireNonNull(value, "group"));
      case "permissions" -> view.setPermissions(permissions((Set<?>) value));
      default -> throw unknown(attribute);
    }
  }

  private static Set<PosixFilePermission> permissions(@Nullable Set<?> values) {
    Set<PosixFilePermission> permissions = new LinkedHashSet<>();
    Objects.requireNonNull(values, "value")
        .forEach(
            value -> permissions.add((PosixFilePermission) Objects.requireNonNull(value, "value")));
    return permissions;
  }

  private void setUser(String name, @Nullable Object value) throws IOException {
    Object present = Objects.requireNonNull(value, "value");
    ByteBuffer bytes =
        present instanceof byte[] array ? ByteBuffer.wrap(array) : (ByteBuffer) present;
    new UpcallUserView(file, follows).write(name, bytes);
  }
}
