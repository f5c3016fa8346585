package dev.upcall.bench.ageing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class AgeingMixTest {
  private static final long LIVE_BYTES = 8 << 20;
  private static final int STEPS = 20_000;

  private static AgeingMix filled() {
    AgeingMix mix = new AgeingMix(3, LIVE_BYTES);
    while (mix.hasRoom()) {
      mix.fill();
    }
    return mix;
  }

  @Test
  void whoeverKeepsTheFilesGetsTheSameSteps() {
    AgeingMix one = filled();
    AgeingMix other = filled();
    for (int i = 0; i < STEPS; i++) {
      assertEquals(one.next(), other.next());
    }
  }

  @Test
  void theStepsMakeTheFilesThatAreLiveAndKeepThemNearlyFull() {
    AgeingMix mix = filled();
    Map<String, Integer> files =
        new HashMap<>(
            mix.files().stream()
                .collect(Collectors.toMap(AgeingMix.Live::name, AgeingMix.Live::bytes)));
    Map<AgeingMix.Kind, Integer> kinds = new EnumMap<>(AgeingMix.Kind.class);
    long liveBytes = 0;
    for (int i = 0; i < STEPS; i++) {
      AgeingMix.Step step = mix.next();
      kinds.merge(step.kind(), 1, Integer::sum);
      switch (step.kind()) {
        case PUT -> assertEquals(null, files.put(step.name(), step.bytes()), "it is new");
        case OVERWRITE -> assertTrue(files.replace(step.name(), step.bytes()) != null);
        case APPEND -> assertTrue(files.merge(step.name(), step.bytes(), Integer::sum) > 0);
        case DELETE -> assertTrue(files.remove(step.name()) != null);
      }
      assertTrue(mix.liveBytes() <= LIVE_BYTES);
      liveBytes += mix.liveBytes();
    }
    assertEquals(
        files,
        mix.files().stream()
            .collect(Collectors.toMap(AgeingMix.Live::name, AgeingMix.Live::bytes)));
    assertTrue(liveBytes / STEPS > LIVE_BYTES * 0.9, () -> "not full: " + mix.liveBytes());
    for (AgeingMix.Kind kind : AgeingMix.Kind.values()) {
      assertTrue(kinds.get(kind) > STEPS / 10, kinds::toString);
    }
  }
}
