package dev.upcall.bench.harness;

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

  /** For the report. */
  public String describe() {
    return taskset == null
        ? "not pinned (fewer than 2 cores, or no taskset)"
        : "servers on core " + SERVER + ", their load on core " + LOAD;
  }
}
