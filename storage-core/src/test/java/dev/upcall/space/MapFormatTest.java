package dev.upcall.space;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.fsm.Invariants;
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

  private MapImage image(long seq) {
    MapImage image = map.image(seq);
    image.chunks().forEach(chunk -> homes.put(chunk.homeBlock(), chunk.image()));
    return image;
  }

  private MapLoad load(MapImage image) {
    MapLoader loader = new MapLoader(config, image.totalBlocks(), image.seq());
    homes.forEach(
        (home, block) -> {
          if (home < loader.homeBlocks()) {
            loader.accept(home, ByteBuffer.wrap(block));
          }
        });
    return loader.finish(image.digest());
  }

  @Test
  void formIsFixed() {
    map.markCommitted(new Extent(10, 3));
    map.markCommitted(new Extent(70, 60));
    MapImage image = map.image(42);
    assertEquals(
        List.of(0L, 2L, 4L, 6L), image.chunks().stream().map(MapChunk::homeBlock).toList());
    Golden.check("map-chunk", image.chunks().get(1).image());
    assertEquals(-5934406567599574309L, image.digest());
  }

  @Test
  void onlyCommittedBlocksAreInTheImage() {
    Extent reserved = map.allocate(5);
    Extent freed = map.allocate(7);
    Extent kept = map.allocate(9);
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

  @Test
  void theOldImageIsWholeUntilTheNewOneIsDurable() {
    MapImage first = image(1);
    map.imageDurable(1);
    map.markCommitted(new Extent(20, 100));
    MapImage second = image(2);
    assertEquals(2, second.chunks().size());
    assertEquals(190, assertInstanceOf(MapLoad.Loaded.class, load(first)).map().freeBlocks());
    assertEquals(90, assertInstanceOf(MapLoad.Loaded.class, load(second)).map().freeBlocks());
    assertThrows(Invariants.Violation.class, () -> map.image(3));
  }

  @Test
  void theOldImageSurvivesAShrinkAndAGrow() {
    MapImage first = image(1);
    map.imageDurable(1);
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
    assertEquals(List.of(1L), next.chunks().stream().map(MapChunk::homeBlock).toList());
  }

  /** A crash between the writes of an image and its superblock; then the sequence comes again. */
  @Test
  void anImageThatNeverWasDoesNotMixIntoTheNext() {
    MapImage first = image(1);
    map.imageDurable(1);
    map.markCommitted(new Extent(20, 100));
    image(2);
    FreeMap loaded = assertInstanceOf(MapLoad.Loaded.class, load(first)).map();
    loaded.markCommitted(new Extent(140, 1));
    MapImage again = loaded.image(2);
    again.chunks().forEach(chunk -> homes.put(chunk.homeBlock(), chunk.image()));
    FreeMap reloaded = assertInstanceOf(MapLoad.Loaded.class, load(again)).map();
    assertEquals(1, reloaded.committedBlocks());
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
    map.imageDurable(1);
    map.markCommitted(new Extent(20, 1));
    MapImage second = image(2);
    homes.remove(1L);
    assertEquals(-1, assertInstanceOf(MapLoad.Corrupt.class, load(second)).chunk());
  }
}
