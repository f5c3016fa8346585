package dev.upcall.space;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Invariants;
import dev.upcall.house.Golden;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The image of the free-space map: its form, its two homes, and what is taken for damage. */
class MapFormatTest {
  private final FreeMapConfig config = new FreeMapConfig(0x1122334455667788L, 4096, 10, 64, 0);
  private final Map<Long, byte[]> homes = new TreeMap<>();
  private final FreeMap map = new FreeMap(config, 200);

  /** Of the last image. */
  private int lastChunks;

  private MapImage image(long seq) {
    MapImage image = map.image(seq);
    List<MapChunk> chunks = MapImages.chunks(image);
    chunks.forEach(chunk -> homes.put(chunk.homeBlock(), chunk.image()));
    lastChunks = chunks.size();
    return image;
  }

  private MapLoad load(MapImage image) {
    return load(image, List.of(homes));
  }

  private MapLoad load(MapImage image, List<Map<Long, byte[]>> copies) {
    MapLoader loader = new MapLoader(config, image.totalBlocks(), image.seq(), copies.size());
    for (int i = 0; i < copies.size(); i++) {
      int copy = i;
      copies
          .get(copy)
          .forEach(
              (home, block) -> {
                if (home < loader.homeBlocks()) {
                  loader.accept(copy, home, ByteBuffer.wrap(block));
                }
              });
    }
    return loader.finish(image.digest());
  }

  @Test
  void formIsFixed() {
    map.markCommitted(new Extent(10, 3));
    map.markCommitted(new Extent(70, 60));
    MapImage image = map.image(42);
    List<MapChunk> chunks = MapImages.chunks(image);
    assertEquals(List.of(0L, 2L, 4L, 6L), chunks.stream().map(MapChunk::homeBlock).toList());
    Golden.check("map-chunk", chunks.get(1).image());
    assertEquals(-5934406567599574309L, image.digest());
  }

  @Test
  void onlyCommittedBlocksAreInTheImage() {
    Extent reserved = map.allocatePieces(5, 1).getFirst();
    Extent freed = map.allocatePieces(7, 1).getFirst();
    Extent kept = map.allocatePieces(9, 1).getFirst();
    map.commit(freed);
    map.commit(kept);
    map.free(freed, 3);
    FreeMap loaded = assertInstanceOf(MapLoad.Loaded.class, load(image(1))).map();
    assertEquals(190 - 9, loaded.freeBlocks());
    assertEquals(9, loaded.committedBlocks());
    assertTrue(loaded.isCommitted(kept));
    assertTrue(!loaded.isCommitted(reserved));
    assertEquals(0, loaded.pendingBlocks() + loaded.reservedBlocks());
  }

  /** Else the upcall in which an image begins would be as long as many chunks have changed. */
  @Test
  void whatChangesBeforeItIsTakenIsTakenFirstAsItWas() {
    map.markCommitted(new Extent(140, 1));
    MapImage image = map.image(1);
    map.markCommitted(new Extent(150, 30));
    map.free(new Extent(140, 1), 1);
    List<MapChunk> chunks = MapImages.chunks(image);
    assertEquals(List.of(2, 0, 1, 3), chunks.stream().map(MapChunk::chunk).toList());
    chunks.forEach(chunk -> homes.put(chunk.homeBlock(), chunk.image()));
    FreeMap loaded = assertInstanceOf(MapLoad.Loaded.class, load(image)).map();
    assertEquals(1, loaded.committedBlocks());
    assertTrue(loaded.isCommitted(new Extent(140, 1)));
  }

  @Test
  void anImageIsDurableOnlyWhenItWasTaken() {
    MapImage image = map.image(1);
    assertThrows(Invariants.Violation.class, image::digest);
    assertThrows(Invariants.Violation.class, () -> map.imageDurable(1, 1));
  }

  @Test
  void theOldImageIsWholeUntilTheNewOneIsDurable() {
    MapImage first = image(1);
    map.imageDurable(1, 1);
    map.markCommitted(new Extent(20, 100));
    MapImage second = image(2);
    assertEquals(2, lastChunks);
    assertEquals(190, assertInstanceOf(MapLoad.Loaded.class, load(first)).map().freeBlocks());
    assertEquals(90, assertInstanceOf(MapLoad.Loaded.class, load(second)).map().freeBlocks());
    assertThrows(Invariants.Violation.class, () -> map.image(3));
  }

  @Test
  void theOldImageSurvivesAShrinkAndAGrow() {
    MapImage first = image(1);
    map.imageDurable(1, 1);
    map.shrink(70);
    map.grow(200);
    MapImage second = image(2);
    assertEquals(190, assertInstanceOf(MapLoad.Loaded.class, load(first)).map().freeBlocks());
    assertEquals(190, assertInstanceOf(MapLoad.Loaded.class, load(second)).map().freeBlocks());
  }

  @Test
  void aLoadedMapGoesOnInTheOtherHome() {
    MapImage first = image(1);
    FreeMap loaded = assertInstanceOf(MapLoad.Loaded.class, load(first)).map();
    loaded.markCommitted(new Extent(10, 1));
    MapImage next = loaded.image(2);
    assertEquals(List.of(1L), MapImages.chunks(next).stream().map(MapChunk::homeBlock).toList());
  }

  /** A crash between the writes of an image and its superblock; then the sequence comes again. */
  @Test
  void anImageThatNeverWasDoesNotMixIntoTheNext() {
    MapImage first = image(1);
    map.imageDurable(1, 1);
    map.markCommitted(new Extent(20, 100));
    image(2);
    FreeMap loaded = assertInstanceOf(MapLoad.Loaded.class, load(first)).map();
    loaded.markCommitted(new Extent(140, 1));
    MapImage again = loaded.image(2);
    MapImages.chunks(again).forEach(chunk -> homes.put(chunk.homeBlock(), chunk.image()));
    FreeMap reloaded = assertInstanceOf(MapLoad.Loaded.class, load(again)).map();
    assertEquals(1, reloaded.committedBlocks());
  }

  @Test
  void whatOneCopyLacksIsInTheOtherAndIsWrittenAgain() {
    map.markCommitted(new Extent(140, 1));
    MapImage first = image(1);
    map.imageDurable(1, 1);
    map.markCommitted(new Extent(70, 2));
    MapImage second = image(2);
    Map<Long, byte[]> damaged = new TreeMap<>(homes);
    damaged.put(3L, new byte[4096]); // of chunk 1, its newest
    damaged.put(5L, homes.get(3L)); // of chunk 2, the home where its next one goes
    damaged.remove(6L);
    for (List<Map<Long, byte[]>> copies :
        List.of(List.of(homes, damaged), List.of(damaged, homes))) {
      FreeMap loaded = assertInstanceOf(MapLoad.Loaded.class, load(second, copies)).map();
      assertEquals(3, loaded.committedBlocks());
      assertTrue(loaded.isCommitted(new Extent(70, 2)));
      MapImage next = loaded.image(3);
      assertEquals(
          List.of(2L, 7L), MapImages.chunks(next).stream().map(MapChunk::homeBlock).toList());
      assertInstanceOf(MapLoad.Loaded.class, load(first, copies));
    }
    damaged.putAll(homes);
    FreeMap whole =
        assertInstanceOf(MapLoad.Loaded.class, load(second, List.of(homes, damaged))).map();
    assertEquals(List.of(), MapImages.chunks(whole.image(3)));
    homes.remove(3L);
    damaged.remove(3L);
    assertInstanceOf(MapLoad.Corrupt.class, load(second, List.of(homes, damaged)));
  }

  /** What was left in only one copy by a checkpoint that never was must go from there, too. */
  @Test
  void anImageThatNeverWasIsSeenInEitherCopy() {
    MapImage first = image(1);
    Map<Long, byte[]> before = new TreeMap<>(homes);
    map.imageDurable(1, 1);
    map.markCommitted(new Extent(20, 1));
    image(2);
    for (List<Map<Long, byte[]>> copies : List.of(List.of(homes, before), List.of(before, homes))) {
      FreeMap loaded = assertInstanceOf(MapLoad.Loaded.class, load(first, copies)).map();
      MapImage again = loaded.image(2);
      assertEquals(List.of(1L), MapImages.chunks(again).stream().map(MapChunk::homeBlock).toList());
    }
  }

  /** It may be such an image, and readable again when its sequence has come once more. */
  @Test
  void whatCannotBeReadIsOverwritten() {
    MapImage first = image(1);
    MapLoader loader = new MapLoader(config, first.totalBlocks(), first.seq(), 1);
    homes.forEach((home, block) -> loader.accept(0, home, ByteBuffer.wrap(block)));
    loader.unreadable(5);
    FreeMap loaded = assertInstanceOf(MapLoad.Loaded.class, loader.finish(first.digest())).map();
    MapImage next = loaded.image(2);
    assertEquals(List.of(5L), MapImages.chunks(next).stream().map(MapChunk::homeBlock).toList());
  }

  @Test
  void damageIsNamed() {
    MapImage image = image(1);
    byte[] block = homes.get(2L);
    for (int bit = 0; bit < block.length * 8; bit += 5) {
      block[bit / 8] ^= (byte) (1 << bit % 8);
      MapLoad.Corrupt corrupt = assertInstanceOf(MapLoad.Corrupt.class, load(image));
      assertEquals(1, corrupt.chunk());
      block[bit / 8] ^= (byte) (1 << bit % 8);
    }
    homes.put(4L, homes.get(2L));
    assertEquals(2, assertInstanceOf(MapLoad.Corrupt.class, load(image)).chunk());
  }

  @Test
  void aChunkThatWentMissingBehindAnOlderOneShowsInTheDigest() {
    image(1);
    map.imageDurable(1, 1);
    map.markCommitted(new Extent(20, 1));
    MapImage second = image(2);
    homes.remove(1L);
    assertEquals(-1, assertInstanceOf(MapLoad.Corrupt.class, load(second)).chunk());
  }
}
