package dev.upcall.fileman.blocking;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The facade over the state machines, on the channel. */
class ChannelUpcallTest extends UpcallBehaviour {
  @Override
  protected UpcallConfig config() {
    return TestedStore.CHANNEL.config();
  }

  /** How many of those allowed are started depends on how many requests there are at once. */
  @Test
  void diskThreads_one_isTheOnlyThread(@TempDir Path other) {
    // What a pool counts as ended may still be on its last instructions: those of other tests.
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    try (Upcall store = Upcall.create(other.resolve("v"), config().withDiskThreads(1))) {
      for (int i = 0; i < 5; i++) {
        store.write("/f" + i, new byte[10]);
      }
      assertEquals(
          1,
          Thread.getAllStackTraces().keySet().stream()
              .filter(thread -> thread.getName().startsWith("upcall-disk-"))
              .filter(thread -> !before.contains(thread))
              .count());
    }
  }
}
