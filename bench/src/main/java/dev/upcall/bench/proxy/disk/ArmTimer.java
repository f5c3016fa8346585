package dev.upcall.bench.proxy.disk;

import dev.upcall.io.Disk;
import dev.upcall.sim.drive.DriveConfig;
import dev.upcall.sim.drive.Mechanism;
import java.util.Arrays;
import java.util.List;

/** How long requests take on disks with an arm each. */
final class ArmTimer {
  /** The drive's blocks in a page of the file system. */
  static final int PAGE_BLOCKS = DiskShape.PAGE_BYTES / Disk.BLOCK_BYTES;

  private final long[] ends;
  private final Mechanism[] arms;
  private final long[] together;
  private boolean isTogether;
  private long nanos;

  /**
   * Arms at the first page of each disk.
   *
   * @param ends the page behind the last one of each
   */
  ArmTimer(List<Long> ends) {
    this.ends = ends.stream().mapToLong(Long::longValue).toArray();
    this.arms = new Mechanism[this.ends.length];
    long blocks = this.ends[this.ends.length - 1] * PAGE_BLOCKS;
    Arrays.setAll(arms, arm -> DriveConfig.proxyPaper(blocks).geometry().mechanism());
    this.together = new long[arms.length];
  }

  /** From here on requests do not wait for those to other disks. */
  void begin() {
    isTogether = true;
    Arrays.fill(together, 0);
  }

  /** The slowest of the disks has done its part. */
  void end() {
    isTogether = false;
    nanos += Arrays.stream(together).max().orElse(0);
  }

  /** Serves a request; how long that takes by itself. */
  long serve(long page, int pages) {
    int arm = 0;
    while (page >= ends[arm]) {
      arm++;
    }
    long first = page * PAGE_BLOCKS;
    long end = (page + pages) * PAGE_BLOCKS;
    long took = arms[arm].accessNanos(0, first) + arms[arm].passNanos(first, end);
    arms[arm].moveTo(end);
    if (isTogether) {
      together[arm] += took;
    } else {
      nanos += took;
    }
    return took;
  }

  /** How long all took until now. */
  long nanos() {
    return nanos;
  }

  /** Counts from 0 again; the arms stay where they are. */
  void reset() {
    nanos = 0;
  }
}
