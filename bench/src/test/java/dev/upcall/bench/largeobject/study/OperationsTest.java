package dev.upcall.bench.largeobject.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OperationsTest {
  private static final int MEAN = 10_240;
  private static final int COUNT = 10_000;

  @Test
  void updatesTakeTurnsAndKeepTheSize() {
    Operations stream = new Operations(MEAN, 7);
    Map<Operations.Kind, Integer> counts = new EnumMap<>(Operations.Kind.class);
    long begun = 1 << 20;
    long size = begun;
    long inserted = 0;
    for (int i = 0; i < COUNT; i++) {
      Operations.Operation operation = stream.next(size);
      counts.merge(operation.kind(), 1, Integer::sum);
      assertTrue(operation.bytes() >= MEAN / 2, operation::toString);
      assertTrue(operation.bytes() <= Operations.mostBytes(MEAN), operation::toString);
      switch (operation.kind()) {
        case READ ->
            assertTrue(operation.offset() <= size - operation.bytes(), operation::toString);
        case INSERT -> {
          assertEquals(begun, size, "an insert comes behind a delete");
          assertTrue(operation.offset() <= size, operation::toString);
          inserted = operation.bytes();
          size += inserted;
        }
        case DELETE -> {
          assertEquals(inserted, operation.bytes(), "as many bytes as came");
          assertTrue(operation.offset() <= size - operation.bytes(), operation::toString);
          size -= operation.bytes();
        }
      }
    }
    int inserts = counts.get(Operations.Kind.INSERT);
    assertTrue(Math.abs(inserts - counts.get(Operations.Kind.DELETE)) <= 1, counts::toString);
    assertEquals(0.4, counts.get(Operations.Kind.READ) / (double) COUNT, 0.02);
  }

  @Test
  void aSeedIsTheSameTwice() {
    Operations one = new Operations(MEAN, 3);
    Operations other = new Operations(MEAN, 3);
    for (int i = 0; i < 100; i++) {
      assertEquals(one.next(1 << 20), other.next(1 << 20));
    }
  }
}
