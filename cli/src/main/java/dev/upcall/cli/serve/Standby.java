package dev.upcall.cli.serve;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.FileManager;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.cli.failover.Announcement;
import dev.upcall.cli.failover.SuccessorPort;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.store.StoreAccess;
import dev.upcall.completion.Completion;
import dev.upcall.fileman.engine.EngineUpcall;
import dev.upcall.fsm.MachineCounts;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.server.Endpoint;
import dev.upcall.httpd.server.ListeningSocket;
import dev.upcall.io.volume.VolumeClaim;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A server in waiting: takes a store when the process that has it has ended, says how, and how long
 * each step took. The command's thread.
 */
final class Standby implements AutoCloseable {
  private static final long LOOK_NANOS = Duration.ofSeconds(1).toNanos();
  private static final double NANOS_PER_MILLI = 1e6;

  /** An address that somebody else has is asked for so long, with a pause in between. */
  private static final long BIND_NANOS = Duration.ofSeconds(5).toNanos();

  private static final long BIND_PAUSE_MILLIS = 50;

  private final Shell shell;
  private final VolumeClaim claim;
  private final SuccessorPort port;
  private final long begunNanos = System.nanoTime();

  /** Nanoseconds by step, in order; none before the step. */
  private final Map<String, Long> steps = new LinkedHashMap<>();

  private Standby(Shell shell, VolumeClaim claim, SuccessorPort port) {
    this.shell = shell;
    this.claim = claim;
    this.port = port;
  }

  /**
   * Begins to wait for a store, which must exist.
   *
   * @param endpoint where it will be served
   * @param limits of that server
   */
  static Standby of(
      Path volume, UpcallConfig config, Shell shell, Endpoint endpoint, HttpConfig limits) {
    config.checkFitsJvm();
    VolumeClaim claim =
        StoreAccess.existing(volume, () -> UpcallException.value(VolumeClaim.of(volume)));
    return new Standby(shell, claim, new SuccessorPort(claim, config, endpoint, limits));
  }

  /**
   * Returns when the store is this process's to open.
   *
   * @param warmUp what can be made ready while there is nothing else to do
   * @return false when the user asked for the end before
   */
  boolean await(Runnable warmUp) {
    if (isHeld(0)) {
      shell.say("standby: nobody has the store open; taking it at once");
    } else {
      shell.say("standby: waiting for " + claim.owner() + ", which has the store open");
      shell.stop().whenAsked(claim::close);
      warmUp.run();
      // Known to the owner only now: a handover finds a JVM that is ready.
      try (Announcement announcement = new Announcement(claim.path(), claim::isNext, port)) {
        settled(announcement);
        shell.say("standby: ready");
        while (!isHeld(LOOK_NANOS)) {
          if (shell.stop().isAsked()) {
            return false;
          }
        }
      }
    }
    steps.put("waited", Math.max(0, claim.lockedNanos() - begunNanos));
    steps.put("fence", claim.fenceNanos());
    shell.say(
        "standby: the store is without owner, after %s of waiting; took %s to see the end of old writes"
            .formatted(millis("waited"), millis("fence")));
    return true;
  }

  private static void settled(Announcement announcement) {
    try {
      announcement.awaitSettled();
    } catch (InterruptedException during) {
      throw interrupted();
    }
  }

  private static CommandFailure interrupted() {
    Thread.currentThread().interrupt();
    return CommandFailure.failed("interrupted");
  }

  private boolean isHeld(long nanos) {
    try {
      return UpcallException.value(claim.await(nanos));
    } catch (InterruptedException during) {
      throw interrupted();
    }
  }

  /** Opens it, once it was waited for. */
  Upcall open() {
    Upcall store = port.open();
    long nanos = System.nanoTime() - claim.lockedNanos() - claim.fenceNanos();
    recovery(machines(store), nanos);
    shell.say(
        "standby: open: "
            + steps.keySet().stream()
                .skip(2)
                .map(step -> step + " " + millis(step))
                .collect(Collectors.joining(", ")));
    return store;
  }

  private static List<MachineCounts> machines(Upcall store) {
    Completion<List<MachineCounts>> counts =
        ((EngineUpcall) store)
            .amongMachines((files, port) -> files.dispatcher().complete(port, machines(files)));
    return UpcallException.value(counts);
  }

  private static Completion<List<MachineCounts>> machines(FileManager files) {
    return Completion.done(files.store().metrics().machines());
  }

  /** Where the time went, by the states in which the machines have stood that open a store. */
  private void recovery(List<MachineCounts> machines, long allNanos) {
    long scan = nanosIn(machines, "LogScan", "WALKING", "SEARCHING", "VERIFYING", "SYNCING");
    long replaying = nanosIn(machines, "Recovery", "REPLAYING");
    steps.put("superblock", nanosIn(machines, "Recovery", "READING_SUPERBLOCK"));
    steps.put("map", nanosIn(machines, "Recovery", "LOADING_MAP"));
    steps.put("roots", nanosIn(machines, "Recovery", "LOADING_ROOTS"));
    steps.put("unplaced", nanosIn(machines, "Recovery", "LOADING_UNPLACED"));
    steps.put("scan", scan);
    steps.put("replay", replaying - scan);
    steps.put("snapshots", nanosIn(machines, "Recovery", "LOADING_SNAPSHOTS", "LOOKING"));
    steps.put("heal", nanosIn(machines, "Recovery", "HEALING"));
    long known = steps.values().stream().skip(2).mapToLong(Long::longValue).sum();
    steps.put("rest", allNanos - known);
  }

  private static long nanosIn(List<MachineCounts> all, String machine, String... states) {
    List<String> wanted = List.of(states);
    return all.stream()
        .filter(counts -> counts.machine().equals(machine))
        .flatMap(counts -> counts.states().stream())
        .filter(state -> wanted.contains(state.name()))
        .mapToLong(MachineCounts.State::nanosIn)
        .sum();
  }

  /**
   * Binds what the owner had bound. That is free since it has ended; an address that still is not,
   * or not yet this machine's, is asked for for five seconds.
   */
  WebServer bind(Supplier<WebServer> binding) {
    long from = System.nanoTime();
    while (true) {
      try {
        WebServer server = binding.get();
        steps.merge("bind", System.nanoTime() - from, Long::sum);
        return server;
      } catch (CommandFailure refused) {
        if (System.nanoTime() - from > BIND_NANOS || shell.stop().await(BIND_PAUSE_MILLIS)) {
          throw refused;
        }
      }
    }
  }

  /** What listens already, because the owner handed it over; null where nothing does. */
  @Nullable ListeningSocket socket() {
    return port.socket();
  }

  /** It answers: says so. */
  void serves() {
    steps.put("all", System.nanoTime() - claim.lockedNanos());
    shell.say(
        "standby: serving, %s after the store was without owner (bind %s)"
            .formatted(millis("all"), millis("bind")));
  }

  /** What each step took. */
  void write(JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("standby");
    for (Map.Entry<String, Long> step : steps.entrySet()) {
      json.writeNumberField(step.getKey() + "Millis", step.getValue() / NANOS_PER_MILLI);
    }
    json.writeEndObject();
  }

  private String millis(String step) {
    return "%.1f ms".formatted(steps.getOrDefault(step, 0L) / NANOS_PER_MILLI);
  }

  /** Lets the volume go, unless it was opened. */
  @Override
  public void close() {
    port.close();
    claim.close();
  }
}
