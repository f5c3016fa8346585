package dev.upcall.journal.queue;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The model does what the real queue does, and what a loss of power does. */
class ModelStorageTest extends EntryQueueBehaviour {
  private final ModelStorage storage = new ModelStorage();

  @Override
  protected EntryQueue open() {
    return storage.open();
  }

  @Override
  protected void roll() {
    storage.roll();
  }

  @Test
  void aLossOfPowerTakesOnlyWhatWasNotSynced() throws QueueException {
    int lost = 0;
    int torn = 0;
    int again = 0;
    for (int seed = 0; seed < 100; seed++) {
      Random random = new Random(seed);
      ModelStorage one = new ModelStorage();
      EntryQueue queue = one.open();
      long synced = queue.append(bytes("synced"));
      queue.sync();
      long second = queue.append(bytes("second"));
      queue.append(bytes("third"));
      one.losePower(random);
      assertArrayEquals(bytes("synced"), queue.read(synced));
      byte[] found = queue.read(second);
      lost += found == null ? 1 : 0;
      torn += found != null && !Arrays.equals(found, bytes("second")) ? 1 : 0;
      again += queue.append(bytes("new")) == second ? 1 : 0;
      assertEquals(1, one.unsynced());
    }
    assertTrue(lost > 10 && torn > 10 && again == lost, lost + " " + torn + " " + again);
  }
}
