package dev.upcall.journal.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.upcall.journal.queue.QueueException.Reason;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who shares a sync with whom. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class GroupSyncTest {
  private static final int WAITING = 8;

  private final AtomicInteger forced = new AtomicInteger();

  @Test
  void allThatWaitMeanwhileShareTheNext() throws Exception {
    GroupSync group = GroupSync.join(Path.of("one"));
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Thread first =
        start(
            () ->
                group.sync(
                    () -> {
                      begun.countDown();
                      await(end);
                      forced.incrementAndGet();
                    }));
    begun.await();
    List<Thread> others = new ArrayList<>();
    for (int i = 0; i < WAITING; i++) {
      others.add(start(() -> group.sync(this::force)));
    }
    awaitAll(others, Thread.State.WAITING);
    assertEquals(0, forced.get());
    end.countDown();
    first.join();
    for (Thread other : others) {
      other.join();
    }
    assertEquals(2, forced.get());
    assertEquals(2, group.rounds());
    group.sync(this::force);
    assertEquals(3, forced.get());
    group.leave();
  }

  @Test
  void allOfARoundLearnThatItFailed() throws Exception {
    GroupSync group = GroupSync.join(Path.of("two"));
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Thread first =
        start(
            () ->
                group.sync(
                    () -> {
                      begun.countDown();
                      await(end);
                    }));
    begun.await();
    AtomicInteger told = new AtomicInteger();
    List<Thread> others = new ArrayList<>();
    for (int i = 0; i < WAITING; i++) {
      others.add(
          start(
              () -> {
                QueueException broken =
                    assertThrows(QueueException.class, () -> group.sync(GroupSyncTest::fail));
                assertEquals(Reason.FILES, broken.reason());
                told.incrementAndGet();
              }));
    }
    awaitAll(others, Thread.State.WAITING);
    end.countDown();
    first.join();
    for (Thread other : others) {
      other.join();
    }
    assertEquals(WAITING, told.get());
    assertEquals(2, group.rounds());
    // It says nothing of the next.
    group.sync(this::force);
    assertEquals(1, forced.get());
    group.leave();
  }

  @Test
  void thoseOfAFolderAreOneGroup() {
    GroupSync group = GroupSync.join(Path.of("three"));
    GroupSync again = GroupSync.join(Path.of("other", "..", "three"));
    assertSame(group, again);
    assertNotSame(group, GroupSync.join(Path.of("four")));
    group.leave();
    assertSame(group, GroupSync.join(Path.of("three")));
    again.leave();
    group.leave();
    assertNotSame(group, GroupSync.join(Path.of("three")));
  }

  private void force() {
    forced.incrementAndGet();
  }

  private static void fail() throws QueueException {
    throw new QueueException(Reason.FILES, "the disk is gone", null);
  }

  /** What a thread does; the counts miss what it throws before. */
  private interface Step {
    void run() throws Exception;
  }

  private static Thread start(Step step) {
    return Thread.ofPlatform()
        .start(
            () -> {
              try {
                step.run();
              } catch (Exception failed) {
                throw new IllegalStateException(failed);
              }
            });
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  private static void awaitAll(List<Thread> threads, Thread.State state) {
    while (!threads.stream().allMatch(thread -> thread.getState() == state)) {
      Thread.onSpinWait();
    }
  }
}
