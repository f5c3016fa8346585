package dev.upcall.cli.crash;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Directories and files of which only what was synced is durable: names when their directory was,
 * bytes when their file was. Not for several threads.
 */
final class LosingTree {
  private final Path nodes;
  private Folder root = new Folder();
  private long next;

  /** What a name stands for. */
  sealed interface Node {}

  /** A file. */
  record Plain(LosingContent content) implements Node {}

  /** A directory: its names, and how they came to be since it was synced last. */
  static final class Folder implements Node {
    private final TreeMap<String, Node> names = new TreeMap<>();
    private final TreeMap<String, Node> durable = new TreeMap<>();
    private final List<Map<String, Node>> unsynced = new ArrayList<>();

    Map<String, Node> names() {
      return names;
    }

    /** A change of names after which they are these. */
    private void changed() {
      unsynced.add(new TreeMap<>(names));
    }

    private void keep(Map<String, Node> kept) {
      TreeMap<String, Node> copy = new TreeMap<>(kept);
      durable.clear();
      durable.putAll(copy);
      names.clear();
      names.putAll(copy);
      unsynced.clear();
    }
  }

  /**
   * An empty one.
   *
   * @param nodes a directory for the bytes that are durable
   */
  LosingTree(Path nodes) throws IOException {
    this.nodes = Files.createDirectories(nodes);
  }

  /** What is at a path below the root, or null. */
  @Nullable Node find(String path) {
    Node at = root;
    for (String name : path.split("/", -1)) {
      if (!name.isEmpty()) {
        if (!(at instanceof Folder folder)) {
          return null;
        }
        at = folder.names.get(name);
      }
    }
    return at;
  }

  /** A new empty file; its directory is there. */
  Plain create(String path) throws IOException {
    Plain made = new Plain(new LosingContent(nodes.resolve(Long.toString(next++))));
    put(path, made);
    return made;
  }

  /** A new empty directory; its own is there. */
  void mkdir(String path) {
    put(path, new Folder());
  }

  /** Takes a name away; it is there. */
  void remove(String path) {
    Folder folder = parent(path);
    folder.names.remove(name(path));
    folder.changed();
  }

  /** Gives a file or directory another name, in one step when both are in one directory. */
  void rename(String from, String to) {
    Node moved = parent(from).names.remove(name(from));
    if (parent(from) != parent(to)) {
      parent(from).changed();
    }
    put(to, moved);
  }

  /** Names of a directory are durable from now on. */
  static void sync(Folder folder) {
    folder.keep(folder.names);
  }

  /**
   * The power is back. Of the changes to a directory that were not synced the first few are kept,
   * or all, or none; of a file's bytes some. Returns how many blocks are lost.
   */
  long lose(Random random) throws IOException {
    return lose(root, random);
  }

  private static long lose(Folder folder, Random random) throws IOException {
    int most = folder.unsynced.size();
    int kept =
        switch (random.nextInt(3)) {
          case 0 -> 0;
          case 1 -> random.nextInt(most + 1);
          default -> most;
        };
    folder.keep(kept == 0 ? folder.durable : folder.unsynced.get(kept - 1));
    long lost = 0;
    for (Node each : folder.names.values()) {
      lost +=
          switch (each) {
            case Plain file -> file.content.lose(random);
            case Folder below -> lose(below, random);
          };
    }
    return lost;
  }

  /** Shows what is there in a real directory, which holds nothing else afterwards. */
  void show(Path folder) throws IOException {
    clear(folder);
    show(root, folder);
  }

  private static void show(Folder from, Path to) throws IOException {
    for (Map.Entry<String, Node> each : from.names.entrySet()) {
      Path at = to.resolve(each.getKey());
      switch (each.getValue()) {
        case Plain file -> Files.createLink(at, file.content.durable());
        case Folder below -> show(below, Files.createDirectory(at));
      }
    }
  }

  /** What is in a real directory is here, and durable. */
  void adopt(Path folder) throws IOException {
    close(root);
    root = new Folder();
    adopt(folder, root);
  }

  private void adopt(Path from, Folder to) throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(from)) {
      for (Path each : all) {
        String name = each.getFileName().toString();
        if (Files.isDirectory(each)) {
          Folder below = new Folder();
          adopt(each, below);
          to.names.put(name, below);
        } else if (Files.isRegularFile(each)) {
          Path node = nodes.resolve(Long.toString(next++));
          Files.createLink(node, each);
          to.names.put(name, new Plain(new LosingContent(node)));
        }
      }
    }
    sync(to);
  }

  private static void close(Folder folder) throws IOException {
    for (Node each : folder.names.values()) {
      switch (each) {
        case Plain file -> {
          file.content.close();
          Files.delete(file.content.durable());
        }
        case Folder below -> close(below);
      }
    }
  }

  private static void clear(Path folder) throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
      for (Path each : all) {
        if (Files.isDirectory(each)) {
          clear(each);
        }
        Files.delete(each);
      }
    }
  }

  private void put(String path, Node node) {
    Folder folder = parent(path);
    folder.names.put(name(path), node);
    folder.changed();
  }

  private Folder parent(String path) {
    if (find(path.substring(0, path.lastIndexOf('/'))) instanceof Folder folder) {
      return folder;
    }
    throw new IllegalArgumentException(path + " is in no directory");
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
