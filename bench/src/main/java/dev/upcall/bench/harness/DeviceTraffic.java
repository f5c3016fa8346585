package dev.upcall.bench.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the kernel has written to the device below a folder, whoever asked for it: the journal of
 * the file system is in it, and so is every other process. {@code /sys/dev/block/MAJOR:MINOR/stat}
 * has it, as {@code /proc/diskstats} does.
 */
final class DeviceTraffic {
  private static final int SECTOR_BYTES = 512;

  /** Sectors written, the seventh number of the line. */
  private static final int WRITTEN_FIELD = 6;

  private static final long LOW_MINOR = 0xff;
  private static final int MAJOR_SHIFT = 8;
  private static final long MAJOR_MASK = 0xfff;
  private static final int HIGH_MINOR_SHIFT = 12;
  private static final long HIGH_MINOR_MASK = 0xfff00;

  private final Path statistics;

  private DeviceTraffic(Path statistics) {
    this.statistics = statistics;
  }

  /** Of the device that a folder lies on. */
  static DeviceTraffic below(Path folder) throws IOException {
    long device = ((Number) Files.getAttribute(folder, "unix:dev")).longValue();
    long major = (device >> MAJOR_SHIFT) & MAJOR_MASK;
    long minor = (device & LOW_MINOR) | ((device >> HIGH_MINOR_SHIFT) & HIGH_MINOR_MASK);
    return new DeviceTraffic(Path.of("/sys/dev/block", major + ":" + minor, "stat"));
  }

  /** Bytes written since the machine started; NaN when there is no such device, as in memory. */
  double writtenBytes() throws IOException {
    return Files.exists(statistics) ? parse(Files.readString(statistics)) : Double.NaN;
  }

  /** The bytes written in a line of statistics. */
  static double parse(String line) {
    return Double.parseDouble(line.strip().split(" +", -1)[WRITTEN_FIELD]) * SECTOR_BYTES;
  }
}
