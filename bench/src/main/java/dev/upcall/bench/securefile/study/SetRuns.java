package dev.upcall.bench.securefile.study;

import dev.upcall.bench.entrant.FioEntrant;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Running;
import dev.upcall.bench.harness.Sample;
import dev.upcall.bench.host.ControlGroup;
import dev.upcall.bench.report.Pace;
import dev.upcall.bench.securefile.ObjectSet;
import dev.upcall.bench.worker.Worker;
import dev.upcall.bench.worker.WorkerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;

/** Runs of sets on stores, each by a process of its own, one after the other. */
final class SetRuns {
  private static final long MOST_SECONDS = 1800;
  private static final List<String> FLAGS = List.of("-Xmx3g");
  private static final int MIB = 1 << 20;

  private final Lab lab;
  private final StudySize size;
  private final Pace pace;
  private final UnaryOperator<List<String>> around;
  private int made;

  /**
   * A set in a store.
   *
   * @param store as of the worker
   * @param options of the worker besides
   */
  record Subject(String store, ObjectSet set, Map<String, Object> options) {
    /** With random content, none of it twice. */
    static Subject of(String store, ObjectSet set) {
      return new Subject(store, set, Map.of());
    }

    /** The same with an option more. */
    Subject with(String option, Object value) {
      Map<String, Object> more = new LinkedHashMap<>(options);
      more.put(option, value);
      return new Subject(store, set, more);
    }
  }

  /** Both phases of a run. */
  record Pair(Ran load, Ran read) {}

  SetRuns(Lab lab, StudySize size, Pace pace) {
    this(lab, size, pace, UnaryOperator.identity());
  }

  private SetRuns(Lab lab, StudySize size, Pace pace, UnaryOperator<List<String>> around) {
    this.lab = lab;
    this.size = size;
    this.pace = pace;
    this.around = around;
  }

  /** The same with stores whose processes run in a control group. */
  SetRuns inside(ControlGroup group) {
    return new SetRuns(lab, size, pace, group::around);
  }

  StudySize size() {
    return size;
  }

  /** Tells how far all is. */
  void step(double seconds, String what) {
    pace.step(seconds, what);
  }

  /** Loads a set and reads it. */
  Pair run(Subject subject, int streams) throws IOException, InterruptedException {
    List<Ran> both = run(subject, streams, List.of("load", "read"));
    return new Pair(both.getFirst(), both.getLast());
  }

  /**
   * Runs phases one after the other.
   *
   * @param phases each with what else its order says, the streams excepted
   */
  List<Ran> run(Subject subject, int streams, List<String> phases)
      throws IOException, InterruptedException {
    pace.step(size.runSeconds(), "%s, %s".formatted(subject.store, subject.set.label()));
    List<Ran> found = new ArrayList<>();
    try (Store store = start(subject)) {
      for (String phase : phases) {
        found.add(store.run(phase, streams));
      }
    }
    return found;
  }

  /** Loads a set and reads it, in each of two stores at once. */
  List<Pair> runTwice(Subject subject, int streams) throws IOException, InterruptedException {
    pace.step(2 * size.runSeconds(), "two of %s, %s".formatted(subject.store, subject.set.label()));
    List<List<Ran>> phases = new ArrayList<>();
    try (Store one = start(subject);
        Store other = start(subject);
        ExecutorService thread = Executors.newSingleThreadExecutor()) {
      for (String phase : List.of("load", "read")) {
        Future<Ran> beside = thread.submit(() -> other.run(phase, streams));
        phases.add(List.of(one.run(phase, streams), beside.get()));
      }
    } catch (ExecutionException broken) {
      throw new IOException(broken.getCause());
    }
    return List.of(
        new Pair(phases.getFirst().getFirst(), phases.getLast().getFirst()),
        new Pair(phases.getFirst().getLast(), phases.getLast().getLast()));
  }

  /** A store's process with its folder. */
  record Store(WorkerProcess worker, Path folder) implements AutoCloseable {
    Ran run(String phase, int streams) throws IOException, InterruptedException {
      return new Ran(worker.run("phase=%s streams=%d".formatted(phase, streams), MOST_SECONDS));
    }

    @Override
    public void close() throws IOException {
      worker.close();
      Lab.remove(folder);
    }
  }

  /** Starts a store's process, which is to be closed. */
  Store start(Subject subject) throws IOException, InterruptedException {
    Path folder = lab.scratch().resolve("securefiles-" + ++made);
    Map<String, Object> options = new LinkedHashMap<>();
    options.put("store", subject.store);
    options.put("folder", folder);
    options.put("set", subject.set.name());
    options.put("count", size.count(subject.set));
    options.put("content", "random");
    options.put("duplicates", 0);
    options.putAll(subject.options);
    List<String> command = around.apply(Worker.command(lab, FLAGS, "securefiles", options));
    try {
      return new Store(WorkerProcess.start(lab, subject.store, command, MOST_SECONDS), folder);
    } catch (IOException | InterruptedException | RuntimeException broken) {
      Lab.remove(folder);
      throw broken;
    }
  }

  /**
   * The device's own rate in millions of bytes a second, by fio with direct requests of 1 MiB.
   *
   * @param way {@code write} or {@code read}
   * @throws dev.upcall.bench.host.MissingPeerException when there is no fio
   */
  double deviceMegabytes(String way, int streams) throws IOException, InterruptedException {
    pace.step(size.runSeconds() / 2, "fio, " + way);
    Path file = lab.scratch().resolve("securefiles.device");
    long bytes = Math.max(size.count(ObjectSet.IMAGE_LOW) * MIB, 64L * MIB) / streams / MIB * MIB;
    List<String> job =
        List.of(
            "--filename=" + file,
            "--size=" + bytes * streams,
            "--io_size=" + bytes,
            "--offset_increment=" + bytes,
            "--numjobs=" + streams,
            "--rw=" + way,
            "--bs=1m",
            "--direct=1",
            "--ioengine=psync",
            "--thread",
            "--end_fsync=1");
    try (Running fio = FioEntrant.whole("fio", job).start().run(lab)) {
      Sample sample = fio.measure();
      return sample.units() * MIB / 1e6 / sample.seconds();
    }
  }

  /** Removes what fio has written. */
  void forgetDevice() throws IOException {
    Files.deleteIfExists(lab.scratch().resolve("securefiles.device"));
  }
}
