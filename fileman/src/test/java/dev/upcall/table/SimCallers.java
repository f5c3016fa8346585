package dev.upcall.table;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.sim.SimWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Callers that wait, on a simulated machine. Each has a thread, and one of them runs at a time,
 * while the machine stands still: so each seed has one run, in which the answers of several callers
 * come in between each other.
 */
final class SimCallers {
  private static final int LONGEST = SimWorld.TURN_LIMIT;

  private final SimWorld world;
  private final SplittableRandom random;
  private final List<Caller> callers = new ArrayList<>();
  private final Semaphore back = new Semaphore(0);

  SimCallers(SimWorld world, SplittableRandom random) {
    this.world = world;
    this.random = random;
  }

  /** A request of a caller, who waits for the answer. */
  interface Waits {
    <T> Completion<T> await(Consumer<CompletionPort<T>> request);
  }

  /** A caller, from its begin to its end. */
  interface Work {
    void run(Waits waits);
  }

  /** The machine has died under a caller: it gets no answer any more. */
  static final class Died extends Error {
    private static final long serialVersionUID = 1L;

    private Died() {
      super("the machine has died");
    }
  }

  /** One more, who begins with the next {@link #run}. */
  void add(Work work) {
    callers.add(new Caller(work));
  }

  /**
   * Lets them work until all have ended, or for so many turns of the machine; then those that have
   * not are told that it has died.
   *
   * @return whether all have ended by themselves
   */
  boolean run(int turns) {
    int left = Math.min(turns, LONGEST);
    while (!callers.isEmpty() && left > 0) {
      List<Caller> ready = callers.stream().filter(caller -> caller.isReady).toList();
      if (!ready.isEmpty() && random.nextInt(4) != 0) {
        goOn(ready.get(random.nextInt(ready.size())));
      } else {
        // Nobody lets time pass while there is something to do.
        world.dispatcher().turn(/* mayWait= */ ready.isEmpty());
        left--;
      }
    }
    boolean ended = callers.isEmpty();
    for (Caller caller : List.copyOf(callers)) {
      caller.isDead = true;
      goOn(caller);
    }
    return ended;
  }

  /** Until it asks again, or ends. */
  private void goOn(Caller caller) {
    caller.isReady = false;
    caller.go.release();
    back.acquireUninterruptibly();
    if (caller.failed instanceof AssertionError) {
      throw new AssertionError(caller.failed);
    }
    if (caller.failed != null) {
      throw new IllegalStateException(caller.failed);
    }
    Runnable asked = caller.asked;
    caller.asked = null;
    if (asked == null) {
      callers.remove(caller);
    } else {
      asked.run();
    }
  }

  /** One of them. The semaphores bring its fields from thread to thread. */
  private final class Caller implements Waits {
    private final Semaphore go = new Semaphore(0);
    private @Nullable Runnable asked;
    private @Nullable Throwable failed;
    private boolean isReady = true;
    private boolean isDead;

    Caller(Work work) {
      Thread.ofPlatform().daemon().name("caller").start(() -> live(work));
    }

    private void live(Work work) {
      go.acquireUninterruptibly();
      try {
        work.run(this);
      } catch (Died end) {
        // It asks no more.
      } catch (Throwable thrown) {
        failed = thrown;
      } finally {
        back.release();
      }
    }

    @Override
    public <T> Completion<T> await(Consumer<CompletionPort<T>> request) {
      List<Completion<T>> answer = new ArrayList<>();
      if (isDead) {
        throw new Died();
      }
      asked =
          () ->
              request.accept(
                  completion -> {
                    answer.add(completion);
                    isReady = true;
                  });
      back.release();
      go.acquireUninterruptibly();
      if (isDead) {
        throw new Died();
      }
      return answer.getFirst();
    }
  }
}
