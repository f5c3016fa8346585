package dev.upcall.io.trace;

import dev.upcall.io.DiskOperation;
import dev.upcall.io.IoClass;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Traces from a seed, with runs that continue, places that come again, and pauses. */
final class RandomTrace {
  static final long BLOCKS = 5000;

  private static final DiskOperation[] OPERATIONS = {
    DiskOperation.READ,
    DiskOperation.READ,
    DiskOperation.WRITE,
    DiskOperation.DURABLE_WRITE,
    DiskOperation.SYNC,
    DiskOperation.ALLOCATE,
    DiskOperation.DISCARD,
    DiskOperation.SHRINK
  };

  private RandomTrace() {}

  static List<TraceEntry> of(long seed, int entries) {
    SplittableRandom random = new SplittableRandom(seed);
    List<TraceEntry> trace = new ArrayList<>();
    long now = random.nextLong(1L << 40);
    long end = 0;
    for (int i = 0; i < entries; i++) {
      now += pauseNanos(random);
      DiskOperation operation = OPERATIONS[random.nextInt(OPERATIONS.length)];
      IoClass ioClass = IoClass.values()[random.nextInt(IoClass.values().length)];
      long blocks = 1 + random.nextInt(40);
      long first = random.nextInt(3) == 0 && end < BLOCKS ? end : random.nextLong(BLOCKS);
      boolean isSync = operation == DiskOperation.SYNC;
      TraceEntry.Run run = new TraceEntry.Run(isSync ? 0 : first, isSync ? 0 : blocks);
      end = isSync ? end : run.end();
      TraceEntry.Source source =
          new TraceEntry.Source(
              random.nextInt(400), 1 + random.nextInt(3), 100L * random.nextInt(1 << 20));
      trace.add(new TraceEntry(now, operation, ioClass, run, source));
    }
    return trace;
  }

  /** Multiples of what a file keeps; some longer than two entries of a block may be apart. */
  private static long pauseNanos(SplittableRandom random) {
    return switch (random.nextInt(200)) {
      case 0 -> 500_000_000_000L;
      case 1, 2 -> 100 * random.nextLong(900_000_000L);
      default -> 100L * random.nextInt(100_000);
    };
  }
}
