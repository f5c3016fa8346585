package dev.upcall.feed;

import dev.upcall.UpcallReads;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How far a store has done a queue. A property of the store: version (1), generation (8), index
 * (8), checksum (4), little-endian.
 *
 * @param generation of the queue
 * @param index of the last entry up to which all are done
 * @param checksum of that entry: at the next opening it must be there
 */
public record Position(long generation, long index, int checksum) {
  /** With this all properties begin that feeds note. */
  static final String PROPERTIES = "upcall.queue.";

  private static final byte VERSION = 1;
  private static final int BYTES = 1 + 2 * Long.BYTES + Integer.BYTES;

  /** What a store has noted of a queue; empty when it has done nothing of it. */
  public static Optional<Position> in(UpcallReads store, UUID queue) {
    return store.property(property(queue)).map(Position::decode);
  }

  /** The name of the property. */
  static String property(UUID queue) {
    return PROPERTIES + queue;
  }

  byte[] encode() {
    return ByteBuffer.allocate(BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(VERSION)
        .putLong(generation)
        .putLong(index)
        .putInt(checksum)
        .array();
  }

  /** Null for anything else than what {@link #encode} gives. */
  static @Nullable Position decode(byte[] bytes) {
    ByteBuffer from = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    return bytes.length == BYTES && from.get() == VERSION
        ? new Position(from.getLong(), from.getLong(), from.getInt())
        : null;
  }
}
