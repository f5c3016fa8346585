package dev.upcall.cli.blocks;

import dev.upcall.io.DiskOperation;
import dev.upcall.io.trace.TraceEntry;
import dev.upcall.io.trace.TraceSource;
import dev.upcall.io.trace.text.TraceForm;
import java.io.IOException;
import java.nio.file.Path;

/**
 * What one reading of a trace tells before it is used.
 *
 * @param form how it is written
 * @param entries how many there are
 * @param endBlock the block behind the last one that is moved
 * @param farthest where the entry stands that reaches so far
 * @param firstNanos the time of the first
 * @param lastNanos and of the last
 * @param changes whether anything but reads and syncs is among them
 * @param damage where it is cut off or damaged; empty if it is not
 */
record TraceOutline(
    TraceForm form,
    long entries,
    long endBlock,
    String farthest,
    long firstNanos,
    long lastNanos,
    boolean changes,
    String damage) {

  /** Something that is done with each entry. */
  interface Each {
    /** Does it; false if no more are wanted. */
    boolean take(TraceEntry entry) throws IOException;
  }

  /** Reads all of a trace. */
  static TraceOutline of(Path file) throws IOException {
    long entries = 0;
    long end = 0;
    String farthest = "";
    long first = 0;
    long last = 0;
    boolean changes = false;
    try (TraceSource source = TraceForm.open(file)) {
      for (TraceEntry entry = source.next(); entry != null; entry = source.next()) {
        first = entries == 0 ? entry.timeNanos() : first;
        last = entry.timeNanos();
        entries++;
        if (entry.operation() != DiskOperation.SHRINK && entry.run().end() > end) {
          end = entry.run().end();
          farthest = source.place();
        }
        changes |=
            entry.operation() != DiskOperation.READ && entry.operation() != DiskOperation.SYNC;
      }
      return new TraceOutline(
          TraceForm.ofFile(file), entries, end, farthest, first, last, changes, source.damage());
    }
  }

  /** Does something with each entry of a trace. */
  static void each(Path file, Each each) throws IOException {
    try (TraceSource source = TraceForm.open(file)) {
      TraceEntry entry = source.next();
      while (entry != null && each.take(entry)) {
        entry = source.next();
      }
    }
  }

  /** How long it is. */
  long spanNanos() {
    return lastNanos - firstNanos;
  }
}
