package dev.upcall.fileman.blocking;

import dev.upcall.FsmUpcall;
import java.util.concurrent.CountDownLatch;

/** A store whose thread does nothing else until this is closed. */
public final class BusyStore implements AutoCloseable {
  private final CountDownLatch end = new CountDownLatch(1);

  private BusyStore() {}

  /** Holds its thread up; that it does so is certain when this returns. */
  public static BusyStore of(FsmUpcall store) {
    BusyStore busy = new BusyStore();
    CountDownLatch begun = new CountDownLatch(1);
    store.execute(
        () -> {
          begun.countDown();
          await(busy.end);
        });
    await(begun);
    return busy;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  @Override
  public void close() {
    end.countDown();
  }
}
