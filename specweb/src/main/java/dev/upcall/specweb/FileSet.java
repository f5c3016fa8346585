package dev.upcall.specweb;

import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The file set of a SPECweb96-style load: directories of 36 files each, nine in each of four size
 * classes. Names, sizes and contents follow from numbers alone, so that a client can check any body
 * without storing it.
 *
 * <p>The sizes that SPEC printed are kept; the five of class 0 that were never printed are
 * truncated. Contents and names are our own. A number measured with this set is not a SPECweb96
 * result.
 *
 * @param directories how many directories the set has, 1 to {@value #MAX_DIRECTORIES}
 */
public record FileSet(int directories) {
  /** The folder in which all directories of a set lie. */
  public static final String ROOT = "file_set";

  /** Size classes: below 1 KB, 1 to 10 KB, 10 to 100 KB, 100 KB to 1 MB. */
  public static final int CLASSES = 4;

  /** Files of each class in one directory. */
  public static final int FILES_PER_CLASS = 9;

  /** Files in one directory. */
  public static final int FILES_PER_DIRECTORY = CLASSES * FILES_PER_CLASS;

  /** Bytes of one directory. */
  public static final long DIRECTORY_BYTES = 5_119_485;

  /** As many as five digits can name. */
  public static final int MAX_DIRECTORIES = 100_000;

  private static final int MIN_DIRECTORIES_OF_A_RATE = 10;
  private static final int[] CLASS_0_BYTES = {102, 204, 307, 409, 512, 614, 716, 819, 922};

  /** Checks the number of directories. */
  public FileSet {
    if (directories < 1 || directories > MAX_DIRECTORIES) {
      throw new IllegalArgumentException(
          "directories must be 1 to " + MAX_DIRECTORIES + ", not " + directories);
    }
  }

  /**
   * The set for a load whose highest point requests {@code opsPerSecond}: it doubles when the rate
   * grows fourfold, and has ten directories at least.
   */
  public static FileSet forRate(double opsPerSecond) {
    if (!(opsPerSecond > 0)) {
      throw new IllegalArgumentException("the rate must be above 0, not " + opsPerSecond);
    }
    int scaled = (int) Math.ceil(10 * Math.sqrt(opsPerSecond / 5));
    return new FileSet(Math.max(MIN_DIRECTORIES_OF_A_RATE, scaled));
  }

  /** How many files the set has. */
  public long fileCount() {
    return (long) directories * FILES_PER_DIRECTORY;
  }

  /** How many bytes the files of the set hold together. */
  public long totalBytes() {
    return directories * DIRECTORY_BYTES;
  }

  /** The files of the set: directory by directory, the classes in order, small files first. */
  public Stream<Entry> entries() {
    return IntStream.range(0, directories).boxed().flatMap(FileSet::entriesOf);
  }

  private static Stream<Entry> entriesOf(int directory) {
    return IntStream.range(0, FILES_PER_DIRECTORY)
        .mapToObj(i -> new Entry(directory, i / FILES_PER_CLASS, i % FILES_PER_CLASS));
  }

  /**
   * One file of a set.
   *
   * @param directory its directory, from 0
   * @param sizeClass its size class, 0 to 3
   * @param file its number within the class, 0 to 8; larger numbers are larger files
   */
  public record Entry(int directory, int sizeClass, int file) {
    private static final byte[] SYMBOLS =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
            .getBytes(StandardCharsets.US_ASCII);

    /** Checks that the numbers name a file. */
    public Entry {
      boolean exists =
          directory >= 0
              && directory < MAX_DIRECTORIES
              && sizeClass >= 0
              && sizeClass < CLASSES
              && file >= 0
              && file < FILES_PER_CLASS;
      if (!exists) {
        throw new IllegalArgumentException(
            "no such file: directory " + directory + ", class " + sizeClass + ", file " + file);
      }
    }

    /** The path below the root of the served tree, with forward slashes and none in front. */
    public String path() {
      return "%s/dir%05d/class%d_%d".formatted(ROOT, directory, sizeClass, file);
    }

    /** The length of the file in bytes. */
    public int sizeBytes() {
      int step = file + 1;
      return switch (sizeClass) {
        case 0 -> CLASS_0_BYTES[file];
        case 1 -> step * 1_024;
        case 2 -> step * 10_240;
        default -> step * 102_400;
      };
    }

    /** The byte at {@code offset}; the offset is not checked against the length. */
    public byte byteAt(int offset) {
      int index = directory * 7 + sizeClass * 31 + (file + 1) * 17 + offset + offset / 64 * 13;
      return SYMBOLS[index & (SYMBOLS.length - 1)];
    }

    /** The whole content, in an array of its own. */
    public byte[] content() {
      byte[] bytes = new byte[sizeBytes()];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = byteAt(i);
      }
      return bytes;
    }

    /**
     * Compares a part of a body with what the file holds there.
     *
     * @param offset where in the file the part begins
     * @param part the bytes received; the first {@code length} of them count
     * @return the offset in the file of the first byte that differs or lies past the end, or -1
     */
    public int firstDifference(int offset, byte[] part, int length) {
      for (int i = 0; i < length; i++) {
        if (offset + i >= sizeBytes() || part[i] != byteAt(offset + i)) {
          return offset + i;
        }
      }
      return -1;
    }
  }
}
