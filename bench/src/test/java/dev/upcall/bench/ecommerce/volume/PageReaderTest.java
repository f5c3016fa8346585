package dev.upcall.bench.ecommerce.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileManager;
import dev.upcall.FileManagerConfig;
import dev.upcall.bench.ecommerce.Workload;
import dev.upcall.completion.Unit;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreConfig;
import dev.upcall.txn.StoreOptions;
import dev.upcall.txn.engine.Stores;
import dev.upcall.txn.volume.VolumeLayout;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tables in files of a real store that hold what they should, and that do not. */
class PageReaderTest {
  private static final long BLOCKS = 16_384;

  private final SimWorld world =
      new SimWorld(1, SimDiskConfig.ofBlocks(0).withCapacity(BLOCKS))
          .closesUnchecked("what pages hold is looked at before");
  private final Workload workload =
      Workload.Kind.RUBIS.load(Workload.Kind.RUBIS.mixes().getLast(), 1.0 / 512);
  private final Trouble trouble = new Trouble(what -> {});
  private Store store;
  private FileManager manager;
  private TableFiles files;
  private Versions versions;

  @BeforeEach
  void load() {
    Stores.Format format =
        new Stores.Format(1, new VolumeLayout(1024, 4096, BLOCKS), BLOCKS, BLOCKS);
    world.<Unit>get(port -> Stores.format(world.dispatcher(), world.disk(), format, port));
    StoreOptions options =
        new StoreOptions(StoreConfig.ofMemory(8 << 20), 0, 0, new SplittableRandom(1));
    store = world.get(port -> Stores.open(world.dispatcher(), world.disk(), options, port));
    manager = world.get(port -> FileManager.open(store, FileManagerConfig.DEFAULT, port));
    files = world.get(port -> TableFiles.load(manager, workload, 64, port));
    versions = new Versions(files.endPage());
  }

  @AfterEach
  void close() {
    world.<Unit>get(files::close);
    world.<Unit>get(manager::close);
    world.<Unit>get(store::close);
  }

  private boolean allAreRight() {
    boolean[] isRight = {false};
    new PageReader(files, versions, trouble).readAll(() -> isRight[0] = true);
    world.runUntil(() -> isRight[0] || trouble.first() != null);
    return isRight[0];
  }

  private void write(long page, ByteBuffer bytes) {
    PageFile file = files.of(page);
    world.<Unit>get(port -> file.write(page, bytes, port));
    world.<Unit>get(file::flush);
  }

  @Test
  void whatWasLoadedIsRight() {
    assertEquals(workload.tables().size() + 1, files.all().size());
    assertTrue(allAreRight(), trouble::first);
    trouble.check();
  }

  @Test
  void oneWrongBitIsFound() {
    long page = workload.tables().get(1).firstPage() + 3;
    ByteBuffer bytes = ByteBuffer.allocate(PageContent.BYTES);
    new PageContent().put(page, 0, bytes);
    bytes.flip().put(2000, (byte) (bytes.get(2000) ^ 4));
    write(page, bytes);
    assertEquals(false, allAreRight());
    String found = assertNotNullText(trouble.first());
    assertTrue(found.startsWith("/items: page " + page + " has other bytes"), found);
  }

  @Test
  void aWriteThatWasLostIsFound() {
    long page = workload.tables().getFirst().firstPage();
    versions.change(page);
    versions.give(page);
    assertTrue(allAreRight(), "it was not said to be written");
    versions.isWritten(page);
    assertEquals(false, allAreRight());
    String found = assertNotNullText(trouble.first());
    assertTrue(found.contains("page 0 was read as change 0 left it, not as one from 1"), found);
  }

  @Test
  void whatIsWrittenBackIsRight() {
    FileWriter writer = new FileWriter(files.all().getFirst(), versions, trouble);
    WriteBack writeBack =
        new WriteBack(
            world.dispatcher(),
            versions,
            List.of(writer),
            new WriteBack.Habits(1_000_000_000, 500_000_000, 4));
    boolean[] isDone = {false, false};
    for (long page = 0; page < 6; page += 2) {
      writeBack.change(page);
    }
    writeBack.whenRoom(() -> isDone[0] = true);
    assertTrue(isDone[0], "three of four");
    writeBack.change(1);
    writeBack.change(3);
    writeBack.whenRoom(() -> isDone[1] = true);
    assertEquals(false, isDone[1], "five of four");
    assertTrue(writeBack.holds(2));
    world.runUntil(() -> isDone[1]);
    boolean[] isDrained = {false};
    writeBack.change(2);
    writeBack.drain(() -> isDrained[0] = true);
    world.runUntil(() -> isDrained[0]);
    assertEquals(6, writeBack.writtenPages());
    assertEquals(false, writeBack.holds(2));
    assertEquals(2, versions.written(2));
    assertTrue(allAreRight(), trouble::first);
    assertNull(trouble.first());
  }

  private static String assertNotNullText(String text) {
    assertNotNull(text);
    return text;
  }
}
