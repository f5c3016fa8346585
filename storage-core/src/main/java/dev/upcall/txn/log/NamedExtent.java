package dev.upcall.txn.log;

import dev.upcall.base.Invariants;
import dev.upcall.space.Extent;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * An extent whose content a record stands on, with the checksum of each of its blocks. Its data
 * writes have completed before the record is appended; the log makes them durable before it
 * acknowledges, and recovery believes an unproven batch only if its extents hold these checksums.
 *
 * @param extent where the content lies
 * @param crcs CRC32C of each block, in order. Not copied; nobody may change it.
 */
public record NamedExtent(Extent extent, int[] crcs) {
  /** Checks that there is one checksum per block. */
  public NamedExtent {
    Invariants.check(
        extent.blocks() == crcs.length, "checksums of an extent", crcs.length, extent.blocks());
  }

  /** The bytes that naming these extents adds to a record in the log. */
  public static long encodedBytes(List<NamedExtent> named) {
    long bytes = 0;
    for (NamedExtent one : named) {
      bytes += one.encodedBytes();
    }
    return bytes;
  }

  private long encodedBytes() {
    return 12 + 4L * crcs.length;
  }

  void encode(ByteBuffer out) {
    out.putLong(extent.block()).putInt(crcs.length);
    for (int crc : crcs) {
      out.putInt(crc);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NamedExtent named
        && named.extent.equals(extent)
        && Arrays.equals(named.crcs, crcs);
  }

  @Override
  public int hashCode() {
    return 31 * extent.hashCode() + Arrays.hashCode(crcs);
  }

  @Override
  public String toString() {
    return "NamedExtent[" + extent + "]";
  }
}
