package dev.upcall.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Which images a device may hold after a loss of power. */
class CrashModelTest {
  private static final int SECTOR_BYTES = 512;
  private static final int CRASHES = 200;

  private final CrashModel model = new CrashModel(new DiskImage(100), SECTOR_BYTES);

  private void resize(long blocks) {
    CrashModel.Effect effect = CrashModel.Effect.resize(blocks);
    model.begin(effect);
    model.complete(effect);
  }

  private TreeSet<Long> sizes() {
    TreeSet<Long> sizes = new TreeSet<>();
    for (int seed = 0; seed < CRASHES; seed++) {
      sizes.add(model.crashImage(new SplittableRandom(seed)).sizeBlocks());
    }
    return sizes;
  }

  private static TreeSet<Long> of(long... sizes) {
    TreeSet<Long> all = new TreeSet<>();
    for (long size : sizes) {
      all.add(size);
    }
    return all;
  }

  @Test
  void aSizeThatWasNotSyncedMayComeOrNot() {
    resize(120);
    assertEquals(of(100, 120), sizes());
  }

  @Test
  void aSizeThatASyncGaveUpDoesNotComeBackOverALaterOneThatIsCertain() {
    resize(120);
    model.failSync(model.syncPoint());
    assertEquals(of(100, 120), sizes());
    resize(150);
    assertEquals(of(100, 120, 150), sizes());
    model.sync(model.syncPoint());
    assertEquals(of(150), sizes());
  }
}
