package dev.upcall.sim.store.campaign;

import dev.upcall.fsm.record.RecordRing;
import dev.upcall.sim.SimClock;
import dev.upcall.sim.SimTap;
import dev.upcall.sim.store.SimLifetime;
import dev.upcall.sim.store.SimRun;
import dev.upcall.sim.store.plan.Canary;
import dev.upcall.sim.store.plan.SimChance;
import dev.upcall.sim.store.plan.SimPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** Runs a lifetime and writes all that its machines record into a directory. */
public final class SimRecorder implements SimTap.Sink {
  /** What is recorded of a lifetime; a usual one has a hundredth of that. */
  static final long MAX_RECORDS = 4_000_000;

  private final long seed;
  private final long maxRecords;
  private final FileChannel file;
  private int machine;
  private int namesWritten;
  private long recordsWritten;
  private long recorded;
  private long leftOut;

  private SimRecorder(long seed, long maxRecords, FileChannel file) {
    this.seed = seed;
    this.maxRecords = maxRecords;
    this.file = file;
  }

  /**
   * Runs a lifetime of the store as it is, and records it.
   *
   * @param folder is made, or that of an earlier recording of the simulator
   * @return how many records are in it
   */
  public static long record(long seed, Path folder) throws IOException {
    return record(seed, Canary.SOUND, folder, MAX_RECORDS).records();
  }

  /**
   * Runs a lifetime once more, for its recording.
   *
   * @param folder is made, or that of an earlier recording of the simulator
   * @param maxRecords what comes behind so many is left out
   * @return what is in it
   */
  static SimRecording.Head record(long seed, Canary canary, Path folder, long maxRecords)
      throws IOException {
    SimRecording.prepare(folder);
    SimRun run = SimRun.of(seed, canary);
    SimRecording.Head head;
    try (FileChannel file =
        FileChannel.open(
            SimRecording.records(folder),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE)) {
      SimRecorder recorder = new SimRecorder(seed, maxRecords, file);
      String end = end(run, new SimTap(recorder));
      head =
          new SimRecording.Head(
              seed, canary, SimBuild.id(), plan(seed), end, recorder.recorded, recorder.leftOut);
    } catch (UncheckedIOException failed) {
      throw failed.getCause();
    }
    SimRecording.finish(folder, head);
    return head;
  }

  /** What a seed means here. */
  static String plan(long seed) {
    return SimPlan.draw(new SimChance(seed)).toString();
  }

  /** Runs a lifetime with a tap, and says in one line how it ended. */
  static String end(SimRun run, SimTap tap) {
    try {
      return "held, " + SimLifetime.run(run, tap);
    } catch (AssertionError failed) {
      if (failed.getCause() instanceof UncheckedIOException broken) {
        throw broken;
      }
      String why = SimSeeds.root(failed).toString();
      return "failed, " + why.lines().findFirst().orElse(why);
    }
  }

  @Override
  public void took(int of, List<String> names, ByteBuffer records) {
    int count = records.remaining() / RecordRing.RECORD_BYTES;
    if (leftOut > 0 || recorded + count > maxRecords) {
      leftOut += count;
      return;
    }
    if (of != machine) {
      machine = of;
      namesWritten = 0;
      recordsWritten = 0;
    }
    while (namesWritten < names.size()) {
      int until = Math.min(names.size(), namesWritten + SimEntries.MAX_COUNT);
      write(SimEntries.names(origin(namesWritten), names.subList(namesWritten, until)));
      namesWritten = until;
    }
    write(SimEntries.records(origin(recordsWritten), records));
    recordsWritten += count;
    recorded += count;
  }

  private SimEntries.Origin origin(long first) {
    return new SimEntries.Origin(seed, machine, first, SimClock.EPOCH_START_NANOS);
  }

  private void write(ByteBuffer entry) {
    try {
      while (entry.hasRemaining()) {
        file.write(entry);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
