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
    return Warmup.added(before, ProcessCpu.compilerSeconds(pid)) / seconds;
  }
}
