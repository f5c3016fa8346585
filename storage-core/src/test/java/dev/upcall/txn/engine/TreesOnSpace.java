package dev.upcall.txn.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.space.Extent;
import dev.upcall.space.FreeMap;
import dev.upcall.space.FreeMapConfig;
import dev.upcall.space.MapImage;
import dev.upcall.space.MapImages;
import dev.upcall.space.MapLoad;
import dev.upcall.space.MapLoader;
import dev.upcall.space.Reserve;
import dev.upcall.tree.DirtyPage;
import dev.upcall.tree.Frozen;
import dev.upcall.tree.PageCache;
import dev.upcall.tree.PageLoad;
import dev.upcall.tree.PageMissing;
import dev.upcall.tree.PageRef;
import dev.upcall.tree.Tree;
import dev.upcall.tree.TreeCheck;
import dev.upcall.tree.TreeConfig;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The tree and the free-space map together under the rules of a checkpoint, without a log: a tree
 * of small files on a volume that is nearly always full. A crash leaves the state of the last
 * superblock, with any part of what was written since; nothing that it needs may have been reused,
 * no block may be lost, deletes and checkpoints always find room.
 */
final class TreesOnSpace {
  /** How the rules are kept; the canaries break one. */
  enum Rules {
    KEPT,
    REUSE_BEFORE_CHECKPOINT,
    RELEASE_AT_FREEZE
  }

  private record Superblock(PageRef root, long seq, long digest, long total) {}

  private static final int TREE = 1;
  private static final long MAP_START = 4;
  private static final long FIRST = 40;
  private static final TreeConfig TREES = TreeConfig.ofFanOut(6, 4);
  private static final FreeMapConfig SPACE = new FreeMapConfig(6, 4096, FIRST, 64, 64);

  private final Random random;
  private final Rules rules;
  private final Map<Long, byte[]> disk = new LinkedHashMap<>();
  private final Map<Long, byte[]> unsynced = new LinkedHashMap<>();
  private TreeMap<Integer, Extent> files = new TreeMap<>();
  private TreeMap<Integer, Extent> filesAtFreeze = new TreeMap<>();
  private TreeMap<Integer, Extent> durableFiles = new TreeMap<>();
  private FreeMap map = new FreeMap(SPACE, 644);
  private PageCache cache = new PageCache(60_000, this::replaced);
  private Tree tree = new Tree(TREES, TREE, null, cache);
  private Superblock superblock;
  private Frozen frozen;
  private MapImage image;
  private final Deque<Extent> placesA = new ArrayDeque<>();
  private final Deque<Extent> placesB = new ArrayDeque<>();
  private long scn;
  private long seq;
  int refusedPuts;
  int crashes;

  TreesOnSpace(long seed, Rules rules) {
    random = new Random(seed);
    this.rules = rules;
  }

  void run(int steps) {
    freeze();
    finish();
    for (int step = 0; step < steps; step++) {
      switch (random.nextInt(20)) {
        case 0 -> {
          if (frozen == null) {
            freeze();
          }
        }
        case 1, 2, 3, 4, 5 -> persistSome();
        case 6 -> cache.trim(PageCache.PAGES_PER_TRIM);
        case 7, 8, 9, 10 -> delete();
        case 11 -> {
          if (random.nextInt(25) == 0) {
            crash();
          }
        }
        default -> put();
      }
    }
    crash();
  }

  private void replaced(PageRef page) {
    Extent.each(page.blocks(), this::free);
  }

  private void free(Extent extent) {
    map.free(extent, scn);
    if (rules == Rules.REUSE_BEFORE_CHECKPOINT) {
      map.release(scn);
    }
  }

  private void put() {
    int id = random.nextInt(120);
    prepare(id);
    if (!map.reserve(2L * tree.worstCaseDirtyPages(1), Reserve.NORMAL)) {
      refusedPuts++;
      return;
    }
    List<Extent> got = map.allocatePieces(1 + random.nextInt(6), 1);
    if (got.isEmpty()) {
      refusedPuts++;
    } else {
      Extent extent = got.getFirst();
      scn++;
      map.commit(extent);
      for (long block = extent.block(); block < extent.end(); block++) {
        unsynced.put(block, content(id, extent, block));
      }
      Extent old = files.put(id, extent);
      if (old != null) {
        free(old);
      }
      tree.put(key(id), value(extent));
    }
    settle();
  }

  private void delete() {
    if (files.isEmpty()) {
      return;
    }
    Integer id = files.ceilingKey(random.nextInt(120));
    id = id == null ? files.firstKey() : id;
    prepare(id);
    if (!map.reserve(2L * tree.worstCaseDirtyPages(1), Reserve.EMERGENCY)) {
      finish();
      freeze();
      finish();
      prepare(id);
      assertTrue(
          map.reserve(2L * tree.worstCaseDirtyPages(1), Reserve.EMERGENCY),
          "no room for a delete after a checkpoint");
    }
    scn++;
    free(files.remove(id));
    assertTrue(tree.remove(key(id)));
    settle();
  }

  /** The promise becomes what the next checkpoint needs now. */
  private void settle() {
    map.unreserve(map.promisedBlocks());
    assertTrue(
        map.reserve(2L * tree.dirtyPages(), Reserve.EMERGENCY),
        "a change needs more than promised");
  }

  private void freeze() {
    int dirty = tree.dirtyPages();
    settle();
    if (dirty > 0) {
      map.unreserve(2L * dirty);
      for (Extent extent : map.allocatePieces(dirty, Integer.MAX_VALUE, Reserve.EMERGENCY)) {
        map.commit(extent);
        placesA.add(extent);
      }
      for (Extent extent :
          map.allocatePiecesFar(dirty, Integer.MAX_VALUE, Reserve.EMERGENCY, placesA.getFirst())) {
        map.commit(extent);
        placesB.add(extent);
      }
    }
    assertEquals(0, map.promisedBlocks());
    frozen = tree.freeze(scn);
    assertEquals(dirty, frozen.dirtyPages());
    image = map.image(++seq);
    filesAtFreeze = new TreeMap<>(files);
    if (rules == Rules.RELEASE_AT_FREEZE) {
      map.release(scn);
    }
  }

  private static long nextPlace(Deque<Extent> places) {
    Extent extent = places.poll();
    if (extent.blocks() > 1) {
      places.addFirst(new Extent(extent.block() + 1, extent.blocks() - 1));
    }
    return extent.block();
  }

  private void persistSome() {
    for (int n = random.nextInt(12); n > 0 && frozen != null; n--) {
      if (!persistOne()) {
        finish();
      }
    }
  }

  private boolean persistOne() {
    DirtyPage page = frozen.nextToPersist();
    if (page == null) {
      return false;
    }
    long a = nextPlace(placesA);
    long b = nextPlace(placesB);
    byte[] bytes = new byte[4096];
    page.assign(a, b, ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
    unsynced.put(a, bytes);
    unsynced.put(b, bytes);
    page.written();
    return true;
  }

  private void finish() {
    if (frozen == null) {
      return;
    }
    while (persistOne()) {}
    assertTrue(placesA.isEmpty() && placesB.isEmpty());
    MapImages.chunks(image)
        .forEach(chunk -> unsynced.put(MAP_START + chunk.homeBlock(), chunk.image()));
    if (random.nextInt(8) == 0) {
      crash();
      return;
    }
    disk.putAll(unsynced);
    unsynced.clear();
    superblock = new Superblock(frozen.root(), image.seq(), image.digest(), image.totalBlocks());
    durableFiles = filesAtFreeze;
    map.imageDurable(image.seq(), frozen.scn());
    map.release(frozen.scn());
    frozen = null;
    settle();
  }

  /** The last superblock, and any part of what was written since. */
  private void crash() {
    if (superblock == null) {
      return;
    }
    crashes++;
    unsynced.forEach(
        (block, bytes) -> {
          if (random.nextBoolean()) {
            disk.put(block, bytes);
          }
        });
    unsynced.clear();
    placesA.clear();
    placesB.clear();
    frozen = null;
    MapLoader loader = new MapLoader(SPACE, superblock.total(), superblock.seq(), 1);
    for (long home = 0; home < loader.homeBlocks(); home++) {
      loader.accept(0, home, ByteBuffer.wrap(disk.getOrDefault(MAP_START + home, new byte[4096])));
    }
    if (loader.finish(superblock.digest()) instanceof MapLoad.Loaded loaded) {
      map = loaded.map();
    } else {
      throw new AssertionError("free-space map");
    }
    seq = superblock.seq();
    PageRef root = superblock.root();
    PageRef copy =
        root == null
            ? null
            : PageRef.of(root.addressA(), root.blocks()[1], root.crc(), root.level(), root.birth());
    cache = new PageCache(60_000, this::replaced);
    tree = new Tree(TREES, TREE, copy, cache);
    files = new TreeMap<>(durableFiles);
    check(copy);
  }

  private void check(PageRef root) {
    Set<Long> claimed = new HashSet<>();
    List<Integer> ids = new ArrayList<>();
    TreeCheck check =
        new TreeCheck(
            TREES,
            TREE,
            root,
            new TreeCheck.Visitor() {
              @Override
              public boolean claim(long block) {
                return claimed.add(block) && map.isCommitted(new Extent(block, 1));
              }

              @Override
              public void entry(byte[] key, byte[] value) {
                ids.add(ByteBuffer.wrap(key).getInt());
              }
            });
    for (long block = check.nextBlock(); block != TreeCheck.END; block = check.nextBlock()) {
      check.accept(ByteBuffer.wrap(Arrays.copyOf(disk.getOrDefault(block, new byte[0]), 4096)));
    }
    assertEquals(List.of(), check.problems());
    assertEquals(List.copyOf(files.keySet()), ids);
    files.forEach(
        (id, extent) -> {
          byte[] value = reading(() -> tree.get(key(id)));
          assertArrayEquals(value(extent), value);
          for (long block = extent.block(); block < extent.end(); block++) {
            assertTrue(claimed.add(block), "block of two files");
            assertArrayEquals(content(id, extent, block), disk.get(block), "content is gone");
          }
        });
    assertEquals(claimed.size(), map.committedBlocks(), "no block is lost");
  }

  private void prepare(int id) {
    reading(
        () -> {
          tree.prepare(key(id));
          return true;
        });
  }

  private <T> T reading(Supplier<T> look) {
    while (true) {
      try {
        return look.get();
      } catch (PageMissing missing) {
        PageRef ref = missing.page();
        long second = ref.blocks()[1];
        byte[] block = unsynced.getOrDefault(second, disk.getOrDefault(second, new byte[0]));
        PageLoad load = ref.load(ByteBuffer.wrap(Arrays.copyOf(block, 4096)));
        assertTrue(load instanceof PageLoad.Attached, load.toString());
      }
    }
  }

  private static byte[] key(int id) {
    return ByteBuffer.allocate(4).putInt(id).array();
  }

  private static byte[] value(Extent extent) {
    return ByteBuffer.allocate(16).putLong(extent.block()).putLong(extent.blocks()).array();
  }

  private static byte[] content(int id, Extent extent, long block) {
    return ByteBuffer.allocate(20)
        .putInt(id)
        .putLong(extent.blocks())
        .putLong(block - extent.block())
        .array();
  }
}
