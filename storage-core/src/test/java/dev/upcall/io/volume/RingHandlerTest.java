package dev.upcall.io.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.upcall.io.LibC;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class RingHandlerTest {
  /**
   * On busy processors, behind some hundreds of rings that ended with a read in flight it has taken
   * something, or the JVM has crashed.
   */
  private static final int RINGS = 1_000;

  /** As many descriptors as the end of a ring leaves, and some. */
  private static final int DESCRIPTORS = 4;

  private final LibC libC = new LibC();

  @TempDir Path here;

  @Test
  @Timeout(120)
  void whoeverGetsTheDescriptorOfAnEndedRingKeepsWhatHeWasSent() throws Exception {
    Path path = here.resolve("fifo");
    assertEquals(0, new ProcessBuilder("mkfifo", path.toString()).start().waitFor());
    try (Load load = new Load();
        RandomAccessFile fifo = new RandomAccessFile(path.toFile(), "rw")) {
      load.begin();
      fifo.write(new byte[Long.BYTES]);
      for (int ring = 0; ring < RINGS; ring++) {
        wakeAndEnd();
        int[] reused = new int[DESCRIPTORS];
        for (int i = 0; i < DESCRIPTORS; i++) {
          reused[i] = libC.open(path.toString(), LibC.O_RDWR, 0);
        }
        TimeUnit.MICROSECONDS.sleep(200);
        assertEquals(Long.BYTES, left(fifo), "behind ring " + ring);
        for (int descriptor : reused) {
          assertEquals(0, libC.close(descriptor));
        }
      }
    }
  }

  private static void wakeAndEnd() throws InterruptedException {
    NettyReactor reactor = NettyReactor.create();
    reactor.reap(1);
    Thread waker = Thread.ofPlatform().start(reactor::wakeup);
    reactor.await(TimeUnit.SECONDS.toNanos(10));
    waker.join();
    reactor.close();
  }

  private static int left(RandomAccessFile fifo) throws IOException {
    // Not closed: the descriptor is not its own.
    return new FileInputStream(fifo.getFD()).available();
  }

  /** Keeps all processors busy. */
  private static final class Load implements AutoCloseable {
    private volatile boolean ended;

    void begin() {
      for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
        Thread.ofPlatform().daemon().start(this::spin);
      }
    }

    private void spin() {
      while (!ended) {
        Thread.onSpinWait();
      }
    }

    @Override
    public void close() {
      ended = true;
    }
  }
}
