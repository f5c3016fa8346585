package dev.upcall.io.trace;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Some blocks of a trace file in memory, being filled or being written. */
final class TraceChunk {
  private final ByteBuffer bytes;
  private final int capacityBlocks;
  private ByteBuffer block;
  private int sealed;
  private int entries;
  private int flags;
  private long firstNanos;

  /** The time of the last entry, as a reader finds it. */
  private long lastNanos;

  TraceChunk(int capacityBlocks) {
    this.capacityBlocks = capacityBlocks;
    this.bytes =
        ByteBuffer.allocate(capacityBlocks * TraceFormat.BLOCK_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
    this.block = blockAt(0);
  }

  private ByteBuffer blockAt(int index) {
    return bytes
        .slice(index * TraceFormat.BLOCK_BYTES, TraceFormat.BLOCK_BYTES)
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  boolean isEmpty() {
    return sealed == 0 && entries == 0;
  }

  /** When its first block begins. */
  long firstNanos() {
    return firstNanos;
  }

  /** Empties it. */
  void begin() {
    sealed = 0;
    entries = 0;
    flags = 0;
    block = blockAt(0);
  }

  /** Entries were lost before the next one. */
  void lost() {
    if (entries > 0) {
      seal();
    }
    flags = TraceFormat.FLAG_LOST;
  }

  /** Takes an entry; false if there is no room. */
  boolean add(TraceEntry entry) {
    long ticks = Math.max(0, entry.timeNanos() - lastNanos) / TraceFormat.TICK_NANOS;
    if (entries == TraceFormat.MAX_ENTRIES || (entries > 0 && ticks > TraceFormat.MAX_TICKS)) {
      seal();
    }
    if (sealed == capacityBlocks) {
      return false;
    }
    if (entries == 0) {
      firstNanos = entry.timeNanos();
      lastNanos = firstNanos;
      ticks = 0;
    }
    TraceFormat.putEntry(block, entries++, entry, ticks);
    lastNanos += ticks * TraceFormat.TICK_NANOS;
    return true;
  }

  private void seal() {
    TraceFormat.seal(block, entries, flags, firstNanos);
    sealed++;
    entries = 0;
    flags = 0;
    if (sealed < capacityBlocks) {
      block = blockAt(sealed);
    }
  }

  /** Ends what was begun, and gives the blocks as they are to be written. */
  ByteBuffer whole() {
    if (entries > 0) {
      seal();
    }
    return bytes.slice(0, sealed * TraceFormat.BLOCK_BYTES);
  }
}
