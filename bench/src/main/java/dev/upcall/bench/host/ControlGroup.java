package dev.upcall.bench.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A control group of the kernel, of either version, which bounds what its processes take of
 * something. It can be closed when its processes have ended.
 */
public final class ControlGroup implements AutoCloseable {
  private static final Path MOUNTS = Path.of("/sys/fs/cgroup");
  private static final String SWAP = "memory.swap.max";
  private static final int REMOVALS = 50;
  private static final int REMOVAL_MILLIS = 20;

  private final Path folder;

  private ControlGroup(Path folder) {
    this.folder = folder;
  }

  /**
   * A bound.
   *
   * @param controller of the first version
   * @param first that version's files, with what is written into them
   * @param second the same of the second version; there may be no file of {@link #SWAP}
   */
  private record Bound(String controller, Map<String, String> first, Map<String, String> second) {}

  /**
   * One that bounds what its processes add to memory from then on, pages of files included. Their
   * earlier memory stays with the group from which they came.
   *
   * @throws IOException that says why there is none, the lack of permission for example
   */
  public static ControlGroup ofMemory(String name, long bytes) throws IOException {
    String limit = Long.toString(bytes);
    return create(
        name,
        new Bound(
            "memory",
            Map.of("memory.limit_in_bytes", limit),
            Map.of("memory.max", limit, SWAP, "0")));
  }

  /**
   * One whose processes read and write a device no faster than that together, by requests that do
   * not go through the page cache.
   *
   * @param device the kernel's numbers of a whole one, {@link DeviceTraffic#disk}
   * @param readBytes a second
   * @param writeBytes a second
   * @throws IOException that says why there is none
   */
  public static ControlGroup ofDevice(String name, String device, long readBytes, long writeBytes)
      throws IOException {
    return create(
        name,
        new Bound(
            "blkio",
            Map.of(
                "blkio.throttle.read_bps_device", device + " " + readBytes,
                "blkio.throttle.write_bps_device", device + " " + writeBytes),
            Map.of("io.max", "%s rbps=%d wbps=%d".formatted(device, readBytes, writeBytes))));
  }

  /**
   * Makes one below that of this process, or where the kernel lets one be: the second version has
   * none below a group with processes in it.
   */
  private static ControlGroup create(String name, Bound bound) throws IOException {
    Path second = null;
    for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
      String[] parts = line.split(":", 3);
      String own = parts[2].substring(1);
      if (parts[1].equals(bound.controller)) {
        Path mount = MOUNTS.resolve(bound.controller);
        return create(mount, mount.resolve(own), name, bound.first);
      }
      second = parts[1].isEmpty() ? MOUNTS.resolve(own) : second;
    }
    if (second == null) {
      throw new IOException("the kernel has no control groups");
    }
    return create(MOUNTS, second, name, bound.second);
  }

  private static ControlGroup create(Path mount, Path own, String name, Map<String, String> limits)
      throws IOException {
    IOException impossible = new IOException("there is no control group at " + own);
    for (Path above = own; above.startsWith(mount); above = above.resolve("..").normalize()) {
      try {
        Path folder = Files.createDirectory(above.resolve(name));
        try {
          for (Map.Entry<String, String> limit : limits.entrySet()) {
            Path file = folder.resolve(limit.getKey());
            if (!limit.getKey().equals(SWAP) || Files.exists(file)) {
              Files.writeString(file, limit.getValue());
            }
          }
          return new ControlGroup(folder);
        } catch (IOException refused) {
          Files.delete(folder);
          throw refused;
        }
      } catch (IOException refused) {
        impossible = refused;
      }
    }
    throw new IOException("no control group can be made: " + impossible, impossible);
  }

  /** Takes a process with all its threads in. */
  public void take(long pid) throws IOException {
    Files.writeString(folder.resolve("cgroup.procs"), Long.toString(pid));
  }

  /** The command, which runs in this group from its first instruction on, under the same id. */
  public List<String> around(List<String> command) {
    List<String> inside = new ArrayList<>();
    inside.addAll(
        List.of(
            "/bin/sh",
            "-c",
            "echo $$ > \"$0\" && exec \"$@\"",
            folder.resolve("cgroup.procs").toString()));
    inside.addAll(command);
    return inside;
  }

  /** Removes it, when the programs in it have ended. */
  @Override
  public void close() throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        Files.delete(folder);
        return;
      } catch (IOException busy) {
        if (attempt == REMOVALS) {
          throw busy;
        }
        pause();
      }
    }
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(REMOVAL_MILLIS);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
      throw new IOException(ended);
    }
  }
}
