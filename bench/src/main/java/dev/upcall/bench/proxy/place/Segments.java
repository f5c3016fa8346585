package dev.upcall.bench.proxy.place;

/** The classes of segments: 512, 1,024, 2,048, 4,096 and 8,192 bytes. */
public final class Segments {
  /** How many classes. */
  public static final int CLASSES = 5;

  /** The class whose segment is a whole page. */
  public static final int PAGE_CLASS = CLASSES - 1;

  private static final int LEAST_BYTES = 512;

  /** The largest object that has a segment, and the size of a page of the mapped file. */
  public static final int PAGE_BYTES = LEAST_BYTES << PAGE_CLASS;

  private Segments() {}

  /** Whether an object is small enough for a segment. */
  public static boolean isSmall(int sizeBytes) {
    return sizeBytes <= PAGE_BYTES;
  }

  /** The class of the smallest segment that an object fits in. */
  public static int classOf(int sizeBytes) {
    if (!isSmall(sizeBytes)) {
      throw new IllegalArgumentException("no segment holds " + sizeBytes + " bytes");
    }
    int segmentClass = 0;
    while (bytes(segmentClass) < sizeBytes) {
      segmentClass++;
    }
    return segmentClass;
  }

  /** How large a segment is. */
  public static int bytes(int segmentClass) {
    return LEAST_BYTES << segmentClass;
  }
}
