package dev.upcall.bench.harness;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Confines a process that runs already, with all of its threads, to some cores. What they start
 * from then on inherits it. The kernel's own workers for a ring ({@code iou-wrk}) let nobody
 * confine them and are left where they are.
 */
final class Confinement {
  /** Threads that were started by others while these were confined are seen by the next look. */
  private static final int MOST_LOOKS = 50;

  private static final String KERNEL_WORKER = "iou-";

  private final String taskset;
  private final long pid;
  private final String cores;

  /**
   * Not yet.
   *
   * @param taskset the program
   * @param cores as in {@code 0,1}
   */
  Confinement(String taskset, long pid, String cores) {
    this.taskset = taskset;
    this.pid = pid;
    this.cores = cores;
  }

  /**
   * Does it.
   *
   * @throws IOException when a thread would not be confined
   */
  void run() throws IOException, InterruptedException {
    taskset("-acp", pid);
    List<Long> free = free(pid, cores);
    for (int look = 0; !free.isEmpty(); look++) {
      if (look == MOST_LOOKS) {
        throw new IOException(
            "taskset could not confine threads %s of process %d to %s".formatted(free, pid, cores));
      }
      for (long thread : free) {
        taskset("-cp", thread);
      }
      free = free(pid, cores);
    }
  }

  /** Whether it worked shows in the threads; one that has ended meanwhile makes it fail. */
  private void taskset(String options, long id) throws IOException, InterruptedException {
    new ProcessBuilder(taskset, options, cores, Long.toString(id))
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  /** Threads of a process that may run elsewhere. */
  static List<Long> free(long pid, String cores) throws IOException {
    BitSet wanted = parse(cores);
    List<Long> free = new ArrayList<>();
    Path tasks = Path.of("/proc", Long.toString(pid), "task");
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
      for (Path thread : threads) {
        try {
          List<String> status = Files.readAllLines(thread.resolve("status"));
          BitSet allowed = parse(value(status, "Cpus_allowed_list:"));
          boolean ours = !value(status, "Name:").startsWith(KERNEL_WORKER);
          if (ours && !allowed.equals(wanted)) {
            free.add(Long.parseLong(thread.getFileName().toString()));
          }
        } catch (IOException unreadable) {
          // A thread that ends while we look has no file, or one that cannot be read any more.
          if (Files.exists(thread)) {
            throw unreadable;
          }
        }
      }
    }
    return free;
  }

  private static String value(List<String> status, String key) throws IOException {
    return status.stream()
        .filter(line -> line.startsWith(key))
        .map(line -> line.substring(key.length()).strip())
        .findFirst()
        .orElseThrow(() -> new IOException("no " + key + " in the status of a thread"));
  }

  /** A list of cores as the kernel writes it: {@code 0,2-3}. */
  static BitSet parse(String list) {
    BitSet cores = new BitSet();
    for (String part : list.split(",", -1)) {
      int dash = part.indexOf('-');
      int first = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
      int last = dash < 0 ? first : Integer.parseInt(part.substring(dash + 1));
      cores.set(first, last + 1);
    }
    return cores;
  }
}
