package dev.upcall.bench.proxy.place;

/** The file of small objects, modelled or on a device. */
public interface SegmentFile {
  /** Reads a segment. */
  void read(long offset, int bytes);

  /** Writes a segment. */
  void write(long offset, int bytes);
}
