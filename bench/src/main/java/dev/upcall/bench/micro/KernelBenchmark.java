package dev.upcall.bench.micro;

import dev.upcall.base.SystemClock;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.fsm.door.ParkingReactor;
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

/**
 * What the steps of the kernel cost: a completion through the dispatcher's FIFO to the upcall that
 * takes it, an upcall, a move of a state machine.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class KernelBenchmark {
  private static final int HOPS = 1000;

  private final Dispatcher dispatcher = new Dispatcher(new SystemClock(), new ParkingReactor());
  private final CompletionPort<Unit> hop = this::hopped;
  private final Runnable upcall = this::called;
  private final Swing swing = new Swing(dispatcher);
  private int left;

  /** A state of {@link Swing}. */
  private enum Side {
    /** Where it begins. */
    LEFT,
    /** The other one. */
    RIGHT
  }

  /** A machine that moves between two states. */
  private static final class Swing extends StateMachine<Side> {
    private static final Transitions<Side> TRANSITIONS =
        Transitions.of("Swing", Side.class, Side.LEFT)
            .on("there", Side.LEFT, Side.RIGHT)
            .on("back", Side.RIGHT, Side.LEFT)
            .build();

    Swing(Dispatcher dispatcher) {
      super(TRANSITIONS, dispatcher);
    }

    void move() {
      become(state() == Side.LEFT ? Side.RIGHT : Side.LEFT);
    }
  }

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

  private void called() {
    if (--left > 0) {
      dispatcher.post(upcall);
    }
  }

  /** A thousand upcalls, each posted by the one before. */
  @Benchmark
  @OperationsPerInvocation(HOPS)
  public int upcall() {
    left = HOPS;
    dispatcher.post(upcall);
    int turns = 0;
    while (left > 0) {
      dispatcher.turn(false);
      turns++;
    }
    return turns;
  }

  /** A thousand moves of a machine: checked, counted, timed and recorded. */
  @Benchmark
  @OperationsPerInvocation(HOPS)
  public int transition() {
    for (int i = 0; i < HOPS; i++) {
      swing.move();
    }
    return swing.state().ordinal();
  }
}
