package dev.upcall.specweb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongConsumer;

/** A file set as files of a folder: writes them, and checks those that are there. */
public final class FileSetFolder {
  /** Differences that a check reports before it says no more. */
  private static final int MAX_REPORTED = 20;

  private final FileSet set;
  private final Path folder;

  /** A set whose {@link FileSet#ROOT} lies, or will lie, in {@code folder}. */
  public FileSetFolder(FileSet set, Path folder) {
    this.set = set;
    this.folder = folder;
  }

  /**
   * Writes every file, over whatever was there. Blocks; files of another set are left alone.
   *
   * @param written told the bytes of each file once it is written
   */
  public void write(LongConsumer written) throws IOException {
    for (Iterator<FileSet.Entry> entries = set.entries().iterator(); entries.hasNext(); ) {
      FileSet.Entry entry = entries.next();
      Path file = folder.resolve(entry.path());
      Files.createDirectories(file.getParent());
      Files.write(file, entry.content());
      written.accept(entry.sizeBytes());
    }
  }

  /**
   * Reads every file and compares each byte. Blocks.
   *
   * @param checked told the bytes of each file once it is compared
   * @return one line for each file that is missing or differs, at most {@value #MAX_REPORTED};
   *     empty when the folder holds the set
   */
  public List<String> check(LongConsumer checked) throws IOException {
    List<String> differences = new ArrayList<>();
    Iterator<FileSet.Entry> entries = set.entries().iterator();
    while (entries.hasNext() && differences.size() < MAX_REPORTED) {
      FileSet.Entry entry = entries.next();
      String difference = difference(entry);
      if (!difference.isEmpty()) {
        differences.add(entry.path() + ": " + difference);
      }
      checked.accept(entry.sizeBytes());
    }
    return differences;
  }

  private String difference(FileSet.Entry entry) throws IOException {
    Path file = folder.resolve(entry.path());
    if (!Files.isRegularFile(file)) {
      return "missing";
    }
    long sizeBytes = Files.size(file);
    if (sizeBytes != entry.sizeBytes()) {
      return sizeBytes + " bytes instead of " + entry.sizeBytes();
    }
    int offset = entry.firstDifference(0, Files.readAllBytes(file), entry.sizeBytes());
    return offset < 0 ? "" : "differs at byte " + offset;
  }
}
