package dev.upcall.bench.blocks;

import dev.upcall.bench.host.MissingPeerException;
import dev.upcall.io.volume.HostDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The kernel's I/O scheduler of a device, which is set for a while. */
final class KernelScheduler {
  private final String device;

  /** What the kernel offers, the present one in brackets; null where there is no such device. */
  private final @Nullable Path file;

  KernelScheduler(String device, @Nullable Path file) {
    this.device = device;
    this.file = file;
  }

  /** That of the device that a folder lies on. */
  static KernelScheduler below(Path folder) {
    HostDevice device = HostDevice.below(folder);
    return new KernelScheduler(device.name(), device.queue("scheduler"));
  }

  /**
   * The file, if a scheduler can be set there.
   *
   * @throws MissingPeerException that says why it cannot be
   */
  private Path require(String name) throws IOException {
    Path there = file;
    if (there == null || !Files.exists(there)) {
      throw new MissingPeerException(
          "the scheduler of %s cannot be set: the kernel shows no device with one"
              .formatted(device.isEmpty() ? "this folder" : device));
    }
    if (!names(there).contains(name)) {
      throw new MissingPeerException(
          "the kernel offers %s for %s, not %s"
              .formatted(String.join(", ", names(there)), device, name));
    }
    if (!Files.isWritable(there)) {
      throw new MissingPeerException(
          "the scheduler of %s cannot be set: %s is not writable".formatted(device, there));
    }
    return there;
  }

  private static List<String> names(Path file) throws IOException {
    return Arrays.stream(Files.readString(file).strip().split(" +", -1))
        .map(name -> name.replace("[", "").replace("]", ""))
        .toList();
  }

  private static String present(Path file) throws IOException {
    String text = Files.readString(file);
    int begin = text.indexOf('[');
    int end = text.indexOf(']');
    if (begin < 0 || end < begin) {
      throw new IOException("%s names no present scheduler: %s".formatted(file, text.strip()));
    }
    return text.substring(begin + 1, end);
  }

  /** A scheduler that is set until this is closed, or the process ends. */
  static final class Set implements AutoCloseable {
    private final Path file;
    private final String before;
    private final Thread hook;

    private Set(Path file, String name) throws IOException {
      this.file = file;
      this.before = present(file);
      this.hook = new Thread(this::putBackAtTheEnd, "scheduler is put back");
      Runtime.getRuntime().addShutdownHook(hook);
      Files.writeString(file, name);
    }

    private void putBackAtTheEnd() {
      try {
        Files.writeString(file, before);
      } catch (IOException stays) {
        System.getLogger(KernelScheduler.class.getName())
            .log(System.Logger.Level.ERROR, file + " could not be put back to " + before, stays);
      }
    }

    @Override
    public void close() throws IOException {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException ending) {
        // The hook runs, and does the same.
      }
      Files.writeString(file, before);
    }
  }

  /**
   * Sets a scheduler.
   *
   * @throws MissingPeerException if there is no such one, or it cannot be set
   */
  Set set(String name) throws IOException {
    return new Set(require(name), name);
  }

  /** The same without setting it. */
  void check(String name) throws IOException {
    require(name);
  }
}
