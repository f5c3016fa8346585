package dev.upcall.bench.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the kernel has asked of the device below a folder, whoever wanted it: the journal of the
 * file system is in it, and so is every other process. {@code /sys/dev/block/MAJOR:MINOR/stat} has
 * it, as {@code /proc/diskstats} does.
 */
public final class DeviceTraffic {
  private static final int SECTOR_BYTES = 512;

  /** Milliseconds that reads took, each from its queueing to its end; the fourth number. */
  private static final int READING_FIELD = 3;

  /** Sectors read, the third number of the line; the first counts reads, the fifth writes. */
  private static final int READ_FIELD = 2;

  private static final int WRITES_FIELD = 4;

  /** Sectors written, the seventh number of the line. */
  private static final int WRITTEN_FIELD = 6;

  /** The same of writes, the eighth number. */
  private static final int WRITING_FIELD = 7;

  private static final long LOW_MINOR = 0xff;
  private static final int MAJOR_SHIFT = 8;
  private static final long MAJOR_MASK = 0xfff;
  private static final int HIGH_MINOR_SHIFT = 12;
  private static final long HIGH_MINOR_MASK = 0xfff00;

  private final Path statistics;

  /** Requests to the device, as it got them, and their bytes. */
  public record Moved(double reads, double readBytes, double writes, double writtenBytes) {
    /** The requests since an earlier moment. */
    public Moved since(Moved before) {
      return new Moved(
          reads - before.reads,
          readBytes - before.readBytes,
          writes - before.writes,
          writtenBytes - before.writtenBytes);
    }
  }

  private DeviceTraffic(Path statistics) {
    this.statistics = statistics;
  }

  /** Of the device that a folder lies on. */
  public static DeviceTraffic below(Path folder) throws IOException {
    return new DeviceTraffic(directory(folder).resolve("stat"));
  }

  /**
   * The kernel's numbers of the disk that a folder lies on, {@code MAJOR:MINOR}: of all of it,
   * where the folder's file system is in a partition.
   *
   * @throws IOException that says that there is none, as in memory
   */
  public static String disk(Path folder) throws IOException {
    Path directory = directory(folder);
    if (!Files.exists(directory)) {
      throw new IOException("the kernel knows no device of " + folder.toAbsolutePath());
    }
    Path own = directory.toRealPath();
    boolean isPart = Files.exists(own.resolve("partition"));
    return Files.readString((isPart ? own.resolve("..") : own).resolve("dev")).strip();
  }

  private static Path directory(Path folder) throws IOException {
    long device = ((Number) Files.getAttribute(folder, "unix:dev")).longValue();
    long major = (device >> MAJOR_SHIFT) & MAJOR_MASK;
    long minor = (device & LOW_MINOR) | ((device >> HIGH_MINOR_SHIFT) & HIGH_MINOR_MASK);
    return Path.of("/sys/dev/block", major + ":" + minor);
  }

  /** Bytes written since the machine started; NaN when there is no such device, as in memory. */
  public double writtenBytes() throws IOException {
    return Files.exists(statistics) ? written(Files.readString(statistics)) : Double.NaN;
  }

  /**
   * What all reads and writes took since the machine started, one added to the other, measured
   * where the kernel hands them to the device: the same for every program. NaN when there is no
   * such device.
   */
  public double requestSeconds() throws IOException {
    return Files.exists(statistics) ? requestSeconds(Files.readString(statistics)) : Double.NaN;
  }

  /** Requests since the machine started; NaN when there is no such device. */
  public Moved moved() throws IOException {
    return Files.exists(statistics)
        ? moved(Files.readString(statistics))
        : new Moved(Double.NaN, Double.NaN, Double.NaN, Double.NaN);
  }

  /** The requests in a line of statistics. */
  static Moved moved(String line) {
    return new Moved(
        number(line, 0),
        number(line, READ_FIELD) * SECTOR_BYTES,
        number(line, WRITES_FIELD),
        written(line));
  }

  /** The bytes written in a line of statistics. */
  static double written(String line) {
    return number(line, WRITTEN_FIELD) * SECTOR_BYTES;
  }

  /** The time of reads and writes in a line of statistics. */
  static double requestSeconds(String line) {
    return (number(line, READING_FIELD) + number(line, WRITING_FIELD)) / 1e3;
  }

  private static double number(String line, int field) {
    return Double.parseDouble(line.strip().split(" +", -1)[field]);
  }
}
