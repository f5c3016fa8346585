package dev.upcall.journal.queue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Directories with the library's files. Any thread; calls wait for the device. */
public final class Folders {
  /** What the names of the library's files of entries end with. */
  static final String SUFFIX = ".cq4";

  private Folders() {}

  /** Makes a directory, and those above it that are missing, unless it is there; durably. */
  public static void make(Path folder) throws IOException {
    Path above = folder.toAbsolutePath().getParent();
    if (above != null) {
      if (!Files.isDirectory(above)) {
        make(above);
      }
      Files.createDirectories(folder);
      // Also when it was there: who made it may have died before this.
      force(above);
    }
  }

  /** Makes the names in a directory durable. */
  public static void force(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** The files of entries in it by name, which is by time: oldest first. */
  public static List<Path> files(Path folder) throws IOException {
    return named(folder, "*" + SUFFIX);
  }

  /** Files without entries that the library has put aside and made anew; oldest first. */
  static List<Path> putAside(Path folder) throws IOException {
    return named(folder, "*" + SUFFIX + "-*.discard");
  }

  private static List<Path> named(Path folder, String glob) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, glob)) {
      found.forEach(files::add);
    } catch (DirectoryIteratorException broken) {
      throw broken.getCause();
    }
    files.sort(null);
    return files;
  }

  /** What tells a file from others that get its name later; null when there is none. */
  static @Nullable Object key(Path file) throws IOException {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    } catch (NoSuchFileException none) {
      return null;
    }
  }
}
