package dev.upcall.txn.log;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * One record as recovery reads it back.
 *
 * @param scn its commit sequence number
 * @param bytes what was appended, a copy of the caller's own; little-endian, position to limit
 * @param named the extents that it names
 * @param trusted whether a mark proves it durable; if not, its extents' checksums were verified
 */
public record LogRecord(long scn, ByteBuffer bytes, List<NamedExtent> named, boolean trusted) {
  /** Makes the list unmodifiable. */
  public LogRecord {
    named = List.copyOf(named);
  }
}
