package dev.upcall.journal.trace;

import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What was under way at an instant, as far as its begin was recorded.
 *
 * @param requests by the numbers of the names of their verbs
 * @param machines how many stood in which state; states that no machine was ever seen to leave are
 *     taken for ends, and left out
 * @param device requests at the device, by the numbers of the names of their operations
 * @param upcalls that waited when the last turn before the instant had ended
 */
public record Depths(
    Map<Integer, Long> requests,
    Map<StateTimes.State, Long> machines,
    Map<Integer, Long> device,
    long upcalls) {

  /** A request of the device: which disk, and which of it. */
  private record AtDevice(int operation, long number) {}

  /** What is known while the records come. */
  private static final class Scene {
    private final long atNanos;
    private final Requests requests = new Requests(_ -> {});
    private final MachineStates machines = new MachineStates(_ -> {});
    private final Set<StateTimes.State> left = new HashSet<>();
    private final Map<AtDevice, Long> device = new HashMap<>();
    private long upcalls;

    private Scene(long atNanos) {
      this.atNanos = atNanos;
    }

    private void take(TraceRecord one) {
      if (one.kind() == TraceKind.TRANSITION) {
        left.add(new StateTimes.State(one.name(), one.from()));
      }
      if (one.atNanos() <= atNanos) {
        requests.accept(one);
        machines.accept(one);
        other(one);
      }
    }

    private void other(TraceRecord one) {
      AtDevice at = new AtDevice(one.name(), one.number());
      switch (one.kind()) {
        case DISK_REQUEST -> device.merge(at, 1L, Long::sum);
        case DISK_COMPLETION ->
            device.computeIfPresent(at, (_, count) -> count > 1 ? count - 1 : null);
        case TURN -> upcalls = one.queueAfter();
        default -> {
          // Requests and machines are counted elsewhere.
        }
      }
    }

    private Depths depths() {
      Map<Integer, Long> byVerb = new TreeMap<>();
      requests.open().forEach(one -> byVerb.merge(one.name(), 1L, Long::sum));
      Map<StateTimes.State, Long> byState =
          new TreeMap<>(
              Comparator.comparingInt(StateTimes.State::machine)
                  .thenComparingInt(StateTimes.State::state));
      for (TraceRecord one : machines.standing().values()) {
        StateTimes.State state = new StateTimes.State(one.name(), one.to());
        if (left.contains(state)) {
          byState.merge(state, 1L, Long::sum);
        }
      }
      Map<Integer, Long> byOperation = new TreeMap<>();
      device.forEach((at, count) -> byOperation.merge(at.operation(), count, Long::sum));
      return new Depths(byVerb, byState, byOperation, upcalls);
    }
  }

  /** Looks at all records, and at what was under way when the clock stood so. */
  public static Depths at(TraceSource.Cursor records, long atNanos) throws IOException {
    Scene scene = new Scene(atNanos);
    records.read(scene::take);
    return scene.depths();
  }
}
