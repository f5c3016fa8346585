package dev.upcall.buffer.replacement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LongIntMapTest {
  @Test
  void behavesLikeAMap() {
    for (long seed = 0; seed < 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      LongIntMap map = new LongIntMap(random.nextInt(200));
      Map<Long, Integer> model = new HashMap<>();
      long range = 1L << random.nextInt(4, 40);
      for (int step = 0; step < 5_000; step++) {
        long key = random.nextInt(4) == 0 ? random.nextLong(range) : random.nextLong(16);
        switch (random.nextInt(3)) {
          case 0 -> {
            int value = random.nextInt(1000);
            assertEquals(absent(model.put(key, value)), map.put(key, value));
          }
          case 1 -> assertEquals(absent(model.remove(key)), map.remove(key));
          default -> assertEquals(absent(model.get(key)), map.get(key));
        }
        assertEquals(model.size(), map.size());
      }
      model.forEach((key, value) -> assertEquals(value, map.get(key)));
    }
  }

  private static int absent(Integer value) {
    return value == null ? LongIntMap.ABSENT : value;
  }
}
