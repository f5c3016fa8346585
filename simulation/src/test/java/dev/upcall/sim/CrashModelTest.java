package dev.upcall.sim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.upcall.io.Disk;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Which images a device may hold after a loss of power. */
class CrashModelTest {
  private static final int SECTOR_BYTES = 512;
  private static final int CRASHES = 200;

  private final CrashModel model = new CrashModel(new DiskImage(100), SECTOR_BYTES);

  private void resize(long blocks) {
    CrashModel.Effect effect = CrashModel.Effect.cut(blocks);
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

  private void write(long block, int value) {
    CrashModel.Effect effect = CrashModel.Effect.write(block, new byte[][] {bytes(value)});
    model.begin(effect);
    model.complete(effect);
  }

  private static byte[] bytes(int value) {
    byte[] bytes = new byte[Disk.BLOCK_BYTES];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  private void assertHolds(long block, int value) {
    for (int seed = 0; seed < CRASHES; seed++) {
      byte[] found = model.crashImage(new SplittableRandom(seed)).read(block);
      assertArrayEquals(bytes(value), found);
    }
  }

  @Test
  void aHoleThatASyncGaveUpDoesNotComeBackOverALaterWriteThatIsCertain() {
    CrashModel.Effect hole = CrashModel.Effect.discard(3, 8);
    model.begin(hole);
    model.complete(hole);
    model.failSync(model.syncPoint());
    write(5, 7);
    model.sync(model.syncPoint());
    assertHolds(5, 7);
  }

  @Test
  void whatLandedBeforeItsCompletionIsCertainAfterASync() {
    CrashModel.Effect effect = CrashModel.Effect.write(5, new byte[][] {bytes(7)});
    model.begin(effect);
    model.land();
    model.sync(model.syncPoint());
    model.complete(effect);
    assertHolds(5, 7);
  }

  @Test
  void whatIsHeardOfWritesBeforeSomebodyElsesChangesNothing() {
    CrashModel.Effect effect = CrashModel.Effect.write(5, new byte[][] {bytes(7)});
    model.begin(effect);
    model.land();
    DiskImage other = new DiskImage(100);
    other.put(5, bytes(9));
    model.replace(other);
    model.completeDurably(effect);
    assertHolds(5, 9);
    assertArrayEquals(bytes(9), model.current().read(5));
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

  @Test
  void aSizeThatASyncGaveUpIsCertainWithTheNext() {
    resize(120);
    model.failSync(model.syncPoint());
    model.sync(model.syncPoint());
    assertEquals(of(120), sizes());
  }

  @Test
  void whatGrowsLateCutsNothing() {
    CrashModel.Effect late = CrashModel.Effect.grow(120);
    model.begin(late);
    CrashModel.Effect more = CrashModel.Effect.grow(150);
    model.begin(more);
    model.completeDurably(more);
    model.complete(late);
    assertEquals(of(150), sizes());
    assertEquals(150, model.current().sizeBlocks());
  }
}
