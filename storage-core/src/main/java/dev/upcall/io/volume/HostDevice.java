package dev.upcall.io.volume;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The block device that a file lies on, or that it is, as Linux describes it below {@code
 * /sys/dev/block}. Blocks: not for a dispatcher's thread.
 */
public final class HostDevice {
  private static final Path DEVICES = Path.of("/sys/dev/block");
  private static final String DEVICE_NUMBER = "unix:rdev";

  private static final long LOW_MINOR = 0xff;
  private static final int MAJOR_SHIFT = 8;
  private static final long MAJOR_MASK = 0xfff;
  private static final int HIGH_MINOR_SHIFT = 12;
  private static final long HIGH_MINOR_MASK = 0xfff00;

  /** Its folder, or that of the disk that it is a part of; null if it is no block device's. */
  private final @Nullable Path disk;

  private HostDevice(@Nullable Path disk) {
    this.disk = disk;
  }

  /** The one below a file, or the file itself if it is a block device. */
  public static HostDevice below(Path file) {
    return below(file, DEVICES);
  }

  /** The same where devices are described elsewhere. */
  static HostDevice below(Path file, Path devices) {
    try {
      int type = (Integer) Files.getAttribute(file, "unix:mode") & VolumeOpener.TYPE_MASK;
      boolean isDevice = type == VolumeOpener.TYPE_BLOCK_DEVICE;
      Object number = Files.getAttribute(file, isDevice ? DEVICE_NUMBER : "unix:dev");
      return of(((Number) number).longValue(), devices);
    } catch (IOException notThere) {
      // A file of no device that can be looked at: nothing is known of one.
      return new HostDevice(null);
    }
  }

  /** The device of a number, as the C library packs major and minor. */
  public static HostDevice of(long number, Path devices) throws IOException {
    long major = (number >> MAJOR_SHIFT) & MAJOR_MASK;
    long minor = (number & LOW_MINOR) | ((number >> HIGH_MINOR_SHIFT) & HIGH_MINOR_MASK);
    Path link = devices.resolve(major + ":" + minor);
    if (!Files.exists(link)) {
      return new HostDevice(null);
    }
    Path folder = link.toRealPath();
    // The queue is the whole disk's; a partition's folder lies in that of its disk.
    return new HostDevice(Files.exists(folder.resolve("partition")) ? folder.getParent() : folder);
  }

  /** Its name, such as {@code sda}; empty if there is none. */
  public String name() {
    return disk == null ? "" : String.valueOf(disk.getFileName());
  }

  /** A file that describes its queue, such as {@code scheduler}; null if there is no device. */
  public @Nullable Path queue(String what) {
    return disk == null ? null : disk.resolve("queue").resolve(what);
  }

  /**
   * Whether it is a disk of SCSI or ATA that says it has heads. What others say counts for nothing:
   * Linux has virtual disks rotate unless their host says otherwise.
   */
  public boolean isRotating() {
    Path file = queue("rotational");
    if (file == null || !name().startsWith("sd")) {
      return false;
    }
    try {
      return Files.readString(file).strip().equals("1");
    } catch (IOException unreadable) {
      // Whoever knows better says so with --io-policy.
      return false;
    }
  }
}
