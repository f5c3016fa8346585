package dev.upcall.bench.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class GroupCommitTest {
  private static final int THREADS = 8;
  private static final int ROUNDS = 2_000;

  @Test
  void whatWasChangedBeforeIsCommittedOnReturn() throws Exception {
    AtomicLong changed = new AtomicLong();
    AtomicLong committed = new AtomicLong();
    AtomicLong commits = new AtomicLong();
    GroupCommit group =
        new GroupCommit(
            () -> {
              commits.incrementAndGet();
              committed.set(changed.get());
            });
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> parts = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        parts.add(
            threads.submit(
                () -> {
                  for (int round = 0; round < ROUNDS; round++) {
                    long mine = changed.incrementAndGet();
                    group.await();
                    assertTrue(committed.get() >= mine, "returned before its commit");
                  }
                }));
      }
      for (Future<?> part : parts) {
        part.get();
      }
    }
    assertEquals(THREADS * ROUNDS, changed.get());
    assertTrue(commits.get() <= THREADS * ROUNDS, commits::toString);
  }

  @Test
  void aCommitThatFailsIsNotTakenForOne() {
    AtomicLong commits = new AtomicLong();
    GroupCommit group =
        new GroupCommit(
            () -> {
              if (commits.incrementAndGet() == 1) {
                throw new IllegalStateException("the device");
              }
            });
    assertThrows(IllegalStateException.class, group::await);
    group.await();
    assertEquals(2, commits.get());
  }
}
