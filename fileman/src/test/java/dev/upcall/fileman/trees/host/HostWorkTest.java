package dev.upcall.fileman.trees.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Work of a transfer on a machine that gives no threads. */
class HostWorkTest {
  @Test
  void execute_withoutThreads_doesItHere() {
    List<Thread> done = new ArrayList<>();
    HostWork.execute(
        _ -> {
          throw new OutOfMemoryError("unable to create native thread");
        },
        () -> done.add(Thread.currentThread()));
    assertEquals(1, done.size());
    assertSame(Thread.currentThread(), done.getFirst());
  }
}
