package dev.upcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.config.Compression;
import dev.upcall.config.ContentConfig;
import dev.upcall.config.Dedup;
import dev.upcall.config.DiskKind;
import dev.upcall.config.PlaceConfig;
import dev.upcall.config.RetryConfig;
import dev.upcall.config.TrafficConfig;
import dev.upcall.config.WaitConfig;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.store.LossBound;
import dev.upcall.store.SnapshotConfig;
import dev.upcall.store.TransactionConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UpcallConfigTest {
  private static final UpcallConfig DEFAULT = UpcallConfig.DEFAULT;

  /** No method of a setting undoes another one. */
  @Test
  void settingsAddUp() {
    FileManagerConfig files =
        new FileManagerConfig(1, 2, 3 << 20, 4, FileManagerConfig.DEFAULT.listStepEntries(), 6);
    LossBound loss = new LossBound(1 << 20, 1_000_000);
    TransactionConfig transactions =
        new TransactionConfig(7, 8_000_000, TransactionConfig.DEFAULT.locks(), RetryConfig.DEFAULT);
    SnapshotConfig snapshots = new SnapshotConfig(9, 10);
    PlaceConfig places = new PlaceConfig(8, 9);
    ContentConfig content = new ContentConfig(2 << 20, 77, Dedup.FILE, Compression.FAST);
    WaitConfig waits = WaitConfig.defaults().withoutSpinning();
    TrafficConfig traffic = TrafficConfig.NONE.withMeasures(true);
    UpcallConfig all =
        DEFAULT
            .withMemoryBytes(32 << 20)
            .withCapBytes(64 << 20)
            .withReadOnly(true)
            .withEngine(Engine.VIRTUAL)
            .withFiles(files)
            .withLoss(loss)
            .withTransactions(transactions)
            .withSnapshots(snapshots)
            .withPlaces(places)
            .withContent(content)
            .withDisk(DiskKind.CHANNEL)
            .withDiskThreads(3)
            .withCommitPoll(Duration.ofNanos(5))
            .withWaits(waits)
            .withRecordsKept(16)
            .withIoPolicy("fair")
            .withTraffic(traffic);
    UpcallConfig whole =
        new UpcallConfig(
            32 << 20,
            64 << 20,
            true,
            Engine.VIRTUAL,
            new StoreLimits(files, loss, transactions, snapshots, places, content),
            new DriveConfig(DiskKind.CHANNEL, 3, 5, waits, 16, "fair", traffic, Optional.empty()));
    assertEquals(whole, all);
  }

  private static void refused(String says, Supplier<UpcallConfig> setting) {
    String told = assertThrows(IllegalArgumentException.class, setting::get).getMessage();
    assertTrue(told.contains(says), told);
  }

  @Test
  void whatIsOutOfRangeIsNamed() {
    refused("memoryBytes is 1000", () -> DEFAULT.withMemoryBytes(1000));
    refused("capBytes is 1000", () -> DEFAULT.withCapBytes(1000));
    refused(
        "content.gatherBytes is 32768",
        () -> DEFAULT.withContent(ContentConfig.DEFAULT.withGatherBytes(32 << 10)));
    refused(
        "must be a multiple of 65536",
        () -> DEFAULT.withContent(ContentConfig.DEFAULT.withGatherBytes(100_000)));
    refused(
        "at most an eighth of memoryBytes",
        () ->
            DEFAULT
                .withMemoryBytes(32 << 20)
                .withContent(ContentConfig.DEFAULT.withGatherBytes(8 << 20)));
    refused("diskThreads is 0", () -> DEFAULT.withDiskThreads(0));
    refused("commitPollNanos is -1", () -> DEFAULT.withCommitPoll(Duration.ofNanos(-1)));
    refused("recordsKept is -1", () -> DEFAULT.withRecordsKept(-1));
    refused("recordsKept must be a power of two", () -> DEFAULT.withRecordsKept(3));
  }

  @Test
  void theRecorderKeepsAsManyAsItIsTold(@TempDir Path folder) {
    UpcallConfig small =
        DEFAULT
            .withMemoryBytes(UpcallConfig.MIN_MEMORY_BYTES)
            .withCapBytes(UpcallConfig.MIN_CAP_BYTES)
            .withRecordsKept(0);
    try (Upcall store = Upcall.create(folder.resolve("v"), small)) {
      store.write("/f", new byte[100]);
      FlightRecorder recorder = store.fsm().fileManager().dispatcher().recorder();
      assertEquals(0, recorder.ring().kept());
      assertEquals(0, recorder.ring().published());
    }
  }

  /** The time awake of the store's thread is counted; without looking there is none. */
  @Test
  void callersAndStoreSleepAtOnceWhenToldTo(@TempDir Path folder) {
    UpcallConfig frugal =
        DEFAULT
            .withMemoryBytes(UpcallConfig.MIN_MEMORY_BYTES)
            .withCapBytes(UpcallConfig.MIN_CAP_BYTES)
            .withWaits(WaitConfig.defaults().withoutSpinning());
    try (Upcall store = Upcall.create(folder.resolve("v"), frugal)) {
      store.write("/f", new byte[100]);
      for (int i = 0; i < 200; i++) {
        assertEquals(100, store.readAllBytes("/f").length);
      }
      CompletableFuture<Long> spun = new CompletableFuture<>();
      store
          .fsm()
          .execute(
              () ->
                  spun.complete(
                      store.fsm().fileManager().store().metrics().dispatcher().spunNanos()));
      assertEquals(0, spun.join());
    }
  }
}
