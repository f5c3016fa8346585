package dev.upcall.txn.state;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.house.Golden;
import dev.upcall.house.Mutator;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Entries of the tree of shared blocks as they are stored, and that nothing else is taken for one.
 */
class SharedRunFormatTest {
  private static byte[] encode(SharedRun run) {
    byte[] key = run.key();
    byte[] value = run.value();
    byte[] both = Arrays.copyOf(key, key.length + value.length);
    System.arraycopy(value, 0, both, key.length, value.length);
    return both;
  }

  private static SharedRun decode(byte[] both) {
    int key = Math.min(both.length, Long.BYTES);
    return SharedRun.decode(Arrays.copyOf(both, key), Arrays.copyOfRange(both, key, both.length));
  }

  @Test
  void formIsFixed() {
    Golden.check("shared-run", encode(new SharedRun(0x1234, 5, 3)));
  }

  @Test
  void whatWasStoredIsReadBack() {
    SharedRun run = new SharedRun(1, 1L << 40, Integer.MAX_VALUE);
    assertEquals(run, decode(encode(run)));
  }

  @Test
  void nonsenseIsRefused() {
    Mutator mutator =
        new Mutator(
            32, 64, List.of(encode(new SharedRun(0x1234, 5, 3)), encode(new SharedRun(7, 1, 2))));
    mutator.run(20_000, nonsense -> assertArrayEquals(nonsense, encode(decode(nonsense))));
    assertTrue(mutator.accepted() > 100, "damage that still is a run: " + mutator.accepted());
    assertTrue(mutator.refused() > 100, "damage that is none: " + mutator.refused());
  }
}
