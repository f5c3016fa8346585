package dev.upcall.fsm;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.config.PlaceConfig;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The part of the JVM's heap that the results of a dispatcher's requests may take: arrays of whole
 * files and pages of directories that were asked for and are not handed over yet. It is a quarter
 * of the heap ({@code -Xmx}). A result that does not fit beside the others waits in line, in the
 * order of coming and for no longer than {@link PlaceConfig}; one that is larger than the whole
 * budget waits until there is no other. Results of at most {@link #UNCOUNTED_BYTES} are not
 * counted: there are as many of them as requests may be inside.
 *
 * <p>Nobody who holds a part waits for another one, so the line moves as results are handed over.
 *
 * <p>Owner's thread, but for what says otherwise.
 */
public final class HeapBudget {
  /** The largest result that is not counted. */
  public static final int UNCOUNTED_BYTES = 64 << 10;

  private static final String REMEDY = "or give the JVM more (-Xmx)";

  /** The answer to a request that comes while the heap is full. */
  private static final Failure FULL =
      new Failure.Busy("objects in the heap", "let go of results, " + REMEDY);

  private static final Completion.Failed<Object> FAILED_FULL = new Completion.Failed<>(FULL);

  private static final int SHARE = 4;

  /** How long upcalls wait for the heap to have room again. */
  private static final long PATIENCE_NANOS = 10_000_000_000L;

  private final Dispatcher dispatcher;
  private final HeapRoom room;
  private final long budgetBytes;
  private final PlaceConfig limits;
  private final LinkedHashSet<Hold> line = new LinkedHashSet<>();
  private long heldBytes;
  private @Nullable Failure stopped;

  /** Room was waited for in vain, and has not come since. */
  private boolean hasWaited;

  HeapBudget(Dispatcher dispatcher, HeapRoom room) {
    this(dispatcher, room, Runtime.getRuntime().maxMemory() / SHARE, PlaceConfig.DEFAULT);
  }

  HeapBudget(Dispatcher dispatcher, HeapRoom room, long budgetBytes, PlaceConfig limits) {
    this.dispatcher = dispatcher;
    this.room = room;
    this.budgetBytes = budgetBytes;
    this.limits = limits;
  }

  // ---------------------------------------------------------------- room for small things

  /**
   * Whether a request may be answered without the dispatcher, as far as memory goes. Any thread.
   */
  public boolean hasRoom() {
    return room.isThere();
  }

  /**
   * To be called before anything runs that is not done again: where the heap has no room, others
   * have a while to let go of some. So an upcall meets the end of the heap only if they fill it
   * while the upcall runs.
   */
  void awaitRoom() {
    if (!room.isThere()) {
      hasWaited =
          hasWaited
              ? !room.restore(dispatcher.clock())
              : !room.awaitRestored(dispatcher.clock(), PATIENCE_NANOS);
    }
  }

  /** Why no request may begin now, or null. */
  public @Nullable Failure refuses() {
    if (room.restore(dispatcher.clock())) {
      hasWaited = false;
      return null;
    }
    return FULL;
  }

  /**
   * The failure of a request that has met the end of the heap and has changed nothing. Any thread.
   */
  public static Failure full() {
    return FULL;
  }

  /** As {@link #full}, and takes no memory. Any thread. */
  public static <T> Completion.Failed<T> failedFull() {
    return FAILED_FULL.cast();
  }

  /** As {@link Completion#failed}, and takes no memory where that is the reason. Any thread. */
  public static <T> Completion<T> failed(Failure why) {
    return why == FULL ? failedFull() : Completion.failed(Objects.requireNonNull(why, "why"));
  }

  /** The failure of a request for whose result the heap has no room. Any thread. */
  public static Failure noRoom(Object what, long bytes) {
    Objects.requireNonNull(what, "what");
    return new Failure.Busy(
        "bytes for the heap (%d of %s)".formatted(bytes, what), "read ranges, " + REMEDY);
  }

  // ---------------------------------------------------------------- results

  /** How many bytes of results are under way. */
  long heldBytes() {
    return heldBytes;
  }

  /** How many requests wait for others to be handed over. */
  int waiting() {
    return line.size();
  }

  /** A part of the budget that is not taken yet. Any thread. */
  public Hold hold() {
    return new Hold();
  }

  /** All who wait get a failure, and so does from now on whoever would have to wait. */
  public void stopWaiting(Failure why) {
    dispatcher.checkOwner();
    Objects.requireNonNull(why, "why");
    stopped = why;
    for (Hold waiting : List.copyOf(line)) {
      waiting.end(why);
    }
  }

  private boolean fits(long bytes) {
    return heldBytes == 0 || heldBytes + bytes <= budgetBytes;
  }

  private void letIn() {
    while (!line.isEmpty() && fits(line.getFirst().bytes)) {
      line.getFirst().enter();
    }
  }

  private enum Stage {
    OUT,
    WAITING,
    HELD,
    OVER
  }

  /** The part that the result of one request takes. */
  public final class Hold {
    private Stage stage = Stage.OUT;
    private long bytes;
    private @Nullable CompletionPort<Unit> port;
    private Dispatcher.@Nullable Timer timer;

    private Hold() {}

    /**
     * Takes a part, once.
     *
     * @param result of how many bytes; more than there will be is as good as what there is
     * @param what is read, for the message
     * @param whenHeld may hear inside this call; {@code Busy} where it has waited for too long
     */
    public void take(long result, Object what, CompletionPort<Unit> whenHeld) {
      dispatcher.checkOwner();
      Objects.requireNonNull(what, "what");
      Objects.requireNonNull(whenHeld, "whenHeld");
      if (stage == Stage.OVER) {
        whenHeld.complete(Completion.failed(new Failure.Cancelled("the reading of " + what)));
        return;
      }
      Invariants.check(stage == Stage.OUT, "a part of the heap taken twice", what);
      if (result <= UNCOUNTED_BYTES) {
        whenHeld.complete(Completion.done());
        return;
      }
      bytes = result;
      if (line.isEmpty() && fits(bytes)) {
        stage = Stage.HELD;
        heldBytes += bytes;
        whenHeld.complete(Completion.done());
      } else if (stopped != null) {
        whenHeld.complete(Completion.failed(stopped));
      } else if (line.size() >= limits.maxWaiting()) {
        whenHeld.complete(Completion.failed(noRoom(what, bytes)));
      } else {
        stage = Stage.WAITING;
        port = dispatcher.recorder().waiting(whenHeld);
        timer = dispatcher.schedule(limits.waitNanos(), () -> end(late(what)));
        line.add(this);
      }
    }

    private Failure late(Object what) {
      return new Failure.Busy(
          "bytes for the heap (%d of %s, and %d of others were not handed over within %d ms)"
              .formatted(bytes, what, heldBytes, limits.waitNanos() / 1_000_000),
          "take results when they are there, read ranges, " + REMEDY);
    }

    private void enter() {
      CompletionPort<Unit> waited = leaveLine();
      stage = Stage.HELD;
      heldBytes += bytes;
      dispatcher.complete(waited, Completion.done());
    }

    private CompletionPort<Unit> leaveLine() {
      line.remove(this);
      Invariants.present(timer, "a bound of the waiting").cancel();
      CompletionPort<Unit> waited = Invariants.present(port, "somebody who waits");
      port = null;
      timer = null;
      return waited;
    }

    /** The result is handed over, or nobody wants it; also more than once. Any thread. */
    public void giveBack() {
      if (dispatcher.isOwner()) {
        end(null);
      } else {
        dispatcher.offer(() -> end(null));
      }
    }

    /** A port that hears what this one does, when the part has been given back. Any thread. */
    public <T> CompletionPort<T> until(CompletionPort<T> handedOver) {
      Objects.requireNonNull(handedOver, "handedOver");
      return completion -> {
        giveBack();
        handedOver.complete(completion);
      };
    }

    private void end(@Nullable Failure why) {
      Stage before = stage;
      stage = Stage.OVER;
      switch (before) {
        case OUT, OVER -> {}
        case WAITING -> {
          Failure told = why == null ? new Failure.Cancelled("the reading") : why;
          dispatcher.complete(leaveLine(), Completion.failed(told));
          letIn();
        }
        case HELD -> {
          heldBytes -= bytes;
          letIn();
        }
      }
    }
  }
}
