package recipes;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/**
 * A service that ends in order when it is told to (SIGTERM, Ctrl-C): requests first, then the
 * store.
 */
public final class Shutdown {
  private Shutdown() {}

  /** The volume's path is the only argument. */
  public static void main(String[] args) throws InterruptedException {
    // begin
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .unstarted(
                    () -> {
                      asked.countDown();
                      try {
                        closed.await(); // the JVM ends when its hooks have
                      } catch (InterruptedException ended) {
                        Thread.currentThread().interrupt();
                      }
                    }));
    try {
      try (Upcall store = Upcall.openOrCreate(Path.of(args[0]), UpcallConfig.DEFAULT)) {
        store.writeString("/state", "serving"); // durable: needs no orderly end
        System.out.println("serving");
        asked.await(); // take no more requests, then wait for those that run
      }
      System.out.println("closed"); // with a checkpoint: the next start recovers nothing
    } finally {
      closed.countDown();
    }
    // end
  }
}
