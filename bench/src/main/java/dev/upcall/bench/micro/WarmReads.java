package dev.upcall.bench.micro;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;

/** Small files that are in memory, and one way to read them. One thread at a time. */
interface WarmReads extends AutoCloseable {
  /** Bytes of each file. */
  int FILE_BYTES = 4096;

  /** Files of a directory. */
  int FILES_PER_DIRECTORY = 1000;

  /**
   * Opens, reads and closes files at random, each whole.
   *
   * @param count how many, one after the other unless the way is one of several in flight
   * @return something that depends on what was read
   */
  long read(int count) throws IOException;

  @Override
  void close() throws IOException;

  /** The directory of a file. */
  static String directory(int file) {
    return "/d" + file / FILES_PER_DIRECTORY;
  }

  /** The path of a file. */
  static String path(int file) {
    return directory(file) + "/f" + file;
  }

  /** The content of a file: its number, then noise. */
  static byte[] content(int file) {
    byte[] bytes = new byte[FILE_BYTES];
    new Random(file).nextBytes(bytes);
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(0, file);
    return bytes;
  }

  /** Fails when these bytes are not a file's; for before the measurement. */
  static void check(int file, byte[] bytes) {
    if (!Arrays.equals(bytes, content(file))) {
      throw new IllegalStateException("not the content of file " + file);
    }
  }
}
