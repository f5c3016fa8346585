package dev.upcall.bench.micro;

import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.ParkingReactor;
import dev.upcall.fsm.SystemClock;
import dev.upcall.fsm.Unit;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What one hop costs: a completion through the dispatcher's FIFO to the upcall that takes it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class KernelHopBenchmark {
  private static final int HOPS = 1000;

  private final Dispatcher dispatcher = new Dispatcher(new SystemClock(), new ParkingReactor());
  private final CompletionPort<Unit> hop = this::hopped;
  private int left;

  /** Makes the benchmark's thread the dispatcher's. */
  @Setup
  public void adopt() {
    dispatcher.adopt();
  }

  /** Ends the dispatcher. */
  @TearDown
  public void close() {
    dispatcher.close();
  }

  private void hopped(Completion<Unit> completion) {
    if (--left > 0) {
      dispatcher.complete(hop, completion);
    }
  }

  /** A thousand hops, each asked for by the one before. */
  @Benchmark
  @OperationsPerInvocation(HOPS)
  public int hop() {
    left = HOPS;
    dispatcher.complete(hop, Completion.done());
    int turns = 0;
    while (left > 0) {
      dispatcher.turn(false);
      turns++;
    }
    return turns;
  }
}
