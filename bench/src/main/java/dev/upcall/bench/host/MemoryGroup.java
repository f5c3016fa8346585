package dev.upcall.bench.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A memory control group of the kernel, of either version: what its processes add to memory from
 * then on, pages of files included, is bounded. Their earlier memory stays with the group from
 * which they came. It can be closed when its processes have ended.
 */
public final class MemoryGroup implements AutoCloseable {
  private static final Path MOUNTS = Path.of("/sys/fs/cgroup");
  private static final String FIRST_VERSION = "memory";
  private static final int REMOVALS = 50;
  private static final int REMOVAL_MILLIS = 20;

  private final Path folder;

  private MemoryGroup(Path folder) {
    this.folder = folder;
  }

  /**
   * Makes one below that of this process, or where the kernel lets one be: the second version has
   * none below a group with processes in it.
   *
   * @throws IOException that says why there is none, the lack of permission for example
   */
  public static MemoryGroup create(String name, long bytes) throws IOException {
    Path second = null;
    for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
      String[] parts = line.split(":", 3);
      String own = parts[2].substring(1);
      if (parts[1].equals(FIRST_VERSION)) {
        Path mount = MOUNTS.resolve(FIRST_VERSION);
        return create(mount, mount.resolve(own), name, "memory.limit_in_bytes", bytes);
      }
      second = parts[1].isEmpty() ? MOUNTS.resolve(own) : second;
    }
    if (second == null) {
      throw new IOException("the kernel has no control groups");
    }
    return create(MOUNTS, second, name, "memory.max", bytes);
  }

  private static MemoryGroup create(Path mount, Path own, String name, String limit, long bytes)
      throws IOException {
    IOException impossible = new IOException("there is no control group at " + own);
    for (Path above = own; above.startsWith(mount); above = above.resolve("..").normalize()) {
      try {
        Path folder = Files.createDirectory(above.resolve(name));
        try {
          Files.writeString(folder.resolve(limit), Long.toString(bytes));
          Path swap = folder.resolve("memory.swap.max");
          if (Files.exists(swap)) {
            Files.writeString(swap, "0");
          }
          return new MemoryGroup(folder);
        } catch (IOException refused) {
          Files.delete(folder);
          throw refused;
        }
      } catch (IOException refused) {
        impossible = refused;
      }
    }
    throw new IOException("no memory control group can be made: " + impossible, impossible);
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
