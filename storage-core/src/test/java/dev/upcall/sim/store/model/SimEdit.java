package dev.upcall.sim.store.model;

import dev.upcall.store.StoreFixture;
import java.util.BitSet;
import java.util.SplittableRandom;

/**
 * An edit in the middle of a file: bytes come in the place of others.
 *
 * @param offset where
 * @param removed how many bytes go
 * @param bytes what comes
 */
public record SimEdit(int offset, int removed, byte[] bytes) {
  private static final int MOST_BYTES = 120_000;

  /** An insert, a cut, or both; mostly small, often at the borders of blocks. */
  public static SimEdit draw(int size, SplittableRandom random) {
    int offset = near(random.nextInt(size + 1), size, random);
    int left = size - offset;
    int removed =
        switch (random.nextInt(4)) {
          case 0, 1 -> 0;
          case 2 -> Math.min(left, 1 + random.nextInt(6000));
          default -> near(random.nextInt(left + 1), left, random);
        };
    int length = random.nextInt(16) == 0 ? random.nextInt(MOST_BYTES) : random.nextInt(6000);
    boolean isCut = removed > 0 && random.nextInt(3) > 0;
    return new SimEdit(
        offset, removed, StoreFixture.bytes(random.nextLong(), isCut ? 0 : 1 + length));
  }

  private static int near(int number, int most, SplittableRandom random) {
    return random.nextInt(4) == 0 ? Math.min(most, number / 4096 * 4096) : number;
  }

  /** A file with the edit done. */
  public byte[] of(byte[] before) {
    SimInspection.checkThat(
        offset + removed <= before.length, "an edit behind the end of " + before.length + " bytes");
    byte[] after = new byte[before.length - removed + bytes.length];
    System.arraycopy(before, 0, after, 0, offset);
    System.arraycopy(bytes, 0, after, offset, bytes.length);
    int rest = before.length - offset - removed;
    System.arraycopy(before, offset + removed, after, offset + bytes.length, rest);
    return after;
  }

  /** What was written of a file, with the edit done. */
  public BitSet of(BitSet written) {
    BitSet after = written.get(0, offset);
    after.set(offset, offset + bytes.length);
    for (int i = written.nextSetBit(offset + removed); i >= 0; i = written.nextSetBit(i + 1)) {
      after.set(i - removed + bytes.length);
    }
    return after;
  }
}
