package dev.upcall.segment.layout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.house.Golden;
import dev.upcall.house.Mutator;
import dev.upcall.txn.StoreTree;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KnownContentTest {
  private static final byte[] FIRST = hash(1);
  private static final byte[] WHOLE = hash(2);

  private static byte[] hash(int seed) {
    byte[] hash = new byte[32];
    new SplittableRandom(seed).nextBytes(hash);
    return hash;
  }

  @Test
  void anEntryIsReadAsItWasWritten() {
    byte[] key = KnownContent.key(FIRST, WHOLE);
    assertEquals(32, key.length);
    assertArrayEquals(Arrays.copyOf(FIRST, 16), Arrays.copyOf(key, 16));
    assertArrayEquals(Arrays.copyOf(WHOLE, 16), Arrays.copyOfRange(key, 16, 32));
    assertTrue(StoreTree.CONTENTS.keyForm().fits(key));
    assertTrue(StoreTree.CONTENTS.keyForm().fits(KnownContent.countKey()));
    KnownContent known = new KnownContent(77, 3, 1L << 40);
    assertEquals(known, KnownContent.of(key, known.stored()));
    assertTrue(KnownContent.begins(key, FIRST));
    assertFalse(KnownContent.begins(key, WHOLE));
    assertFalse(KnownContent.begins(KnownContent.countKey(), FIRST));
    assertEquals(12, KnownContent.count(KnownContent.storedCount(12)));
  }

  private static byte[] encode(KnownContent known) {
    byte[] both = Arrays.copyOf(KnownContent.key(FIRST, WHOLE), 32 + known.stored().length);
    System.arraycopy(known.stored(), 0, both, 32, known.stored().length);
    return both;
  }

  private static byte[] again(byte[] both) {
    byte[] key = Arrays.copyOf(both, Math.min(both.length, 32));
    KnownContent known = KnownContent.of(key, Arrays.copyOfRange(both, key.length, both.length));
    byte[] again = Arrays.copyOf(key, 32 + known.stored().length);
    System.arraycopy(known.stored(), 0, again, 32, known.stored().length);
    return again;
  }

  @Test
  void formIsFixed() {
    Golden.check("known-content", encode(new KnownContent(0x1234, 5, 1L << 20)));
  }

  @Test
  void nonsenseIsRefused() {
    List<byte[]> good =
        List.of(encode(new KnownContent(77, 3, 1L << 40)), encode(new KnownContent(16, 1, 65537)));
    Mutator mutator = new Mutator(56, 112, good);
    mutator.run(20_000, nonsense -> assertArrayEquals(nonsense, again(nonsense)));
    assertTrue(mutator.accepted() > 100, "damage that still is an entry: " + mutator.accepted());
    assertTrue(mutator.refused() > 100, "damage that is none: " + mutator.refused());
    assertThrows(IllegalArgumentException.class, () -> KnownContent.count(new byte[7]));
  }
}
