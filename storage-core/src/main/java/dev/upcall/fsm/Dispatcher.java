package dev.upcall.fsm;

import dev.upcall.base.Clock;
import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.fsm.meter.DispatcherMetrics;
import dev.upcall.fsm.wakeup.Abandonable;
import dev.upcall.fsm.wakeup.Terminations;
import dev.upcall.fsm.wakeup.TurnWakes;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that owns a set of managers and runs their upcalls, one after the other, to the
 * end. It is driven either by {@link #run} on a thread of its own, or turn by turn ({@link #turn})
 * by a test, a simulator or another loop.
 *
 * <p><b>The turn</b>, and why in this order:
 *
 * <ol>
 *   <li><i>Take cross-thread requests</i>, at most {@code crossThreadLimit}. First, so that a
 *       request from another thread gets its I/O into this turn's submission.
 *   <li><i>Reap I/O completions</i> into the FIFO, at most {@code reapLimit}. Before the upcalls,
 *       because each completion frees something that the upcalls can use at once: a slot, a frame,
 *       a place in a batch. Reaping only appends; no manager's code runs in it.
 *   <li><i>Run upcalls</i>, at most {@code upcallLimit}, those included that these upcalls post: a
 *       chain of cache hits ends in one turn. The bound keeps a chain that feeds itself from
 *       starving disk, sockets and timers. They also end when the reactor says that a device would
 *       stand still ({@link Reactor#isSubmissionDue}): completions come in flocks, and a disk that
 *       gets its next requests only when the whole flock has been dealt with idles half the time.
 *       And they end after 0.1 ms while a durable write is in flight ({@link
 *       Reactor#isDurableWriteInFlight}): else who waits for it would wait until the FIFO is empty,
 *       and work in the background keeps that filled for milliseconds.
 *   <li><i>Run due timers</i>, at most {@code timerLimit}. After the upcalls, so that a request
 *       that was completed in time is not also timed out. Durable writes go first ({@link Timers}).
 *   <li><i>Submit I/O</i>, once, for all that the upcalls and timers have asked for: one system
 *       call for the whole turn.
 *   <li><i>Wait</i>, only if this turn ran nothing and nothing waits. A turn that did run something
 *       is followed by another one without sleeping, since by then something may have arrived.
 * </ol>
 *
 * <p><b>Threads.</b> The owner is the thread that first turns or calls {@link #adopt}. Before that,
 * the thread that builds the managers may call everything. Afterwards all methods are the owner's,
 * except those that say "any thread". This is always checked.
 *
 * <p><b>The end.</b> There are two. {@link #stop}: {@link #run} finishes what was accepted before
 * and returns. A failed upcall: any exception out of an upcall is a programmer's error, or there
 * was no memory for a state that was being changed; the dispatcher stops at once, keeps its state
 * ({@link #failure}), tells all threads that wait for it, and throws the error out of {@link #run}
 * or {@link #turn}. After either, {@link #execute} refuses, and {@link #close} lets go of what is
 * held outside ({@link #closings}).
 */
public final class Dispatcher implements Executor, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Dispatcher.class.getName());

  private final Clock clock;
  private final Reactor reactor;
  private final DispatcherConfig config;
  private final UpcallFifo fifo;
  private final OwnerSleep sleep;
  private final TurnWakes wakes;
  private final Timers timers;
  private final Terminations terminations = new Terminations();
  private final Terminations closings = new Terminations();
  private final FlightRecorder recorder;
  private final TurnMeter meter;
  private final OwnerThread owner;
  private final HeapBudget heap;
  private final DispatcherEnd end;
  private boolean turning;
  private boolean closed;
  private volatile boolean stopping;

  /** Makes a dispatcher with the default limits. */
  public Dispatcher(Clock clock, Reactor reactor) {
    this(clock, reactor, DispatcherConfig.defaults());
  }

  /**
   * Makes a dispatcher that is owned by the thread that first runs a turn or calls {@link #adopt}.
   */
  public Dispatcher(Clock clock, Reactor reactor, DispatcherConfig config) {
    this.clock = Objects.requireNonNull(clock, "clock");
    this.reactor = Objects.requireNonNull(reactor, "reactor");
    this.config = Objects.requireNonNull(config, "config");
    this.fifo = new UpcallFifo(config.fifoLimit());
    this.meter = new TurnMeter(config, clock);
    this.recorder = meter.recorder();
    this.owner = new OwnerThread(config.name());
    this.timers = new Timers(clock, owner, recorder);
    this.sleep = new OwnerSleep(config, reactor, meter);
    this.wakes = new TurnWakes(config.waiting(), LockSupport::unpark);
    this.heap = new HeapBudget(this, reactor.heapRoom());
    this.end = new DispatcherEnd(meter, fifo, this::snapshot);
    reactor.attach(this);
  }

  /** A pending timer; owner's thread only. */
  public static final class Timer implements Comparable<Timer> {
    static final int NOWHERE = -1;

    final long dueNanos;
    final long sequence;
    final Runnable upcall;
    final long request;
    private final Timers home;

    /** Its place in the heap, kept by {@link Timers}. */
    int place = NOWHERE;

    Timer(Timers home, long dueNanos, long sequence, Runnable upcall, long request) {
      this.home = home;
      this.dueNanos = dueNanos;
      this.sequence = sequence;
      this.upcall = upcall;
      this.request = request;
    }

    /** Takes the timer back; nothing happens when it has run or was taken back before. */
    public void cancel() {
      home.cancel(this);
    }

    /** Whether it has still to run. */
    public boolean isPending() {
      return place != NOWHERE;
    }

    @Override
    public int compareTo(Timer other) {
      int byTime = Long.compare(dueNanos, other.dueNanos);
      return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
    }
  }

  // ---------------------------------------------------------------- ownership

  /** Makes the calling thread the owner; throws if there is another one. */
  public void adopt() {
    owner.adopt();
  }

  /** Whether the calling thread owns this dispatcher. Any thread. */
  public boolean isOwner() {
    return owner.isCaller();
  }

  /** Throws unless the calling thread owns this dispatcher. Always on. Any thread. */
  public void checkOwner() {
    owner.check();
  }

  /** Throws if another thread than the calling one owns this dispatcher. */
  void checkAccess() {
    owner.checkNobodyElse();
  }

  /** The clock of everything on this dispatcher. Any thread. */
  public Clock clock() {
    return clock;
  }

  /** The limits. Any thread. */
  public DispatcherConfig config() {
    return config;
  }

  /** The counters of the machines on this dispatcher, and what was done last, for whom. */
  public FlightRecorder recorder() {
    return recorder;
  }

  /** When the present upcall began (monotonic): the time of day at no cost. */
  public long upcallNanos() {
    return meter.nowNanos();
  }

  // ---------------------------------------------------------------- asking for upcalls

  /** Appends an upcall to the FIFO. Owner's thread only. */
  public void post(Runnable upcall) {
    append(Objects.requireNonNull(upcall, "upcall"), null);
  }

  /**
   * Delivers a completion through the FIFO, which is what every manager does with every completion:
   * so it never arrives inside the call that made the request. Owner's thread only.
   */
  public <T> void complete(CompletionPort<T> port, Completion<T> completion) {
    append(Objects.requireNonNull(port, "port"), Objects.requireNonNull(completion, "completion"));
  }

  private void append(Object target, @Nullable Object argument) {
    checkAccess();
    if (closed) {
      throw new RejectedExecutionException(config.name() + " is closed");
    }
    fifo.add(target, argument, recorder.current());
  }

  /**
   * Appends an upcall from any thread and wakes the owner if it sleeps. What is accepted runs,
   * unless the dispatcher fails first.
   *
   * @throws RejectedExecutionException if the dispatcher has ended; the upcall will not run
   */
  @Override
  public void execute(Runnable upcall) {
    sleep.put(Objects.requireNonNull(upcall, "upcall"));
  }

  /**
   * As {@link #execute} for what nobody needs any more when the dispatcher has ended: whether the
   * upcall was accepted.
   */
  public boolean offer(Runnable upcall) {
    try {
      execute(upcall);
      return true;
    } catch (RejectedExecutionException ended) {
      LOG.log(System.Logger.Level.DEBUG, "an upcall came behind the dispatcher's end", ended);
      return false;
    }
  }

  /** The part of the JVM's heap that its requests may take. */
  public HeapBudget heap() {
    return heap;
  }

  /** What came from other threads, and the owner's sleep. */
  public OwnerSleep sleep() {
    return sleep;
  }

  /** Wakes a thread: inside a turn with all that the turn completes, otherwise now. Any thread. */
  public void unparkSoon(Thread sleeper) {
    if (isOwner() && turning) {
      wakes.add(Objects.requireNonNull(sleeper, "sleeper"), meter.nowNanos());
    } else {
      LockSupport.unpark(Objects.requireNonNull(sleeper, "sleeper"));
    }
  }

  /** As {@link #help(String, Runnable)}; an upcall gets what was made, if there is one still. */
  public <T> boolean help(String what, Supplier<T> work, Consumer<? super T> then) {
    Objects.requireNonNull(work, "work");
    Objects.requireNonNull(then, "then");
    long request = recorder.current();
    Consumer<T> bring = made -> offer(() -> recorder.serving(request, () -> then.accept(made)));
    return help(what, () -> bring.accept(work.get()));
  }

  /**
   * Has rare work done elsewhere that would take too long here; {@link #close} waits for its end.
   * Owner's thread only.
   *
   * @param what the work's name, for its thread
   * @param work throws nothing; it brings what it has by {@link #execute}
   * @return whether it is done: false if no thread can be had, which fails what needs it
   */
  public boolean help(String what, Runnable work) {
    checkOwner();
    return reactor.help(Objects.requireNonNull(what, "what"), Objects.requireNonNull(work, "work"));
  }

  /**
   * Runs an upcall after a delay; timers of the same instant run in the order of their arming, and
   * never in the turn step that armed them. Owner's thread only.
   */
  public Timer schedule(long delayNanos, Runnable upcall) {
    return timers.arm(delayNanos, Objects.requireNonNull(upcall, "upcall"));
  }

  // ---------------------------------------------------------------- the turn

  /**
   * Runs one turn and returns how many upcalls and timers it ran; waits at its end only if allowed
   * and there is nothing to do. Whatever an upcall throws comes out here, after the dispatcher has
   * stopped.
   */
  public int turn(boolean mayWait) {
    adopt();
    Invariants.check(!turning, "a turn inside a turn");
    checkAlive();
    turning = true;
    try {
      return takeTurn(mayWait);
    } catch (Throwable error) {
      fail(error);
      throw error;
    } finally {
      turning = false;
    }
  }

  private int takeTurn(boolean mayWait) {
    heap.awaitRoom();
    meter.turnBegins(clock);
    meter.stepBegins("taking cross-thread requests");
    int crossThread = takeCrossThread(config.crossThreadLimit());
    meter.stepBegins(reactor);
    int reaped = reactor.reap(config.reapLimit());
    meter.tookIn(crossThread, reaped, fifo.size(), clock);
    int ran = runUpcalls(config.upcallLimit(), true);
    heap.awaitRoom();
    ran += timers.runDue(config.timerLimit(), meter, reactor);
    wakes.wakeAll();
    meter.stepBegins(reactor);
    reactor.submit();
    meter.turnEnded(fifo.size(), clock);
    // A wake-up by stop() may have been taken by this turn's reap; one behind it ends the await.
    if (mayWait && ran == 0 && !stopping && fifo.isEmpty()) {
      sleep.sleep(timers.nanosToNext());
    }
    return ran;
  }

  private int takeCrossThread(int limit) {
    int taken = 0;
    while (taken < limit && fifo.hasRoom()) {
      fifo.makeRoom(); // before one is taken over that would be lost
      Runnable upcall = sleep.poll();
      if (upcall == null) {
        break;
      }
      fifo.add(upcall, null, FlightRecorder.NOBODY);
      taken++;
    }
    return taken;
  }

  private int runUpcalls(int limit, boolean mayEndEarly) {
    int ran = 0;
    for (Object target = fifo.firstTarget();
        target != null && ran < limit;
        target = fifo.firstTarget()) {
      heap.awaitRoom();
      fifo.makeRoom();
      Object argument = fifo.firstArgument();
      meter.upcallBegins(target, fifo.removeFirst());
      ran++;
      UpcallFifo.deliver(target, argument);
      meter.upcallEnded(target, clock);
      wakes.upcallEnded(meter.nowNanos());
      if (mayEndEarly && (meter.isReapDue(reactor) || reactor.isSubmissionDue())) {
        break;
      }
    }
    meter.upcallsRan(ran);
    return ran;
  }

  // ---------------------------------------------------------------- life and end

  /**
   * Turns until {@link #stop}, then finishes: refuses {@link #execute}, runs the upcalls that had
   * been accepted and what these post (of that at most {@code finishLimit}; no more I/O is waited
   * for), and returns. The calling thread becomes the owner. Throws what an upcall threw.
   */
  public void run() {
    while (!stopping) {
      turn(true);
    }
    finish();
  }

  /** Ends {@link #run} after the present turn. Any thread. */
  public void stop() {
    stopping = true;
    reactor.wakeup();
  }

  /**
   * Ends the dispatcher if it has not ended (as {@link #stop} and the last part of {@link #run}),
   * lets go of what is held outside ({@link #closings}), and closes the reactor. Owner's thread;
   * whoever wants the outcome of I/O waits for it before. Upcalls posted later are refused.
   */
  @Override
  public void close() {
    checkAccess();
    Invariants.check(!turning, "closed inside a turn");
    if (closed) {
      return;
    }
    try {
      finish();
    } finally {
      reactor.awaitHelpers(); // they use what is let go of next
      closings.end();
      closed = true;
      reactor.close();
    }
  }

  /** Whether it has stopped or failed, and takes no more requests. Any thread. */
  public boolean hasEnded() {
    return terminations.ended();
  }

  /** Why it stopped by itself, if it did. Any thread. */
  public Optional<DispatcherFailure> failure() {
    return end.failure();
  }

  /** A copy of the counters. Owner's thread, or any thread once {@link #hasEnded}. */
  public DispatcherMetrics metrics() {
    if (!hasEnded()) {
      checkAccess();
    }
    return snapshot();
  }

  private DispatcherMetrics snapshot() {
    return meter.snapshot(fifo.size(), reactor.looks(), sleep.callerLooks().counts());
  }

  /**
   * What is held outside the process or by the kernel, files above all: told by {@link #close},
   * also after a failure, on the owner's thread and behind the last upcall. There it may block.
   */
  @SuppressWarnings("exports") // nobody outside this module can name the result
  public Terminations closings() {
    return closings;
  }

  /** Who must be told of the end; for the doors. */
  @SuppressWarnings("exports") // nobody outside this module can name the result
  public Terminations terminations() {
    return terminations;
  }

  private void checkAlive() {
    if (hasEnded()) {
      throw new IllegalStateException(
          config.name() + " has ended", failure().map(DispatcherFailure::error).orElse(null));
    }
  }

  private void finish() {
    if (hasEnded()) {
      return;
    }
    adopt();
    stopping = true;
    turning = true;
    try {
      sleep.close(null);
      meter.turnBegins(clock);
      int accepted;
      do {
        accepted = takeCrossThread(config.crossThreadLimit());
        meter.tookIn(accepted, 0, fifo.size(), clock);
        runUpcalls(fifo.size(), false);
      } while (accepted > 0);
      runUpcalls(config.finishLimit(), false);
      meter.stepBegins(reactor);
      reactor.submit();
      meter.turnEnded(fifo.size(), clock);
    } catch (Throwable error) {
      fail(error);
      throw error;
    } finally {
      turning = false;
    }
    end();
  }

  private void fail(Throwable error) {
    stopping = true;
    end.comesOf(error); // before anybody is refused, who would not hear the reason
    sleep.close(error);
    end();
  }

  /** Tells those who wait: first whose request is still queued, then the registered ones. */
  private void end() {
    for (int i = 0; i < fifo.size(); i++) {
      Abandonable.abandon(fifo.target(i));
    }
    for (Runnable left = sleep.poll(); left != null; left = sleep.poll()) {
      Abandonable.abandon(left);
    }
    terminations.end();
    wakes.wakeAll();
  }
}
