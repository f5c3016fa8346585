package dev.upcall.txn.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.NamedSnapshot;
import dev.upcall.store.NamedSnapshotTest;
import dev.upcall.store.StoreFixture;
import dev.upcall.store.StoreTest;
import dev.upcall.txn.NamedSnapshots;
import dev.upcall.txn.Snapshot;
import dev.upcall.txn.volume.Superblock;
import dev.upcall.txn.volume.VolumeLayout;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/**
 * A volume that a program of format version 1 has left, cut off in the middle of its life: twenty
 * files and a large one, a checkpoint, then five of them replaced and one removed.
 */
public class OldVolumeTest {
  /** A volume that is kept among the golden files. */
  public static DiskImage image(String name) throws IOException {
    try (InputStream packed = OldVolumeTest.class.getResourceAsStream("/golden/" + name + ".gz")) {
      byte[] bytes = new GZIPInputStream(assertNotNull2(packed)).readAllBytes();
      DiskImage image = new DiskImage(bytes.length / Disk.BLOCK_BYTES);
      for (int at = 0; at < bytes.length; at += Disk.BLOCK_BYTES) {
        image.put(at / Disk.BLOCK_BYTES, Arrays.copyOfRange(bytes, at, at + Disk.BLOCK_BYTES));
      }
      return image;
    }
  }

  private static InputStream assertNotNull2(InputStream packed) {
    assertNotNull(packed, "the packed volume");
    return packed;
  }

  private static byte[] filled(int size, int value) {
    byte[] bytes = new byte[size];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  private static void assertHolds(StoreFixture store) {
    for (int id = 100; id < 119; id++) {
      byte[] expected =
          id >= 110 && id < 115 ? filled(5000, id + 100) : filled((id - 100) * 1500, id);
      assertArrayEquals(expected, store.read(id), "file " + id);
    }
    assertNull(store.read(119));
    assertArrayEquals(filled(900_000, 7), store.read(300));
  }

  private static int version(SimWorld world, int copy) {
    VolumeLayout layout = StoreFixture.tinyLayout();
    byte[] block = world.disk().contents().read(layout.superblock(copy));
    return ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN).getInt(16);
  }

  @Test
  void isReadAndBecomesOneOfThisVersion() throws IOException {
    SimWorld world =
        new SimWorld(7, SimDiskConfig.ofBlocks(0).withCapacity(4096))
            .reopen(image("volume-version-1"));
    for (int copy = 0; copy < VolumeLayout.SUPERBLOCK_COPIES; copy++) {
      assertEquals(1, version(world, copy), "the packed volume");
    }
    StoreFixture store = StoreFixture.open(world);
    for (int copy = 0; copy < VolumeLayout.SUPERBLOCK_COPIES; copy++) {
      assertEquals(Superblock.PLAIN_FORMAT_VERSION, version(world, copy));
    }
    assertHolds(store);
    store.verify();
    NamedSnapshots named = store.store().namedSnapshots();
    world.<NamedSnapshot>get(port -> named.create("as it came", port));
    StoreTest.done(store.remove(300));
    world.<Unit>get(store.store()::close);
    SimWorld later = world.reopen(world.disk().contents().fork());
    StoreFixture again = StoreFixture.open(later);
    assertNull(again.read(300));
    try (Snapshot then =
        later.get(port -> again.store().namedSnapshots().open("as it came", port))) {
      assertEquals(20, (long) later.<Long>get(port -> then.query(NamedSnapshotTest.COUNT, port)));
    }
    again.end();
  }
}
