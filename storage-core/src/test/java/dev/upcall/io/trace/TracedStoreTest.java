package dev.upcall.io.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Unit;
import dev.upcall.config.TrafficConfig;
import dev.upcall.fsm.Asker;
import dev.upcall.io.Disk;
import dev.upcall.io.IoClass;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreOptions;
import dev.upcall.txn.engine.StoreAssembly;
import dev.upcall.txn.engine.Stores;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store whose requests to its device are kept. */
class TracedStoreTest {
  private static final int FILES = 40;

  @TempDir Path folder;

  /** Files are made, placed by a checkpoint, removed; what the volume is then like. */
  private static List<Object> lifetime(SimWorld world, BlockTraffic traffic) {
    StoreFixture.format(world);
    Disk disk =
        StoreAssembly.scheduled(traffic.over(world.disk(), world.dispatcher()), world.dispatcher());
    world.whenDiskCloses(survivor -> StoreFixture.recovered(survivor).end());
    StoreOptions options = StoreFixture.tinyOptions(world.seed()).withTraffic(traffic);
    StoreFixture store =
        StoreFixture.of(
            world, world.<Store>get(port -> Stores.open(world.dispatcher(), disk, options, port)));
    for (int i = 0; i < FILES; i++) {
      store.put(1000 + i, StoreFixture.bytes(i, 100 * i * i));
    }
    world.<Unit>get(store.store()::checkpoint);
    for (int i = 0; i < FILES; i += 2) {
      store.remove(1000 + i);
    }
    BlockTraffic.Counts counts = store.store().metrics().traffic();
    store.end();
    return List.of(
        world.clock().monotonicNanos(), world.disk().sizeBlocks(), counts.profile() == null);
  }

  @Test
  void nothingIsOtherwiseForBeingKept() throws IOException {
    Path file = folder.resolve("trace");
    List<Object> plain = lifetime(SimWorld.ofBlocks(3, 1 << 16), BlockTraffic.NONE);
    SimWorld world = SimWorld.ofBlocks(3, 1 << 16);
    TrafficConfig config = TrafficConfig.NONE.withFile(file).withMeasures(true);
    List<Object> traced;
    BlockProfile profile;
    try (BlockTraffic traffic = BlockTraffic.start(config, world.clock())) {
      traced = lifetime(world, traffic);
      profile = Objects.requireNonNull(traffic.counts().profile());
      assertEquals(0, Objects.requireNonNull(traffic.counts().trace()).lost());
    }
    assertEquals(plain.subList(0, 2), traced.subList(0, 2));
    assertEquals(List.of(true, false), List.of(plain.get(2), traced.get(2)));
    List<TraceEntry> entries = entries(file);
    long moved =
        entries.stream()
            .filter(
                entry ->
                    switch (entry.operation()) {
                      case READ, WRITE, DURABLE_WRITE -> true;
                      default -> false;
                    })
            .count();
    assertEquals(profile.reads().requests() + profile.writes().requests(), moved);
    assertTrue(profile.writes().requests() > FILES, "each file is acknowledged");
    assertTrue(entries.stream().anyMatch(entry -> isOf(entry, "checkpoint")), "by its name");
    assertTrue(entries.stream().anyMatch(entry -> entry.ioClass() == IoClass.LOG));
  }

  @Test
  void aTraceThatCannotBeWrittenLeavesTheStoreAlone() {
    List<Object> plain = lifetime(SimWorld.ofBlocks(5, 1 << 16), BlockTraffic.NONE);
    SimWorld world = SimWorld.ofBlocks(5, 1 << 16);
    List<String> reasons = new CopyOnWriteArrayList<>();
    TraceWriter writer =
        new TraceWriter(new Full(), new TraceHeader(0, 0, 0), 1 << 30, reasons::add);
    writer.begin();
    BlockTraffic traffic = new BlockTraffic(writer, /* hasMeasures= */ false);
    List<Object> traced = lifetime(world, traffic);
    traffic.close();
    assertEquals(plain, traced);
    assertTrue(Objects.requireNonNull(traffic.counts().trace()).isOver());
    assertEquals(List.of("No space left on device"), reasons);
  }

  /** A file on a full disk. */
  private static final class Full implements TraceWriter.Target {
    @Override
    public void write(ByteBuffer bytes) throws IOException {
      throw new IOException("No space left on device");
    }

    @Override
    public void close() {}
  }

  private static boolean isOf(TraceEntry entry, String asker) {
    return Asker.name(entry.source().asker()).equals(asker);
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
}
