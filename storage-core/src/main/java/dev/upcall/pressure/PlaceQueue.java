package dev.upcall.pressure;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.config.PlaceConfig;
import dev.upcall.fsm.Dispatcher;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A limited number of places, and the bounded line of those who wait for one, in the order in which
 * they came.
 *
 * <p>It differs from {@link Pressure} in who makes room: no work of the store's does, a place comes
 * back when somebody who has one ends. So who has one and waits for another may be waiting for
 * himself, and the time in the line is what ends that.
 *
 * <p>Dispatcher's thread only. Those who wait are told in upcalls of their own.
 */
public final class PlaceQueue {
  private final Dispatcher dispatcher;
  private final String what;
  private final int places;
  private final PlaceConfig limits;
  private final LinkedHashSet<Place> line = new LinkedHashSet<>();
  private int taken;
  private long waited;
  private long refused;
  private long timedOut;
  private @Nullable Failure stopped;

  /**
   * Places that are all free.
   *
   * @param what who takes them, for messages and meters
   */
  public PlaceQueue(Dispatcher dispatcher, String what, int places, PlaceConfig limits) {
    this.dispatcher = dispatcher;
    this.what = what;
    this.places = places;
    this.limits = limits;
  }

  /** A place to be taken. */
  public Place place() {
    return new Place();
  }

  /**
   * All who wait get a failure, and so does from now on whoever would have to wait. What is free is
   * still given.
   */
  public void stop(Failure why) {
    dispatcher.checkOwner();
    if (stopped == null) {
      stopped = why;
    }
    for (Place place : List.copyOf(line)) {
      place.refuse(place.leaveLine(), why);
    }
  }

  /** How it is used. */
  public PlaceCounters counters() {
    return new PlaceCounters(what, places, taken, line.size(), waited, refused, timedOut);
  }

  /** What is said to one too many. */
  public static Failure full(String what, int places, int waiting) {
    return new Failure.Busy(
        "%s: all %d places are taken, and %d wait".formatted(what, places, waiting));
  }

  /** What is said to who has waited for too long. */
  public static Failure late(String what, int places, PlaceConfig limits) {
    return new Failure.Busy(
        "%s: waited %d ms for one of %d places"
            .formatted(what, limits.waitNanos() / 1_000_000, places));
  }

  private boolean hasRoom() {
    return taken < places && line.isEmpty();
  }

  private void callFirst() {
    if (taken < places && !line.isEmpty()) {
      Place first = line.getFirst();
      first.call(first.leaveLine());
    }
  }

  private enum Stage {
    OUT,
    WAITING,
    CALLED,
    TAKEN
  }

  /** One place of one who may want it. */
  public final class Place {
    private Stage stage = Stage.OUT;
    private @Nullable CompletionPort<Unit> port;
    private @Nullable Failure refusal;
    private Dispatcher.@Nullable Timer timer;

    private Place() {}

    /** Takes it, if there is one and nobody waits; also true if it was taken before. */
    public boolean tryTake() {
      dispatcher.checkOwner();
      if (stage == Stage.OUT && hasRoom()) {
        stage = Stage.TAKEN;
        taken++;
      }
      return stage == Stage.TAKEN;
    }

    /**
     * Completes when it is taken, in a later upcall; or with {@code Busy} when too many wait, or
     * this one has waited for too long. It is out now.
     */
    public void await(CompletionPort<Unit> whenTaken) {
      dispatcher.checkOwner();
      Invariants.check(stage == Stage.OUT, "waits for a place twice", what);
      if (hasRoom()) {
        call(whenTaken);
      } else if (stopped != null) {
        refuse(whenTaken, stopped);
      } else if (line.size() >= limits.maxWaiting()) {
        refused++;
        refuse(whenTaken, full(what, places, line.size()));
      } else {
        waited++;
        stage = Stage.WAITING;
        port = dispatcher.recorder().waiting(whenTaken);
        line.add(this);
        timer = dispatcher.schedule(limits.waitNanos(), this::giveUp);
      }
    }

    /** Whether it was taken. */
    public boolean isTaken() {
      return stage == Stage.TAKEN;
    }

    /** Gives it back, or does not wait for it any more: who waited is not told. */
    public void leave() {
      switch (stage) {
        case OUT -> {
          port = null;
          refusal = null;
        }
        case WAITING -> leaveLine();
        case CALLED, TAKEN -> {
          stage = Stage.OUT;
          port = null;
          taken--;
          Invariants.check(taken >= 0, "more leave than came", what);
          callFirst();
        }
      }
    }

    private CompletionPort<Unit> leaveLine() {
      CompletionPort<Unit> waiting = Invariants.present(port, "somebody who waits");
      line.remove(this);
      Invariants.present(timer, "a bound of the waiting").cancel();
      stage = Stage.OUT;
      port = null;
      timer = null;
      return waiting;
    }

    private void call(CompletionPort<Unit> whenTaken) {
      stage = Stage.CALLED;
      port = whenTaken;
      taken++;
      dispatcher.post(this::tell);
    }

    private void refuse(CompletionPort<Unit> whenTaken, Failure why) {
      port = whenTaken;
      refusal = why;
      dispatcher.post(this::tell);
    }

    /** Who was called or refused may have left since. */
    private void tell() {
      CompletionPort<Unit> told = port;
      Failure why = refusal;
      if (stage == Stage.CALLED && told != null) {
        stage = Stage.TAKEN;
        port = null;
        told.complete(Completion.done());
      } else if (told != null && why != null) {
        port = null;
        refusal = null;
        told.complete(Completion.failed(why));
      }
    }

    private void giveUp() {
      timedOut++;
      CompletionPort<Unit> waiting = leaveLine();
      waiting.complete(Completion.failed(late(what, places, limits)));
    }
  }
}
