package dev.upcall.bench.harness;

import dev.upcall.bench.host.Programs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which core serves and which one makes the load.
 *
 * @param taskset the program that pins; null when nothing can be pinned
 */
public record Cores(@Nullable String taskset) {
  /** The core of servers. */
  public static final int SERVER = 0;

  /** The core of the load. */
  public static final int LOAD = 1;

  private static final int BESIDE_ALL = 2;

  /** The cores of servers and of the load. */
  public static final String ALL = "0,1";

  /** What this machine allows. */
  public static Cores find() {
    boolean enough = Runtime.getRuntime().availableProcessors() > LOAD;
    return new Cores(enough ? Programs.find("taskset") : null);
  }

  /** A command that runs on one core; unchanged when nothing can be pinned. */
  public List<String> pin(int core, List<String> command) {
    return pin(Integer.toString(core), command);
  }

  /** A command that runs on some cores, {@code 0,1} for example, and takes them for all. */
  public List<String> pin(String cores, List<String> command) {
    if (taskset == null) {
      return command;
    }
    List<String> pinned = new ArrayList<>(List.of(taskset, "-c", cores));
    pinned.addAll(command);
    return pinned;
  }

  /**
   * What a JVM is told when it is started, so that it sizes itself (compiler, collector, carriers
   * of virtual threads) for the cores that it is confined to later, and not for those on which it
   * warms up; nothing when nothing can be pinned.
   *
   * @param cores as in {@code 0,1}
   */
  public List<String> jvmFlags(String cores) {
    return taskset == null
        ? List.of()
        : List.of("-XX:ActiveProcessorCount=" + cores.split(",", -1).length);
  }

  /**
   * Confines a process that runs already to some cores; does nothing when nothing can be pinned.
   */
  public void confine(long pid, String cores) throws IOException, InterruptedException {
    if (taskset != null) {
      new Confinement(taskset, pid, cores).run();
    }
  }

  /** The first core that is none of {@link #ALL}; that of the load when there are no more. */
  public int besideAll() {
    return Runtime.getRuntime().availableProcessors() > BESIDE_ALL ? BESIDE_ALL : LOAD;
  }

  /** For the report. */
  public String describe() {
    return taskset == null
        ? "not pinned (fewer than 2 cores, or no taskset)"
        : "servers on core %d, their load on core %d".formatted(SERVER, LOAD);
  }
}
