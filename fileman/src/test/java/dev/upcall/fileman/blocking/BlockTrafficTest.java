package dev.upcall.fileman.blocking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.config.DiskKind;
import dev.upcall.config.TrafficConfig;
import dev.upcall.fileman.engine.EngineUpcall;
import dev.upcall.fsm.Asker;
import dev.upcall.io.trace.BlockProfile;
import dev.upcall.io.trace.BlockTraffic;
import dev.upcall.io.trace.TraceEntry;
import dev.upcall.io.trace.TraceReader;
import dev.upcall.txn.metrics.StoreMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is kept of the requests of an embedded store, and in which order they go. */
class BlockTrafficTest {
  private static final int FILES = 20;
  private static final byte[] CONTENT = new byte[200_000];

  @TempDir Path folder;

  private Path volume() {
    return folder.resolve("volume.upcall");
  }

  private static BlockTraffic.Counts counts(Upcall store) {
    return metrics(store).traffic();
  }

  private static StoreMetrics metrics(Upcall store) {
    return UpcallException.value(
        ((EngineUpcall) store)
            .amongMachines(
                (files, port) ->
                    files.dispatcher().complete(port, Completion.done(files.store().metrics()))));
  }

  private static void use(Upcall store) {
    for (int i = 0; i < FILES; i++) {
      CONTENT[i] = 1;
      store.write("/file" + i, CONTENT);
    }
    store.checkpoint();
  }

  private static List<TraceEntry> entries(Path file) throws IOException {
    List<TraceEntry> entries = new ArrayList<>();
    try (TraceReader reader = TraceReader.open(file)) {
      for (TraceEntry entry = reader.next(); entry != null; entry = reader.next()) {
        entries.add(entry);
      }
      assertEquals("", reader.damage());
    }
    return entries;
  }

  @ParameterizedTest
  @EachEngine({"AUTO", "CHANNEL"})
  void eachRequestOfAnyEngineIsInTheTrace(Engine engine, DiskKind disk) throws IOException {
    Path file = folder.resolve("trace");
    UpcallConfig config =
        UpcallConfig.DEFAULT
            .withEngine(engine)
            .withDisk(disk)
            .withTraffic(TrafficConfig.NONE.withFile(file).withMeasures(true));
    BlockTraffic.Counts counts;
    try (Upcall store = Upcall.create(volume(), config)) {
      use(store);
      counts = counts(store);
    }
    List<TraceEntry> entries = entries(file);
    long written =
        entries.stream()
            .filter(
                entry ->
                    switch (entry.operation()) {
                      case WRITE, DURABLE_WRITE -> true;
                      default -> false;
                    })
            .mapToLong(entry -> entry.run().blocks())
            .sum();
    BlockProfile profile = Objects.requireNonNull(counts.profile());
    assertTrue(profile.writes().blocks() > 0 && profile.writes().blocks() <= written);
    assertTrue(written * 4096 > CONTENT.length, "what was written went to the device");
    String us = Asker.name(Asker.ofThread(Thread.currentThread()));
    assertTrue(
        entries.stream().anyMatch(entry -> Asker.name(entry.source().asker()).equals(us)),
        () -> us + " is among those who ask");
  }

  /** Looking for a volume that is not there yet leaves no trace in the way of the second look. */
  @ParameterizedTest
  @EachEngine
  void aStoreThatIsMadeBecauseThereIsNoneIsTraced(Engine engine) throws IOException {
    Path file = folder.resolve("trace");
    UpcallConfig config =
        UpcallConfig.DEFAULT.withEngine(engine).withTraffic(TrafficConfig.NONE.withFile(file));
    try (Upcall store = Upcall.openOrCreate(volume(), config)) {
      use(store);
    }
    assertFalse(entries(file).isEmpty());
  }

  @Test
  void aStoreKeepsNothingUnlessAsked() {
    try (Upcall store = Upcall.create(volume(), UpcallConfig.DEFAULT)) {
      assertEquals(new BlockTraffic.Counts(null, null), counts(store));
    }
  }

  @ParameterizedTest
  @EachEngine
  void aTraceInTheWayIsSaidBeforeTheVolumeIsTouched(Engine engine) throws IOException {
    Path file = Files.writeString(folder.resolve("trace"), "mine");
    UpcallConfig config = UpcallConfig.DEFAULT.withEngine(engine);
    Upcall.create(volume(), config).close();
    byte[] before = Files.readAllBytes(volume());
    UpcallConfig traced = config.withTraffic(TrafficConfig.NONE.withFile(file));
    UpcallException refused =
        assertThrows(UpcallException.class, () -> Upcall.open(volume(), traced));
    assertInstanceOf(Failure.AlreadyExists.class, refused.failure());
    assertTrue(refused.failure().message().contains(file.toString()));
    UpcallConfig nowhere =
        config.withTraffic(TrafficConfig.NONE.withFile(folder.resolve("none/trace")));
    UpcallException failed =
        assertThrows(UpcallException.class, () -> Upcall.open(volume(), nowhere));
    assertInstanceOf(Failure.Device.class, failed.failure());
    assertEquals("mine", Files.readString(file));
    assertEquals(-1, Files.mismatch(volume(), Files.write(folder.resolve("before"), before)));
    Upcall.open(volume(), config).close();
  }

  @Test
  void aTraceThatIsFullEndsAndTheStoreGoesOn() throws IOException {
    Path file = folder.resolve("trace");
    TrafficConfig small = TrafficConfig.NONE.withFile(file).withMaxBytes(TrafficConfig.MIN_BYTES);
    try (Upcall store = Upcall.create(volume(), UpcallConfig.DEFAULT.withTraffic(small))) {
      for (int i = 0; i < 400; i++) {
        store.write("/file", new byte[10]);
      }
    }
    assertTrue(Files.size(file) <= TrafficConfig.MIN_BYTES);
    assertFalse(entries(file).isEmpty());
    try (Upcall store = Upcall.open(volume(), UpcallConfig.DEFAULT)) {
      assertEquals(10, store.readAllBytes("/file").length);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "noop,depth=1",
        "deadline",
        "anticipatory,ticks=1000",
        "cfq",
        "fair,merge=64k",
        "rotating"
      })
  void aStoreWorksBehindEveryPolicy(String policy) {
    UpcallConfig config = UpcallConfig.DEFAULT.withIoPolicy(policy).withMemoryBytes(16 << 20);
    try (Upcall store = Upcall.create(volume(), config)) {
      use(store);
    }
    try (Upcall store = Upcall.open(volume(), config)) {
      for (int i = 0; i < FILES; i++) {
        assertEquals(CONTENT.length, store.readAllBytes("/file" + i).length);
      }
    }
  }

  @Test
  void policiesThatCannotBeAreRefusedWithTheReason() {
    UpcallConfig config = UpcallConfig.DEFAULT;
    refused("there is no policy 'best'", () -> config.withIoPolicy("best"));
    refused("batch is 0, must be from 1 to 65536", () -> config.withIoPolicy("deadline,batch=0"));
    refused(
        "an I/O policy needs the engine FSM",
        () -> config.withIoPolicy("noop").withEngine(Engine.THREADS));
    refused("maxBytes is 10", () -> TrafficConfig.NONE.withMaxBytes(10));
  }

  private static void refused(String message, Runnable attempt) {
    IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, attempt::run);
    assertTrue(String.valueOf(refused.getMessage()).startsWith(message), refused.getMessage());
  }
}
