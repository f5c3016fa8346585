package dev.upcall.bench.proxy.study;

import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.host.ControlGroup;
import dev.upcall.bench.proxy.layout.LayoutKind;
import dev.upcall.bench.report.Pace;
import dev.upcall.bench.worker.Worker;
import dev.upcall.bench.worker.WorkerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Replays on devices, each by a process of its own, one after the other. */
final class DeviceRuns {
  /** Memory that is there before the group takes the process in is not in the group. */
  private static final List<String> FLAGS = List.of("-XX:+UseSerialGC", "-XX:+AlwaysPreTouch");

  private static final Map<Integer, String> HEAPS = Map.of(0, "1g", 1, "320m", 2, "128m");

  /** For the process itself: threads, compiled code. */
  private static final long PROCESS_BYTES = 8L << 20;

  private static final int PAGE_BYTES = 8 << 10;
  private static final long MOST_SECONDS = 3600;

  private final Lab lab;
  private final StudySize size;
  private final Pace pace;
  private String unlimited = "";
  private int made;

  /**
   * Something that is replayed.
   *
   * @param ground HOST, AROUND or STORE, as of the worker
   * @param choice the worker's option for the layout, or for the policy of a bounded file
   */
  record Subject(String label, String ground, String choice) {
    static Subject host(LayoutKind kind) {
      return new Subject(kind.label(), "HOST", "layout=" + kind.name());
    }

    boolean isStore() {
      return ground.equals("STORE");
    }
  }

  /** The worker's words on each day; of a store also on the sweeps behind them. */
  record Found(Fields first, Fields second, List<Fields> sweeps) {
    double reads() {
      return second.decimal("reads");
    }

    double writes() {
      return second.decimal("writes");
    }

    double requests() {
      return reads() + writes();
    }

    double megabytes(String what) {
      return second.decimal(what + "-bytes") / 1e6;
    }

    double meanKb() {
      return (second.decimal("read-bytes") + second.decimal("written-bytes")) / 1024 / requests();
    }

    double seconds() {
      return second.number("nanos") / 1e9;
    }
  }

  DeviceRuns(Lab lab, StudySize size, Pace pace) {
    this.lab = lab;
    this.size = size;
    this.pace = pace;
  }

  StudySize size() {
    return size;
  }

  /** Of pages of files, without the process's own. */
  long memoryBytes() {
    return (long) size.deviceModel().memoryPages() * PAGE_BYTES;
  }

  /** Why memory was not limited; empty if it was. */
  String unlimited() {
    return unlimited;
  }

  /**
   * Makes a replay.
   *
   * @throws IOException when the worker broke, or the user stopped it
   */
  Found run(Subject subject) throws IOException, InterruptedException {
    pace.step(size.deviceSeconds(), subject.label + " on the device");
    Path folder = Lab.folder(lab.scratch().resolve("proxy-layouts-" + ++made));
    try {
      if (subject.isStore()) {
        return replay(subject, folder, pid -> {});
      }
      try (ControlGroup group = group()) {
        return replay(subject, folder, group::take);
      } catch (NoGroupException none) {
        unlimited = String.valueOf(none.getMessage());
        lab.say("memory is not limited: %s", unlimited);
        return replay(subject, folder, pid -> {});
      }
    } finally {
      Lab.remove(folder);
    }
  }

  /** The kernel, or its user, gives none. */
  private static final class NoGroupException extends IOException {
    private static final long serialVersionUID = 1;

    NoGroupException(IOException cause) {
      super(cause.getMessage(), cause);
    }
  }

  private ControlGroup group() throws NoGroupException {
    try {
      String name = "upcall-bench-%d-%d".formatted(ProcessHandle.current().pid(), made);
      return ControlGroup.ofMemory(name, memoryBytes() + PROCESS_BYTES);
    } catch (IOException impossible) {
      throw new NoGroupException(impossible);
    }
  }

  private interface Limit {
    void take(long pid) throws IOException;
  }

  private Found replay(Subject subject, Path folder, Limit limit)
      throws IOException, InterruptedException {
    int equals = subject.choice.indexOf('=');
    Map<String, Object> options =
        Map.of(
            "ground",
            subject.ground,
            "folder",
            folder,
            subject.choice.substring(0, equals),
            subject.choice.substring(equals + 1),
            "seed",
            size.deviceTrace().seed(),
            "tenths",
            size.deviceTenths(),
            "memory",
            memoryBytes());
    String heap = HEAPS.get(size.deviceTenths());
    List<String> flags = new ArrayList<>(FLAGS);
    flags.add("-Xms" + heap);
    flags.add("-Xmx" + heap);
    List<String> command = Worker.command(lab, flags, "proxy-layouts", options);
    try (WorkerProcess worker = WorkerProcess.start(lab, subject.label, command, MOST_SECONDS)) {
      limit.take(worker.pid());
      Fields first = worker.run("day=1", MOST_SECONDS);
      List<Fields> sweeps = new ArrayList<>();
      if (subject.isStore()) {
        sweeps.add(worker.run("sweep=1", MOST_SECONDS));
      }
      Fields second = worker.run("day=2", MOST_SECONDS);
      if (subject.isStore()) {
        sweeps.add(worker.run("sweep=1", MOST_SECONDS));
      }
      return new Found(first, second, sweeps);
    }
  }
}
