package dev.upcall.codec.zstd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Existence;
import dev.upcall.OpenMode;
import dev.upcall.PutOptions;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.config.Compression;
import dev.upcall.config.Dedup;
import dev.upcall.config.KeySource;
import dev.upcall.store.SpaceUse;
import dev.upcall.trees.TreeEntry;
import dev.upcall.trees.Trees;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the space of a volume is: sums that are exact, whatever its files have been through. */
class SpaceUseTest {
  private static final int MIB = 1 << 20;
  private static final int BLOCK = 4096;
  private static final UpcallConfig CONFIG =
      UpcallConfig.DEFAULT
          .withMemoryBytes(32 << 20)
          .withCapBytes(256L << 20)
          .withKey(KeySource.ofBytes(new byte[32]));
  private static final PutOptions BALANCED =
      PutOptions.DEFAULT.withCompression(Compression.BALANCED);
  private static final PutOptions BOTH = BALANCED.withDedup(Dedup.FILE);

  @TempDir Path folder;

  private static byte[] random(long seed, int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  private static SpaceUse grown(SpaceUse before, SpaceUse after) {
    return new SpaceUse(
        after.logicalBytes() - before.logicalBytes(),
        after.storedBytes() - before.storedBytes(),
        after.savedByCompressionBytes() - before.savedByCompressionBytes(),
        after.savedBySharingBytes() - before.savedBySharingBytes(),
        after.holeBytes() - before.holeBytes(),
        after.inlineBytes() - before.inlineBytes(),
        after.unusedBytes() - before.unusedBytes(),
        0,
        0,
        0,
        after.snapshotBytes() - before.snapshotBytes(),
        0);
  }

  private static SpaceUse content(long logical, long stored, long coded, long shared) {
    return new SpaceUse(logical, stored, coded, shared, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  @Test
  void eachKindOfSavingIsCountedWhereItIs() {
    try (Upcall store = Upcall.create(folder.resolve("v"), CONFIG)) {
      SpaceUse before = CountedSpace.of(store);
      assertEquals(0, before.logicalBytes());
      store.write("/coded", SampleText.bytes(1, MIB), BOTH);
      long stored = store.stat("/coded").stored().bytes();
      SpaceUse one = CountedSpace.of(store);
      assertEquals(content(MIB, stored, MIB - stored, 0), grown(before, one));
      store.cloneFile("/coded", "/clone");
      store.write("/found", SampleText.bytes(1, MIB), BOTH);
      SpaceUse three = CountedSpace.of(store);
      assertEquals(content(2 * MIB, 0, 0, 2 * MIB), grown(one, three));

      store.write("/plain", random(1, MIB + 100));
      SpaceUse plain = CountedSpace.of(store);
      assertEquals(
          new SpaceUse(MIB + 100, MIB + BLOCK, 0, 0, 0, 0, BLOCK - 100, 0, 0, 0, 0, 0),
          grown(three, plain));
      store.truncate("/plain", 3 * MIB);
      SpaceUse hole = CountedSpace.of(store);
      assertEquals(2 * MIB - 100, hole.logicalBytes() - plain.logicalBytes());
      assertEquals(0, hole.storedBytes() - plain.storedBytes());
      assertEquals(2 * MIB - BLOCK, hole.holeBytes());
      assertEquals(0, hole.unusedBytes());
      store.writeString("/little", "0123456789");
      assertEquals(10, CountedSpace.of(store).inlineBytes());

      store.fsm().createSnapshot("kept");
      store.delete("/plain");
      SpaceUse kept = CountedSpace.of(store);
      assertEquals(MIB + BLOCK, hole.storedBytes() - kept.storedBytes());
      assertTrue(kept.snapshotBytes() >= MIB + BLOCK, kept::toString);
    }
  }

  /** Both have the same pages of extents, which are walked once. */
  @Test
  void aCloneOfALargeFileIsSharedAsAWhole() {
    int size = 24 * MIB;
    try (Upcall store = Upcall.create(folder.resolve("v"), CONFIG)) {
      store.write("/large", SampleText.bytes(1, size), BALANCED);
      SpaceUse one = CountedSpace.of(store);
      store.cloneFile("/large", "/clone");
      store.cloneFile("/large", "/third");
      SpaceUse three = CountedSpace.of(store);
      assertEquals(content(2L * size, 0, 0, 2L * size), grown(one, three));
      store.write("/third", random(2, 0));
      store.truncate("/clone", 8 * MIB);
      SpaceUse less = CountedSpace.of(store);
      assertEquals(8 * MIB, less.savedBySharingBytes());
      assertEquals(one.savedByCompressionBytes(), less.savedByCompressionBytes());
    }
  }

  /** A block in the middle of a unit is written anew: the old one is of no use there. */
  @Test
  void whatAUnitHasInVainIsUnused() {
    try (Upcall store = Upcall.create(folder.resolve("v"), CONFIG)) {
      store.write("/coded", SampleText.bytes(1, MIB), BALANCED);
      store.cloneFile("/coded", "/clone");
      SpaceUse before = CountedSpace.of(store);
      store.delete("/clone");
      try (Upcall.RandomAccess file = store.open("/coded", OpenMode.EXISTING)) {
        file.write(5 * BLOCK, ByteBuffer.wrap(random(1, BLOCK)));
      }
      SpaceUse patched = CountedSpace.of(store);
      assertEquals(0, patched.savedBySharingBytes());
      assertEquals(BLOCK, patched.unusedBytes());
      assertEquals(BLOCK, patched.storedBytes() - before.storedBytes());
      assertEquals(before.savedByCompressionBytes(), patched.savedByCompressionBytes());
    }
  }

  @Test
  void theSumsAreExactAfterRandomOperations() {
    for (int seed = 1; seed <= 4; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Path volume = folder.resolve("v" + seed);
      Upcall store = Upcall.create(volume, CONFIG);
      try {
        for (int turn = 0; turn < 6; turn++) {
          for (int i = 0; i < 15; i++) {
            step(store, random);
          }
          check(store);
        }
        store.close();
        store = Upcall.open(volume, CONFIG);
        check(store);
      } finally {
        store.close();
      }
    }
  }

  private static void check(Upcall store) {
    SpaceUse use = CountedSpace.of(store);
    // Deleted content goes bit by bit.
    for (int i = 0; i < 20 && use.freeBytes() != store.info().freeBytes(); i++) {
      use = CountedSpace.of(store);
    }
    long sizes = 0;
    List<String> files = new ArrayList<>();
    try (Stream<TreeEntry> all = Trees.walk(store, "/")) {
      for (TreeEntry entry : all.toList()) {
        sizes += entry.info().isFile() ? entry.info().sizeBytes() : 0;
        files.add(entry.path() + " " + entry.info().stored());
      }
    }
    assertEquals(sizes, use.logicalBytes(), files::toString);
    assertEquals(store.info().sizeBytes(), use.volumeBytes(), use.toString());
    assertEquals(store.info().freeBytes(), use.freeBytes(), use + " of " + store.info());
  }

  private static void step(Upcall store, SplittableRandom random) {
    String path = "/" + random.nextInt(12);
    String other = "/" + random.nextInt(12);
    int size = random.nextInt(3) == 0 ? random.nextInt(200_000) : random.nextInt(2 * MIB);
    boolean isThere = store.exists(path);
    switch (random.nextInt(9)) {
      case 0, 1 -> store.write(path, SampleText.bytes(random.nextInt(3), size), BOTH);
      case 2 -> store.write(path, random(random.nextInt(3), size));
      case 3 -> {
        if (isThere && !path.equals(other)) {
          store.cloneFile(path, other, Existence.ANY);
        }
      }
      case 4 -> {
        if (isThere) {
          store.delete(path);
        }
      }
      case 5 -> {
        if (isThere) {
          long at = random.nextLong(store.stat(path).sizeBytes() + 1);
          store.insert(path, at, random(7, random.nextInt(30_000)));
        }
      }
      case 6 -> {
        if (isThere) {
          store.truncate(path, random.nextInt(4 * MIB));
        }
      }
      case 7 -> {
        try (Upcall.RandomAccess file = store.open(path, OpenMode.CREATE)) {
          file.write(random.nextInt(3 * MIB), ByteBuffer.wrap(random(8, size / 4)));
          file.flush();
        }
      }
      default -> {
        String name = "s" + random.nextInt(2);
        if (store.fsm().snapshots().snapshots().stream().anyMatch(s -> s.name().equals(name))) {
          store.fsm().dropSnapshot(name);
        } else {
          store.fsm().createSnapshot(name);
        }
      }
    }
  }
}
