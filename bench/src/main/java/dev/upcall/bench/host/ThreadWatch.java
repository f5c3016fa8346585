package dev.upcall.bench.host;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** How much processor time some threads of a process take while something is measured. */
public final class ThreadWatch {
  private static final List<String> COMPILERS = List.of("C1 Comp", "C2 Comp");

  private final long pid;
  private final List<String> names;
  private final long beginNanos = System.nanoTime();
  private final Map<String, Double> before;

  private ThreadWatch(long pid, List<String> names) throws IOException {
    this.pid = pid;
    this.names = names;
    this.before = ProcessCpu.threadSeconds(pid, names);
  }

  /** Begins to watch the compiler of a JVM. */
  public static ThreadWatch compiler(long pid) throws IOException {
    return new ThreadWatch(pid, COMPILERS);
  }

  /** Begins to watch the threads whose names begin so; of a name the kernel keeps 15 bytes. */
  public static ThreadWatch named(long pid, String begin) throws IOException {
    return new ThreadWatch(pid, List.of(begin));
  }

  /** Processor time that they have taken since. */
  public double seconds() throws IOException {
    return added(before, ProcessCpu.threadSeconds(pid, names));
  }

  /** The part of a core that they have taken since. */
  public double part() throws IOException {
    double passed = (System.nanoTime() - beginNanos) / 1e9;
    return seconds() / passed;
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
