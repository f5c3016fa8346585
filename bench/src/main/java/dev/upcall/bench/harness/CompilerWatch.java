package dev.upcall.bench.harness;

import java.io.IOException;
import java.util.Map;

/** How much of a core the compiler of a JVM takes while something is measured. */
public final class CompilerWatch {
  private final long pid;
  private final long beginNanos = System.nanoTime();
  private final Map<String, Double> before;

  /** Begins to watch a process. */
  public CompilerWatch(long pid) throws IOException {
    this.pid = pid;
    this.before = ProcessCpu.compilerSeconds(pid);
  }

  /** The part of a core that its compiler threads have taken since. */
  public double part() throws IOException {
    double seconds = (System.nanoTime() - beginNanos) / 1e9;
    return added(before, ProcessCpu.compilerSeconds(pid)) / seconds;
  }

  /** Time that was added; a thread that ended meanwhile is not known any more. */
  static double added(Map<String, Double> before, Map<String, Double> after) {
    double seconds = 0;
    for (Map.Entry<String, Double> thread : after.entrySet()) {
      seconds += thread.getValue() - before.getOrDefault(thread.getKey(), 0.0);
    }
    return seconds;
  }
}
