package dev.upcall.fsm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.ManualClock;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.door.RequestDoor;
import dev.upcall.fsm.wakeup.Abandonable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** A dispatcher ends because there is no memory, and telling it finds none at first either. */
class EndForWantOfMemoryTest {
  private final ManualClock clock = new ManualClock();
  private final Dispatcher dispatcher = new Dispatcher(clock, new ManualReactor(clock));
  private final RequestDoor door = new RequestDoor("door", 8, dispatcher);
  private final OutOfMemoryError none = new OutOfMemoryError("Java heap space");
  private final List<String> told = new ArrayList<>();

  /** Finds no memory so many times. */
  private final class Forgetful implements CompletionPort<Unit>, Abandonable, OnBehalf, Runnable {
    private final String name;
    private int failing;

    Forgetful(String name, int failing) {
      this.name = name;
      this.failing = failing;
    }

    @Override
    public void complete(Completion<Unit> completion) {
      throw none;
    }

    @Override
    public Object whose() {
      throw new OutOfMemoryError("Java heap space");
    }

    @Override
    public void run() {}

    @Override
    public void abandon() {
      if (failing-- > 0) {
        throw new OutOfMemoryError("Java heap space");
      }
      told.add(name);
    }
  }

  private void end() {
    assertSame(none, assertThrows(OutOfMemoryError.class, () -> dispatcher.turn(false)));
  }

  private Runnable failing() {
    return () -> {
      throw none;
    };
  }

  @Test
  void everybodyIsTold_thoughEachFindsNoMemoryAtFirst() {
    List<CompletionPort<Unit>> inside = new ArrayList<>();
    door.<Unit>offer(inside::add, new Forgetful("begun", 2));
    dispatcher.turn(false);
    door.<Unit>offer(inside::add, new Forgetful("not begun", 1));
    dispatcher.terminations().add(hook("first hook", 3));
    dispatcher.terminations().add(hook("second hook", 0));
    dispatcher.post(failing());
    dispatcher.post(new Forgetful("posted", 1));
    end();
    assertEquals(List.of("posted", "not begun", "begun", "first hook", "second hook"), told);
  }

  private Runnable hook(String name, int failing) {
    Forgetful hook = new Forgetful(name, failing);
    return hook::abandon;
  }

  /** A hook that throws something else is no reason to leave the others out. */
  @Test
  void aHookThatFails_keepsNobodyFromHearing() {
    dispatcher
        .terminations()
        .add(
            () -> {
              throw new IllegalStateException("a bug");
            });
    dispatcher.terminations().add(hook("behind", 0));
    dispatcher.post(failing());
    end();
    assertEquals(List.of("behind"), told);
  }

  /** The names of what waits cannot be had: the reason is told without them. */
  @Test
  void theReasonIsKept_thoughItCannotBeDescribed() {
    dispatcher.post(failing());
    dispatcher.post(new Forgetful("waits", 0));
    end();
    assertSame(none, dispatcher.failure().orElseThrow().error());
    RejectedExecutionException late =
        assertThrows(RejectedExecutionException.class, () -> dispatcher.execute(() -> {}));
    assertSame(none, late.getCause());
    String words = DispatcherStoppedException.refused(dispatcher).getMessage();
    assertTrue(words.contains("Java heap space") && words.contains("-Xmx"), words);
    dispatcher.close();
  }

  /** It is neither among those inside any more nor answered yet. */
  @Test
  void aRequestWhosePortFindsNoMemory_isTold() {
    List<CompletionPort<Unit>> inside = new ArrayList<>();
    door.<Unit>offer(inside::add, new Forgetful("completing", 0));
    dispatcher.turn(false);
    dispatcher.complete(inside.getFirst(), Completion.done());
    end();
    assertEquals(List.of("completing"), told);
  }

  /** Nothing of what was accepted runs on a state that may be half changed. */
  @Test
  void nothingRunsBehindTheEnd() {
    dispatcher.post(failing());
    dispatcher.post(() -> told.add("ran"));
    dispatcher.execute(() -> told.add("ran"));
    dispatcher.post(new Forgetful("waits", 0));
    end();
    dispatcher.close();
    assertEquals(List.of("waits"), told);
  }
}
