package dev.upcall.fsm.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;

/** A path has one number under a key, and another under another. */
class NameNumbersTest {
  private static final byte[] NAME = {'a'};

  @Test
  void aPathHasOneNumberUnderAKey() {
    NameNumbers numbers = new NameNumbers(new byte[] {1});
    long first = numbers.of(NameNumbers.ROOT, NAME);
    long below = numbers.of(first, NAME);
    assertEquals(first, numbers.of(NameNumbers.ROOT, NAME));
    assertEquals(below, new NameNumbers(new byte[] {1}).of(first, NAME));
    assertNotEquals(first, below);
    assertNotEquals(first, numbers.of(NameNumbers.ROOT, new byte[] {'b'}));
    assertNotEquals(first, new NameNumbers(new byte[] {2}).of(NameNumbers.ROOT, NAME));
  }
}
