package dev.upcall.fsm.door;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.config.Limits;
import dev.upcall.fsm.Asker;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.fsm.wakeup.Abandonable;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The bounded request queue for other threads: it admits at most {@code capacity} requests into the
 * dispatcher at once, those that wait and those that are worked on. A place is given back when the
 * request completes, just before its port's upcall. When all are taken, {@link #offer} refuses and
 * {@link #put} parks the calling thread, first come, first served.
 *
 * <p>A request is a piece of code that runs on the dispatcher's thread and calls a manager with the
 * port it is given, for example {@code port -> files.read(path, port)}. It must complete that port
 * exactly once. All methods may be called from any thread, platform or virtual; nothing here holds
 * a monitor.
 */
public final class RequestDoor implements AutoCloseable {
  private final String name;
  private final int capacity;
  private final Dispatcher dispatcher;
  private final @Nullable Cork cork;
  private final FlightRecorder recorder;
  private final Semaphore places;
  private final long terminationHook;

  /** The owner's: what the recorder calls requests of this door. */
  private int verb;

  private int origin;

  /** The owner's: has completed, and its port may not have heard of that. */
  private @Nullable Inside<?> leaving;

  /** The owner's: requests that have begun and not completed, a ring closed by this element. */
  private final Inside<Unit> begun;

  /**
   * A door into a dispatcher.
   *
   * @param name of the queue, for {@code Busy} failures and gauges
   * @param capacity requests admitted at once
   */
  public RequestDoor(String name, int capacity, Dispatcher dispatcher) {
    this(null, name, capacity, dispatcher);
  }

  /**
   * A door into a dispatcher for one thread.
   *
   * @param cork holds the wake-ups back; the door's requests then come from its holder only
   */
  public RequestDoor(String name, int capacity, Dispatcher dispatcher, Cork cork) {
    this(Objects.requireNonNull(cork, "cork"), name, capacity, dispatcher);
  }

  private RequestDoor(@Nullable Cork cork, String name, int capacity, Dispatcher dispatcher) {
    this.name = Objects.requireNonNull(name, "name");
    this.capacity = (int) Limits.within(name + " capacity", capacity, 1, 1 << 24);
    this.dispatcher = Objects.requireNonNull(dispatcher, "dispatcher");
    this.cork = cork;
    this.recorder = dispatcher.recorder();
    this.places = new Semaphore(capacity, true);
    this.begun = new Inside<>(this, port -> {}, completion -> {});
    begun.before = begun;
    begun.after = begun;
    this.terminationHook = dispatcher.terminations().add(this::dispatcherEnded);
  }

  /** The queue's name. */
  public String name() {
    return name;
  }

  /** The dispatcher behind the door. */
  public Dispatcher dispatcher() {
    return dispatcher;
  }

  /** How many requests are inside now; a gauge. */
  public int inside() {
    return Math.clamp((long) capacity - places.availablePermits(), 0, capacity);
  }

  /** How many threads are parked before the door; a gauge. */
  public int parked() {
    return places.getQueueLength();
  }

  /**
   * Puts a request in unless the door is full.
   *
   * @return false if it is full; the request will not run and the port will not hear of it. The
   *     usual answer is {@code Failure.Busy(name())}
   * @throws RejectedExecutionException if the dispatcher has ended
   */
  public <T> boolean offer(
      Consumer<? super CompletionPort<T>> request, CompletionPort<? super T> port) {
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(port, "port");
    if (!places.tryAcquire()) {
      return false;
    }
    enter(request, port);
    return true;
  }

  /**
   * Puts a request in; parks the calling thread while the door is full. Interrupts are kept for
   * later. Never on the dispatcher's own thread, which would wait for itself.
   *
   * @throws RejectedExecutionException if the dispatcher has ended
   */
  public <T> void put(Consumer<? super CompletionPort<T>> request, CompletionPort<? super T> port) {
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(port, "port");
    Invariants.check(!dispatcher.isOwner(), "a dispatcher's thread waits for itself");
    if (cork != null && !places.tryAcquire()) {
      cork.pull();
      places.acquireUninterruptibly();
    } else if (cork == null) {
      places.acquireUninterruptibly();
    }
    enter(request, port);
  }

  /** Forgets the door; requests that are inside still complete. */
  @Override
  public void close() {
    dispatcher.terminations().remove(terminationHook);
  }

  private <T> void enter(
      Consumer<? super CompletionPort<T>> request, CompletionPort<? super T> port) {
    try {
      Inside<T> inside = new Inside<>(this, request, port);
      if (cork == null) {
        dispatcher.execute(inside);
      } else {
        cork.enter(inside);
      }
    } catch (Throwable notEntered) { // the dispatcher has ended, or there is no memory
      places.release();
      throw notEntered;
    }
  }

  /** Dispatcher's thread: a request has begun or ended, and more may follow unannounced. */
  private void corkedPassed() {
    if (cork != null) {
      dispatcher.sleep().dozeNext();
    }
  }

  /** Dispatcher's thread, to which the table of names belongs. */
  private long beginRequest(int asker) {
    if (verb == 0) {
      verb = recorder.name(name);
      origin = recorder.name("door");
    }
    return recorder.begin(verb, origin, asker);
  }

  /** On the dispatcher's last thread: nobody will complete these any more. */
  private void dispatcherEnded() {
    for (Inside<?> request = begun.after; request != begun; request = request.after) {
      Abandonable.abandon(request);
    }
    Abandonable.abandon(leaving);
    // Lets the parked threads go on, into the refusal of the dispatcher.
    places.release(Integer.MAX_VALUE - capacity);
  }

  /** One admitted request: the upcall that begins it and the port that ends it. */
  private static final class Inside<T> implements Runnable, CompletionPort<T>, Abandonable {
    private final RequestDoor door;
    private final Consumer<? super CompletionPort<T>> request;
    private final CompletionPort<? super T> port;
    private final int asker = Asker.ofThread(Thread.currentThread());
    private @Nullable Inside<?> before;
    private Inside<?> after = this;
    private long asked;
    private boolean completed;

    Inside(
        RequestDoor door,
        Consumer<? super CompletionPort<T>> request,
        CompletionPort<? super T> port) {
      this.door = door;
      this.request = request;
      this.port = port;
    }

    @Override
    public void run() {
      Inside<?> ring = door.begun;
      before = ring;
      after = ring.after;
      after.before = this;
      ring.after = this;
      door.corkedPassed();
      asked = door.beginRequest(asker);
      request.accept(this);
    }

    @Override
    @SuppressWarnings("unchecked")
    public void complete(Completion<T> completion) {
      if (door.dispatcher.hasEnded()) {
        return; // its asker is told of the end, by this door
      }
      Invariants.check(!completed, "completed twice, in door", door.name);
      completed = true;
      Inside<?> previous = before;
      if (previous == null) {
        throw new Invariants.Violation("completed before it began, in door " + door.name);
      }
      // From the ring to the port, and never in neither: this thread may end on the way.
      Inside<?> outer = door.leaving;
      door.leaving = this;
      previous.after = after;
      after.before = previous;
      // For the collector: one that has grown old would keep its neighbours, and they theirs.
      before = null;
      after = this;
      door.places.release();
      door.corkedPassed();
      FlightRecorder recorder = door.recorder;
      recorder.serve(asked);
      recorder.end(door.verb, door.origin, recorder.outcome(completion));
      ((CompletionPort<T>) port).complete(completion);
      door.leaving = outer;
      recorder.serve(FlightRecorder.NOBODY);
    }

    @Override
    public void abandon() {
      if ((!completed || door.leaving == this) && port instanceof Abandonable waiting) {
        waiting.abandon();
      }
    }

    @Override
    public String toString() {
      return "request in door " + door.name;
    }
  }
}
