package dev.upcall.fsm.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;

/** A name has one number under a key, and another under another. */
class NameNumbersTest {
  private static final byte[] NAME = {'a'};

  @Test
  void aNameHasOneNumberUnderAKey() {
    NameNumbers numbers = new NameNumbers(new byte[] {1});
    long number = numbers.of(NAME);
    assertEquals(number, numbers.of(NAME));
    assertEquals(number, new NameNumbers(new byte[] {1}).of(NAME));
    assertNotEquals(number, numbers.of(new byte[] {'b'}));
    assertNotEquals(number, new NameNumbers(new byte[] {2}).of(NAME));
  }
}
