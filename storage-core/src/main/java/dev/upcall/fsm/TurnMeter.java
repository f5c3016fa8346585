package dev.upcall.fsm;

import dev.upcall.base.Clock;
import dev.upcall.completion.Step;
import dev.upcall.fsm.meter.DispatcherMetrics;
import dev.upcall.fsm.meter.Distribution;
import dev.upcall.fsm.meter.LookCounts;
import dev.upcall.fsm.record.RecordKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts and times a dispatcher's turns and upcalls, and knows what runs now. Plain fields of the
 * owner's thread; one reading of the clock an upcall, since the end of one is the start of the
 * next.
 */
final class TurnMeter {
  /**
   * How long upcalls run before a durable write that is in flight is looked for. About what such a
   * write takes on a fast device (70 to 100 microseconds), so that it is found at most that much
   * late; a look is a system call, which is a hundredth of that. Needs the timing of upcalls.
   */
  static final long COMMIT_TURN_NANOS = 100_000;

  /** Culprits told apart; what comes later is counted together. */
  private static final int CULPRITS = 64;

  private static final String OTHER_CULPRITS = "others";

  private final DispatcherConfig config;
  private final FlightRecorder recorder;
  private final boolean timesUpcalls;
  private final Map<String, DispatcherMetrics.Culprit> culprits = new LinkedHashMap<>();
  private final Distribution turnNanos = new Distribution();
  private final Distribution batches = new Distribution();
  private final Distribution queueBefore = new Distribution();
  private final Distribution queueAfter = new Distribution();

  /** An upcall, a port, the reactor, or the name of a step of the turn. */
  private Object running = "nothing";

  private long nowNanos;
  private long turnStartNanos;
  private int batch;
  private int tookFromOthers;
  private int tookReaped;
  private int queuedBefore;

  private long turns;
  private long upcalls;
  private long timers;
  private long crossThread;
  private long reaped;
  private long waits;
  private long spunNanos;
  private int fifoDepthMax;
  private long busyNanos;
  private long upcallNanosMax;

  /** Stalls for whose names there was no memory; they are of {@link #OTHER_CULPRITS}. */
  private long unnamedStalls;

  private long unnamedNanos;

  TurnMeter(DispatcherConfig config, Clock clock) {
    this.config = config;
    this.timesUpcalls = config.stallThresholdNanos() > 0;
    this.nowNanos = clock.monotonicNanos();
    this.recorder = new FlightRecorder(config.recordsKept(), this, clock);
  }

  /** What takes note of turns and stalls, among others. */
  FlightRecorder recorder() {
    return recorder;
  }

  /** The last reading of the clock: when the present upcall began. */
  long nowNanos() {
    return nowNanos;
  }

  /** Whether somebody waits for a durable write, and has been left waiting for long enough. */
  boolean isReapDue(Reactor reactor) {
    return nowNanos - turnStartNanos > COMMIT_TURN_NANOS && reactor.isDurableWriteInFlight();
  }

  String running() {
    return nameOf(running);
  }

  void turnBegins(Clock clock) {
    nowNanos = clock.monotonicNanos();
    turnStartNanos = nowNanos;
    batch = 0;
    recorder.serve(FlightRecorder.NOBODY);
  }

  void stepBegins(Object step) {
    running = step;
  }

  void tookIn(int fromOtherThreads, int completions, int fifoDepth, Clock clock) {
    tookFromOthers = fromOtherThreads;
    tookReaped = completions;
    crossThread += fromOtherThreads;
    reaped += completions;
    queuedBefore = fifoDepth;
    fifoDepthMax = Math.max(fifoDepthMax, fifoDepth);
    nowNanos = clock.monotonicNanos();
  }

  void upcallBegins(Object upcall, long request) {
    running = upcall;
    recorder.serve(request);
    batch++;
  }

  void upcallEnded(Object upcall, Clock clock) {
    if (!timesUpcalls) {
      return;
    }
    long now = clock.monotonicNanos();
    long took = Math.max(0, now - nowNanos);
    upcallNanosMax = Math.max(upcallNanosMax, took);
    if (took > config.stallThresholdNanos()) {
      try {
        stalled(nameOf(upcall), took);
      } catch (OutOfMemoryError noName) { // where there is little memory, collecting it stalls
        unnamedStalls++;
        unnamedNanos += took;
      }
    }
    nowNanos = now;
  }

  private void stalled(String culprit, long took) {
    String name =
        culprits.size() < CULPRITS || culprits.containsKey(culprit) ? culprit : OTHER_CULPRITS;
    blame(new DispatcherMetrics.Culprit(name, 1, took));
    recorder.record(RecordKind.STALL, recorder.name(name), 0, 0, 0, took, 0);
  }

  private void blame(DispatcherMetrics.Culprit culprit) {
    culprits.merge(culprit.name(), culprit, DispatcherMetrics.Culprit::plus);
  }

  void upcallsRan(int count) {
    upcalls += count;
  }

  void timersRan(int count) {
    timers += count;
  }

  /** Sets the present without charging anybody. */
  void readClock(Clock clock) {
    nowNanos = clock.monotonicNanos();
  }

  void turnEnded(int fifoDepth, Clock clock) {
    nowNanos = clock.monotonicNanos();
    long took = Math.max(0, nowNanos - turnStartNanos);
    turns++;
    busyNanos += took;
    if (batch > 0) {
      turnNanos.record(took);
      batches.record(batch);
      queueBefore.record(queuedBefore);
      queueAfter.record(fifoDepth);
      recorder.turned(batch, took, tookFromOthers, tookReaped, queuedBefore, fifoDepth);
    }
    recorder.publish();
  }

  void waits() {
    waits++;
  }

  /** The owner stayed awake for nothing but what might come. */
  void spun(long nanos) {
    spunNanos += Math.max(0, nanos);
  }

  DispatcherMetrics snapshot(int fifoDepth, LookCounts ioLooks, LookCounts callerLooks) {
    if (unnamedStalls > 0) {
      blame(new DispatcherMetrics.Culprit(OTHER_CULPRITS, unnamedStalls, unnamedNanos));
      unnamedStalls = 0;
      unnamedNanos = 0;
    }
    return new DispatcherMetrics(
        config.name(),
        turns,
        upcalls,
        timers,
        crossThread,
        reaped,
        waits,
        spunNanos,
        ioLooks,
        callerLooks,
        fifoDepth,
        fifoDepthMax,
        busyNanos,
        upcallNanosMax,
        turnNanos.snapshot(),
        batches.snapshot(),
        queueBefore.snapshot(),
        queueAfter.snapshot(),
        List.copyOf(culprits.values()));
  }

  /**
   * A name that a person can look up: the class, or for a lambda the class that wrote it; and whose
   * work it is, where it says so.
   */
  static String nameOf(@Nullable Object upcall) {
    if (upcall == null) {
      return "nothing";
    }
    if (upcall instanceof String named) {
      return named;
    }
    if (upcall instanceof Step<?> step) {
      return nameOf(step.next());
    }
    if (upcall instanceof WaitingPort<?> waiting) {
      return nameOf(waiting.port());
    }
    Object own = upcall instanceof OnBehalf.Port<?> port ? port.port() : upcall;
    String name = own.getClass().getName();
    int lambda = name.indexOf("$$Lambda");
    String whole = lambda < 0 ? name : name.substring(0, lambda) + " (lambda)";
    return upcall instanceof OnBehalf work ? whole + " for " + nameOf(work.whose()) : whole;
  }
}
