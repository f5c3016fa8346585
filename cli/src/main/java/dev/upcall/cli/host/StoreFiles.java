package dev.upcall.cli.host;

import dev.upcall.base.Printable;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.remote.CommandSocket;
import dev.upcall.cli.remote.RemoteCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The host's files that belong to an open store. A command that read one into the store would read
 * what it writes, and one that wrote over one would destroy the store; so none does, under whatever
 * name the file is given.
 *
 * @param volume the volume
 * @param others its queue and recording, which are folders, and its block trace; they need not
 *     exist
 */
public record StoreFiles(Path volume, List<Path> others) {
  /** Copies the list. */
  public StoreFiles {
    others = List.copyOf(others);
  }

  /** Of a store that has no queue and is not recorded. */
  public static StoreFiles of(Path volume) {
    return new StoreFiles(volume, List.of());
  }

  /** The same with more; null is none. */
  public StoreFiles with(@Nullable Path other) {
    if (other == null) {
      return this;
    }
    List<Path> all = new ArrayList<>(others);
    all.add(other);
    return new StoreFiles(volume, all);
  }

  /** All, folders with what is in them; those that do not exist, too. */
  public List<Path> all() throws IOException {
    List<Path> files = new ArrayList<>();
    files.add(volume);
    Path real = Files.exists(volume) ? volume.toRealPath() : volume.toAbsolutePath();
    files.add(real.resolveSibling(real.getFileName() + ".lock"));
    files.add(real.resolveSibling(real.getFileName() + ".new"));
    files.add(CommandSocket.of(real));
    files.addAll(others);
    return files;
  }

  /** Fails when a command would read its store into itself, or write its results over it. */
  public void check(RemoteCall.Named named) throws IOException {
    Path read = find(named.inputKey());
    if (read != null) {
      throw CommandFailure.failed(
          "the input is %s, a file of the store itself: it would be read into itself; give another file"
              .formatted(Printable.of(read.toString())));
    }
    Path written = find(named.outputKey());
    if (written != null) {
      throw CommandFailure.failed(
          "standard output is %s, a file of the store itself: results would be written over it; send"
                  .formatted(Printable.of(written.toString()))
              + " them elsewhere");
    }
  }

  /** Fails when what is put into a queue is one of its own files. */
  public static void checkQueued(Path file, Path queue) throws IOException {
    if (Files.isDirectory(queue) && findIn(queue, CommandSocket.key(file)) != null) {
      throw CommandFailure.failed(
          Printable.of(file.toString()) + " is a file of the queue itself; give another file");
    }
  }

  /** Which of them a key is of, or null. */
  private @Nullable Path find(String key) throws IOException {
    if (key.isEmpty()) {
      return null;
    }
    for (Path file : all()) {
      if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
        Path inside = findIn(file, key);
        if (inside != null) {
          return inside;
        }
      } else if (is(file, key)) {
        return file;
      }
    }
    return null;
  }

  private static @Nullable Path findIn(Path folder, String key) throws IOException {
    try (Stream<Path> inside = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) inside::iterator) {
        if (is(file, key)) {
          return file;
        }
      }
    }
    return null;
  }

  private static boolean is(Path file, String key) throws IOException {
    return Files.exists(file) && CommandSocket.key(file).equals(key);
  }
}
