package dev.upcall.bench.ageing;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * What one thread does to its files, a step after the other: the same from the same seed, whoever
 * keeps the files. A quarter each puts a new file, overwrites one as a whole, appends to one and
 * deletes one; what would make the live bytes too many deletes one instead, and one is put instead
 * of deleted while there is room, so they stay just below what is wanted.
 */
final class AgeingMix {
  private static final int LEAST_FILE_BYTES = 512;
  private static final int MOST_FILE_BYTES = 256 << 10;
  private static final int LEAST_APPEND_BYTES = 64;
  private static final int MOST_APPEND_BYTES = 16 << 10;

  /** Room is given by the block. */
  private static final int BLOCK_BYTES = 4096;

  private final String directory;
  private final long mostLiveBytes;
  private final Random random;
  private final List<Live> files = new ArrayList<>();
  private long liveBytes;
  private long made;

  /**
   * With no file yet.
   *
   * @param mostLiveBytes what its files may have together, rounded up to blocks
   */
  AgeingMix(int thread, long mostLiveBytes) {
    this.directory = directory(thread);
    this.mostLiveBytes = mostLiveBytes;
    this.random = new Random(thread);
  }

  /** The directory of a thread. */
  static String directory(int thread) {
    return "t" + thread;
  }

  /** What is done. */
  enum Kind {
    /** A new file. */
    PUT,
    /** A file anew. */
    OVERWRITE,
    /** More at the end of a file. */
    APPEND,
    /** A file is removed. */
    DELETE;

    private static final List<Kind> ALL = List.of(values());

    /** Whether it brings a whole file. */
    boolean isPut() {
      return this == PUT || this == OVERWRITE;
    }
  }

  /**
   * A step.
   *
   * @param bytes that it brings
   */
  record Step(Kind kind, String name, int bytes) {}

  /** A file that is there. */
  record Live(String name, int bytes) {
    private long room() {
      return ((long) bytes + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;
    }
  }

  /** Whether there is room for any file still. */
  boolean hasRoom() {
    return liveBytes + MOST_FILE_BYTES <= mostLiveBytes;
  }

  /** A new file. */
  Step fill() {
    return put(anySize(LEAST_FILE_BYTES, MOST_FILE_BYTES));
  }

  /** The next step; whoever takes it does it. */
  Step next() {
    Kind drawn = Kind.ALL.get(random.nextInt(Kind.ALL.size()));
    Kind kind = drawn == Kind.DELETE && hasRoom() ? Kind.PUT : drawn;
    int whole = anySize(LEAST_FILE_BYTES, MOST_FILE_BYTES);
    int more = anySize(LEAST_APPEND_BYTES, MOST_APPEND_BYTES);
    if (files.isEmpty()) {
      return put(whole);
    }
    int which = random.nextInt(files.size());
    Live file = files.get(which);
    int bytes =
        switch (kind) {
          case PUT, OVERWRITE -> whole;
          case APPEND -> file.bytes() + more;
          case DELETE -> 0;
        };
    Live after = new Live(file.name(), bytes);
    long wanted = liveBytes + after.room() - (kind == Kind.PUT ? 0 : file.room());
    if (kind == Kind.DELETE || wanted > mostLiveBytes) {
      return delete(which);
    }
    if (kind == Kind.PUT) {
      return put(whole);
    }
    files.set(which, after);
    liveBytes = wanted;
    return new Step(kind, file.name(), kind == Kind.APPEND ? more : whole);
  }

  private Step put(int bytes) {
    Live file = new Live(directory + "/f" + ++made, bytes);
    files.add(file);
    liveBytes += file.room();
    return new Step(Kind.PUT, file.name(), bytes);
  }

  private Step delete(int which) {
    Live last = files.removeLast();
    Live gone = which == files.size() ? last : files.set(which, last);
    liveBytes -= gone.room();
    return new Step(Kind.DELETE, gone.name(), 0);
  }

  /** Small ones are as frequent as large ones, by orders of magnitude. */
  private int anySize(int least, int most) {
    return (int) (least * Math.pow((double) most / least, random.nextDouble()));
  }

  /** The files that are there now. */
  List<Live> files() {
    return List.copyOf(files);
  }

  /** What they have together, rounded up to blocks. */
  long liveBytes() {
    return liveBytes;
  }
}
