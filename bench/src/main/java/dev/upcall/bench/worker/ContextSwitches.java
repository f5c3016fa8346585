package dev.upcall.bench.worker;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** How often the kernel has put another thread onto the processor of one of ours. */
final class ContextSwitches {
  private ContextSwitches() {}

  /** Of all threads of this process that live, both those that slept and those that were pushed. */
  static long ofThisProcess() throws IOException {
    long switches = 0;
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
      for (Path thread : threads) {
        try {
          switches += of(thread.resolve("status"));
        } catch (IOException unreadable) {
          // A thread that ends while we look has no file, or one that cannot be read any more.
          if (Files.exists(thread)) {
            throw unreadable;
          }
        }
      }
    }
    return switches;
  }

  private static long of(Path status) throws IOException {
    return Files.readAllLines(status).stream()
        .filter(line -> line.contains("ctxt_switches:"))
        .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
        .sum();
  }
}
