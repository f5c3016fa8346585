package dev.upcall.bench.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ChildTest {
  @Test
  void whatWasThrownIsToldAndNotWhere() {
    StringBuilder errors = new StringBuilder("Exception in thread \"main\" it broke\n");
    for (int i = 0; i < 10; i++) {
      errors.append("\tat dev.upcall.Some.method").append(i).append("(Some.java:1)\n");
    }
    errors.append("\nCaused by: the reason\n\tat dev.upcall.Other.one(Other.java:2)\n");
    errors.append("\t... 4 more\n");
    assertEquals(
        ": Exception in thread \"main\" it broke | Caused by: the reason",
        Child.lastLines(errors.toString()));
    assertEquals(": 3 | 4 | 5 | 6 | 7", Child.lastLines("1\n2\n3\n4\n5\n6\n7\n"));
    assertEquals("", Child.lastLines("\n \n"));
  }
}
