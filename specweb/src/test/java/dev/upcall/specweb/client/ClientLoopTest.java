package dev.upcall.specweb.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class ClientLoopTest {
  private static List<ClientLoop> loops() {
    return Stream.of(1, 2, 3).map(_ -> new ClientLoop(Transport.NIO)).toList();
  }

  /** Each waits until all have come to it, which none would if they were asked one by one. */
  private static int meet(CountDownLatch all, int place) {
    all.countDown();
    try {
      assertTrue(all.await(120, TimeUnit.SECONDS), "the others were not asked meanwhile");
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return place;
  }

  @Test
  void allLoopsDoItAtOnce() throws InterruptedException {
    List<ClientLoop> loops = loops();
    CountDownLatch all = new CountDownLatch(loops.size());
    assertEquals(List.of(0, 1, 2), ClientLoop.callAll(loops, place -> meet(all, place)));
    ClientLoop.closeAll(loops);
    assertThrows(RuntimeException.class, () -> loops.getLast().call(() -> 1), "it has ended");
  }

  @Test
  void whatOneOfThemThrowsIsToldToTheCaller() throws InterruptedException {
    List<ClientLoop> loops = loops();
    IllegalStateException told =
        assertThrows(
            IllegalStateException.class,
            () ->
                ClientLoop.callAll(
                    loops,
                    place -> {
                      if (place == 1) {
                        throw new IllegalArgumentException("no");
                      }
                      return place;
                    }));
    assertEquals("no", told.getCause().getMessage());
    ClientLoop.closeAll(loops);
  }
}
