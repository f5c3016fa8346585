package dev.upcall.fsm.wakeup;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.ConcurrentLinkedQueue;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The thread boundary under a model checker: every interleaving of small scenarios of the inbox
 * must have the outcome of some order of its operations, the answers of the sleeping protocol and
 * of the close included. A lost wake-up is such an answer: an offer that was not told to wake a
 * taker who was told that it may sleep. The canaries are queues with the usual mistakes, which the
 * checker must find.
 */
@Tag("races")
class InboxLincheckTest {
  private static ModelCheckingOptions options(int iterations, int actorsPerThread) {
    return new ModelCheckingOptions()
        .iterations(iterations)
        .invocationsPerIteration(200)
        .threads(3)
        .actorsPerThread(actorsPerThread)
        .actorsBefore(1)
        .actorsAfter(2)
        .minimizeFailedScenario(false);
  }

  /** The real one. */
  @Param(name = "element", gen = IntGen.class, conf = "1:9")
  public static class RealInbox {
    private final Inbox<Integer> inbox = new Inbox<>();

    @Operation
    public String offer(@Param(name = "element") int element) {
      return inbox.offer(element).name();
    }

    @Operation
    public String offerCorked(@Param(name = "element") int element) {
      return inbox.offerCorked(element).name();
    }

    @Operation
    public boolean isUnwoken() {
      return inbox.isUnwoken();
    }

    @Operation(nonParallelGroup = "taker")
    public boolean doze() {
      return inbox.doze();
    }

    @Operation(nonParallelGroup = "taker")
    public Integer poll() {
      return inbox.poll();
    }

    @Operation(nonParallelGroup = "taker")
    public void awake() {
      inbox.awake();
    }

    @Operation(nonParallelGroup = "taker")
    public boolean isEmpty() {
      return inbox.isEmpty();
    }

    @Operation(nonParallelGroup = "taker")
    public boolean fallAsleep() {
      return inbox.fallAsleep();
    }

    @Operation(nonParallelGroup = "taker")
    public void close() {
      inbox.close();
    }
  }

  /** The queue and the sleeper's flag are two words, and the queue is looked at first. */
  @Param(name = "element", gen = IntGen.class, conf = "1:9")
  public static class LosesWakeups {
    private final ConcurrentLinkedQueue<Integer> queue = new ConcurrentLinkedQueue<>();
    private volatile boolean asleep;

    @Operation
    public String offer(@Param(name = "element") int element) {
      queue.add(element);
      if (asleep) {
        asleep = false;
        return "ACCEPTED_WAKE";
      }
      return "ACCEPTED";
    }

    @Operation(nonParallelGroup = "taker")
    public Integer poll() {
      asleep = false;
      return queue.poll();
    }

    @Operation(nonParallelGroup = "taker")
    public boolean fallAsleep() {
      if (asleep || !queue.isEmpty()) {
        return false;
      }
      asleep = true;
      return true;
    }
  }

  /** The close is a word of its own, looked at before the element is put in. */
  @Param(name = "element", gen = IntGen.class, conf = "1:9")
  public static class LosesElementsAtTheClose {
    private final ConcurrentLinkedQueue<Integer> queue = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;
    private boolean drained;

    @Operation
    public boolean offer(@Param(name = "element") int element) {
      return !closed && queue.add(element);
    }

    @Operation(nonParallelGroup = "taker")
    public String close() {
      if (drained) {
        return "[]";
      }
      drained = true;
      closed = true;
      StringBuilder left = new StringBuilder();
      for (Integer element = queue.poll(); element != null; element = queue.poll()) {
        left.append(element).append(' ');
      }
      return left.toString();
    }

    @Operation(nonParallelGroup = "taker")
    public boolean lost() {
      return drained && !queue.isEmpty();
    }
  }

  @Test
  void everyInterleavingOfTheInboxIsSomeOrder() {
    options(6, 2).check(RealInbox.class);
  }

  @Test
  @Tag("long")
  void everyInterleavingOfTheInboxIsSomeOrderInLongerScenarios() {
    options(25, 3).check(RealInbox.class);
  }

  @Test
  void canaryALostWakeupIsFound() {
    assertThrows(AssertionError.class, () -> options(25, 2).check(LosesWakeups.class));
  }

  @Test
  void canaryAnElementLostAtTheCloseIsFound() {
    assertThrows(AssertionError.class, () -> options(25, 2).check(LosesElementsAtTheClose.class));
  }
}
