package dev.upcall.bench.micro;

import dev.upcall.base.SystemClock;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Faults;
import dev.upcall.fsm.door.ParkingReactor;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskCounters;
import dev.upcall.io.DiskRequest;
import dev.upcall.txn.log.LogConfig;
import dev.upcall.txn.log.LogEnvironment;
import dev.upcall.txn.log.LogListener;
import dev.upcall.txn.log.LogState;
import dev.upcall.txn.log.LogWriter;
import dev.upcall.txn.volume.LogPoint;
import dev.upcall.txn.volume.VolumeLayout;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What it costs to take a record into the log until it is acknowledged, framing and checksums
 * included, over a disk that completes at once.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class LogAppendBenchmark {
  private static final int RECORDS = 32;
  private static final int LOG_BLOCKS = 16_384;

  /** Bytes of a record. */
  @Param({"256", "4400"})
  public int recordBytes;

  private final Dispatcher dispatcher = new Dispatcher(new SystemClock(), new ParkingReactor());
  private final LogWriter log =
      new LogWriter(
          LogConfig.DEFAULT,
          new LogEnvironment(
              dispatcher,
              new InstantDisk(),
              new VolumeLayout(LOG_BLOCKS, 512, 1 << 20),
              1,
              Faults.NONE),
          new LogState(LogPoint.ORIGIN, 0, 0, true),
          1,
          new Silent());
  private final CompletionPort<Unit> durable = this::acknowledge;
  private ByteBuffer record = ByteBuffer.allocate(0);
  private long scn;
  private long acknowledged;

  private void acknowledge(Completion<Unit> completion) {
    acknowledged++;
  }

  /** Makes the record, and the benchmark's thread the dispatcher's. */
  @Setup
  public void fill() {
    dispatcher.adopt();
    record = ByteBuffer.allocate(recordBytes);
  }

  /** Ends the log, then the dispatcher. */
  @TearDown
  public void close() {
    boolean[] closed = new boolean[1];
    log.close(_ -> closed[0] = true);
    while (!closed[0]) {
      dispatcher.turn(true);
    }
    dispatcher.close();
  }

  /** A batch of 32 records, appended in one upcall and acknowledged. */
  @Benchmark
  @OperationsPerInvocation(RECORDS)
  public long append() {
    long wanted = acknowledged + RECORDS;
    for (int i = 0; i < RECORDS; i++) {
      log.append(++scn, record, List.of(), durable);
    }
    while (acknowledged < wanted) {
      dispatcher.turn(false);
    }
    log.trim(log.replayPoint().position());
    return acknowledged;
  }

  /** A disk that does nothing, and does it at once. */
  private final class InstantDisk implements Disk {
    @Override
    public void submit(DiskRequest request) {
      dispatcher.complete(request.port(), Completion.done());
    }

    @Override
    public long sizeBlocks() {
      return 1 << 20;
    }

    @Override
    public String name() {
      return "nothing";
    }

    @Override
    public DiskCounters counters() {
      return new DiskCounters(0, 0, List.of());
    }

    @Override
    public void close(CompletionPort<Unit> port) {
      dispatcher.complete(port, Completion.done());
    }
  }

  private static final class Silent implements LogListener {
    @Override
    public void checkpointWanted() {
      // Each batch is trimmed as soon as it is acknowledged.
    }

    @Override
    public void logFailed(Failure failure) {
      throw new IllegalStateException(failure.message());
    }
  }
}
