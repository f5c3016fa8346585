package dev.upcall.fileman.stage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileContent;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.fsm.meter.DistributionSnapshot;
import dev.upcall.fsm.meter.StageTimes;
import dev.upcall.request.FileRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Files to read with stamps, and what the stamps must say of reading each once. */
public final class StampedFiles {
  /** How many. */
  public static final int FILES = 40;

  /** How large each is. */
  public static final int BYTES = 4096;

  private StampedFiles() {}

  /** A closed volume with them. */
  public static Path make(Path folder, UpcallConfig config) {
    Path volume = folder.resolve("volume.upcall");
    List<FileRequest> puts = new ArrayList<>();
    Random random = new Random(1);
    for (int i = 0; i < FILES; i++) {
      byte[] bytes = new byte[BYTES];
      random.nextBytes(bytes);
      puts.add(new FileRequest.Put(path(i), new FileContent.Bytes(bytes), PutOptions.DEFAULT));
    }
    try (Upcall store = Upcall.create(volume, config)) {
      store.batch(puts);
    }
    return volume;
  }

  /** Of one. */
  public static StorePath path(int file) {
    return StorePath.of("/f" + file);
  }

  /** Each was read once, some of them from the device. */
  public static void check(StageTimes times, int withIo) {
    assertEquals(FILES, times.requests());
    assertEquals(withIo, times.withIo());
    assertEquals(0, times.skipped());
    assertTrue(times.residualNanosMax() <= 1000, times::toString);
    long sum = times.stages().stream().mapToLong(DistributionSnapshot::sum).sum();
    assertEquals(times.total().sum(), sum, times::toString);
    assertTrue(times.untilRequested().sum() > 0, times::toString);
    assertTrue(times.untilHandled().sum() > 0, times::toString);
    if (withIo > 0) {
      assertTrue(times.untilFinished().sum() > 0, times::toString);
    } else {
      assertEquals(0, times.untilStarted().sum() + times.untilFinished().sum());
    }
  }
}
