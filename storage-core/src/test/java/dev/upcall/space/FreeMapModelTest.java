package dev.upcall.space;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A million random operations on a free-space map against one byte for each block; images are
 * loaded again and compared, with a crash before and after the superblock.
 */
class FreeMapModelTest {
  private static final byte FREE = 0;
  private static final byte RESERVED = 1;
  private static final byte COMMITTED = 2;
  private static final byte PENDING = 3;

  /** Free and not backed: a hole, or doubtful. */
  private static final byte UNBACKED = 4;

  private record Freed(Extent extent, long scn) {}

  private FreeMapConfig config;
  private FreeMap map;
  private byte[] model;
  private long promised;
  private long freshBlocks;
  private final List<Extent> reserved = new ArrayList<>();
  private final List<Extent> committed = new ArrayList<>();
  private final List<Freed> pending = new ArrayList<>();
  private final List<Extent> retired = new ArrayList<>();
  private final Map<Long, byte[]> homes = new LinkedHashMap<>();
  private long scn = 1;

  @ParameterizedTest
  @CsvSource({
    "1, 5000, 64, 8, 0, 250000",
    "2, 500, 64, 4, 40, 250000",
    "3, 12000, 2048, 60, 500, 250000",
    "4, 5000, 32256, 3, 100, 250000"
  })
  void agreesWithOneByteForEachBlock(
      long seed, int blocks, int chunkBlocks, int maxExtent, long emergency, int operations) {
    Random random = new Random(seed);
    long first = 17;
    config = new FreeMapConfig(5, 4096, first, chunkBlocks, emergency);
    map = new FreeMap(config, blocks);
    model = new byte[blocks];
    MapImage durable = null;
    byte[] modelAtImage = model;
    MapImage open = null;
    byte[] modelAtOpen = model;
    long freshAtOpen = 0;
    for (int i = 0; i < operations; i++) {
      int wanted = 1 + random.nextInt(maxExtent);
      Reserve kind = random.nextInt(10) == 0 ? Reserve.EMERGENCY : Reserve.NORMAL;
      long may = mayTake(kind);
      switch (random.nextInt(18)) {
        case 0, 1, 2 -> {
          Extent got = only(map.allocatePieces(wanted, 1, kind));
          Extent expected = may < wanted ? null : bestFit(wanted, i);
          if (may < wanted) {
            assertNull(got);
          } else if (expected != null) {
            assertEquals(expected, got);
          }
          hand(got, wanted);
        }
        case 3, 4 -> {
          Extent from = new Extent(first + random.nextInt(model.length - (int) first), 1);
          long middle = first + (model.length - first) / 2;
          Extent got = only(map.allocatePiecesFar(wanted, 1, kind, from));
          assertFalse(got != null && may < wanted);
          if (got != null
              && i % 8 == 0
              && takenIn(
                      from.block() < middle ? first : middle,
                      from.block() < middle ? middle : model.length)
                  == 0) {
            assertTrue(from.block() < middle == got.block() >= middle, "other half");
          }
          hand(got, wanted);
        }
        case 5 -> {
          int many = wanted * 4;
          int pieces = 1 + random.nextInt(8);
          List<Extent> got =
              random.nextInt(3) == 0
                  ? map.allocatePiecesFar(many, pieces, kind, new Extent(first, 1))
                  : map.allocatePieces(many, pieces, kind);
          assertTrue(got.size() <= pieces);
          if (may < many) {
            assertTrue(got.isEmpty());
          }
          if (!got.isEmpty()) {
            assertEquals(many, got.stream().mapToLong(Extent::blocks).sum());
          }
          got.forEach(extent -> hand(extent, extent.blocks()));
        }
        case 6 -> {
          long blocksPromised = random.nextInt(maxExtent * 2);
          boolean ok = map.reserve(blocksPromised, kind);
          assertEquals(blocksPromised <= mayPromise(kind), ok);
          promised += ok ? blocksPromised : 0;
        }
        case 7 -> {
          long most = Math.min(promised, map.backedBlocks());
          long take = most == 0 ? 0 : random.nextInt((int) most) + 1;
          map.unreserve(take);
          promised -= take;
          if (take > 0 && random.nextInt(3) > 0) {
            long expected = take <= mayTake(Reserve.EMERGENCY) ? take : 0;
            List<Extent> got =
                random.nextBoolean()
                    ? map.allocatePieces(take, Integer.MAX_VALUE, Reserve.EMERGENCY)
                    : map.allocatePiecesFar(
                        take, Integer.MAX_VALUE, Reserve.EMERGENCY, new Extent(first, 1));
            got.forEach(extent -> hand(extent, extent.blocks()));
            assertEquals(expected, got.stream().mapToLong(Extent::blocks).sum());
          }
        }
        case 8, 9 -> {
          Extent extent = take(reserved, random);
          if (extent != null) {
            map.commit(extent);
            mark(extent, RESERVED, COMMITTED);
            committed.add(extent);
          }
        }
        case 10 -> {
          Extent extent = take(reserved, random);
          if (extent != null) {
            map.giveBack(extent);
            mark(extent, RESERVED, FREE);
          }
        }
        case 11, 12 -> {
          Extent extent = take(committed, random);
          if (extent != null) {
            scn += random.nextInt(3);
            long at = scn - random.nextInt(2);
            if (open == null && random.nextInt(4) == 0) {
              map.retire(extent);
              retired.add(extent);
            } else {
              map.free(extent, at);
              pending.add(new Freed(extent, at));
            }
            mark(extent, COMMITTED, PENDING);
            freshBlocks += extent.blocks();
          }
        }
        case 13 -> {
          if (random.nextInt(20) == 0) {
            release(scn - random.nextInt(5), random);
          }
        }
        case 14 -> {
          if (random.nextInt(50) == 0) {
            resize(random, blocks);
          }
        }
        case 15 -> punch(1 + random.nextInt(maxExtent * 4), random);
        case 16 -> back(wanted, random);
        default -> {
          if (random.nextInt(200) == 0) {
            assertEquals(freshBlocks, map.freshBlocks());
            if (open == null) {
              open = map.image(i + 1);
              modelAtOpen = model.clone();
              freshAtOpen = freshBlocks;
            } else {
              MapImages.chunks(open).forEach(this::home);
              if (durable != null) {
                assertLoads(durable, modelAtImage);
              }
              assertLoads(open, modelAtOpen);
              durable = open;
              modelAtImage = modelAtOpen;
              long at = scn - random.nextInt(3);
              map.imageDurable(open.seq(), at);
              retired.forEach(extent -> pending.add(new Freed(extent, at)));
              retired.clear();
              freshBlocks -= freshAtOpen;
              open = null;
            }
          }
        }
      }
      if (open != null && random.nextInt(16) == 0) {
        home(open.next());
      }
      if (i % 5000 == 0) {
        assertCounts();
      }
    }
    assertCounts();
    assertNotNull(durable);
  }

  @ParameterizedTest
  @CsvSource({"64, 64", "2079, 64", "4159, 128", "8192, 128", "12000, 187", "1000000, 4096"})
  void ofALargerVolumeMoreIsKeptForDeletes(long total, long kept) {
    FreeMap volume = new FreeMap(new FreeMapConfig(5, 4096, 17, 64, 4096), 64);
    volume.grow(total);
    assertEquals(kept, volume.keptBlocks(Reserve.NORMAL));
    assertEquals(0, volume.keptBlocks(Reserve.EMERGENCY));
  }

  private void home(MapChunk chunk) {
    if (chunk != null) {
      homes.put(chunk.homeBlock(), chunk.image());
    }
  }

  private long mayTake(Reserve kind) {
    return Math.max(0, map.backedBlocks() - kept(kind));
  }

  private long mayPromise(Reserve kind) {
    return Math.max(0, map.freeBlocks() - kept(kind));
  }

  private long kept(Reserve kind) {
    long pool = config.emergencyBlocks(model.length);
    return promised
        + switch (kind) {
          case NORMAL -> pool;
          case CUT -> pool / 2;
          case EMERGENCY -> 0;
        };
  }

  /** Takes a run out of the allocator; it comes back as a hole, or nobody knows as what. */
  private void punch(long atMost, Random random) {
    Extent doubtful = map.unbacked().longestDoubtful();
    Extent longest =
        doubtful == null || random.nextBoolean() ? map.unbacked().longestBacked() : doubtful;
    long kept = map.keptBlocks(Reserve.NORMAL);
    boolean wasBacked = longest != doubtful;
    long most = wasBacked ? Math.min(atMost, map.backedBlocks() - kept) : atMost;
    if (longest == null || most <= 0) {
      return;
    }
    long blocks = Math.min(most, longest.blocks());
    Extent run = new Extent(longest.end() - blocks, blocks);
    map.unbacked().holdToPunch(run);
    mark(run, wasBacked ? FREE : UNBACKED, UNBACKED);
    if (random.nextBoolean()) {
      map.unbacked().unbacked(run);
    } else {
      map.unbacked().doubted(run);
    }
  }

  private void back(long atMost, Random random) {
    boolean doubtfulFirst = random.nextBoolean();
    long doubtful = map.unbacked().doubtfulBlocks();
    Extent run = map.unbacked().holdToBack(atMost, doubtfulFirst);
    assertEquals(count(UNBACKED) == 0, run == null);
    if (run == null) {
      return;
    }
    assertTrue(
        !doubtfulFirst || doubtful == 0 || map.unbacked().doubtfulBlocks() < doubtful,
        "a hole before what is doubtful");
    if (random.nextInt(4) == 0) {
      mark(run, UNBACKED, UNBACKED);
      map.unbacked().unbacked(run);
    } else {
      mark(run, UNBACKED, FREE);
      map.unbacked().backed(run);
    }
  }

  /** Best fit by the book; only now and then, as it looks at every block. */
  private Extent bestFit(long blocks, int i) {
    if (i % 16 != 0) {
      return null;
    }
    Extent best = null;
    for (Extent run : runs()) {
      if (run.blocks() >= blocks && (best == null || run.blocks() < best.blocks())) {
        best = run;
      }
    }
    return best == null ? null : new Extent(best.block(), blocks);
  }

  private List<Extent> runs() {
    List<Extent> runs = new ArrayList<>();
    int start = -1;
    for (int i = (int) config.firstBlock(); i <= model.length; i++) {
      boolean free = i < model.length && model[i] == FREE;
      if (free && start < 0) {
        start = i;
      } else if (!free && start >= 0) {
        runs.add(new Extent(start, i - start));
        start = -1;
      }
    }
    return runs;
  }

  private static boolean isFree(byte state) {
    return state == FREE || state == UNBACKED;
  }

  /** Blocks in a range that are not free. */
  private long takenIn(long from, long to) {
    long taken = 0;
    for (long i = from; i < to; i++) {
      taken += model[(int) i] == FREE ? 0 : 1;
    }
    return taken;
  }

  private static Extent only(List<Extent> pieces) {
    return pieces.isEmpty() ? null : pieces.getFirst();
  }

  private void hand(Extent extent, long blocks) {
    if (extent != null) {
      assertEquals(blocks, extent.blocks());
      mark(extent, FREE, RESERVED);
      reserved.add(extent);
    }
  }

  private void mark(Extent extent, byte from, byte to) {
    assertTrue(extent.block() >= config.firstBlock() && extent.end() <= model.length);
    for (long i = extent.block(); i < extent.end(); i++) {
      assertEquals(from, model[(int) i]);
      model[(int) i] = to;
    }
  }

  /** Takes out an extent, or a part of one. */
  private static Extent take(List<Extent> from, Random random) {
    if (from.isEmpty()) {
      return null;
    }
    int index = random.nextInt(from.size());
    Extent extent = from.get(index);
    from.set(index, from.getLast());
    from.removeLast();
    if (extent.blocks() > 1 && random.nextInt(3) == 0) {
      long part = 1 + random.nextInt((int) extent.blocks() - 1);
      from.add(new Extent(extent.block() + part, extent.blocks() - part));
      return new Extent(extent.block(), part);
    }
    return extent;
  }

  /** In pieces; what is in use is asked for once, and stays pending. */
  private void release(long upTo, Random random) {
    int most = 1 + random.nextInt(8);
    boolean busy = random.nextBoolean();
    List<Extent> used = new ArrayList<>();
    boolean more;
    do {
      int[] asked = new int[1];
      more =
          map.releaseSome(
              upTo,
              most,
              piece -> {
                asked[0]++;
                if (busy && random.nextInt(3) == 0) {
                  used.add(piece);
                  return false;
                }
                mark(piece, PENDING, FREE);
                return true;
              });
      assertTrue(asked[0] <= most);
      assertEquals(more ? most : asked[0], asked[0], "too small a piece");
      assertEquals(count(PENDING), map.pendingBlocks());
    } while (more);
    pending.removeIf(freed -> freed.scn() <= upTo);
    used.forEach(extent -> pending.add(new Freed(extent, upTo)));
    long left =
        pending.stream().mapToLong(freed -> freed.extent().blocks()).sum()
            + retired.stream().mapToLong(Extent::blocks).sum();
    assertEquals(left, count(PENDING));
  }

  private void resize(Random random, int blocks) {
    int total = model.length;
    if (random.nextBoolean() && total < 2 * blocks) {
      int grown = total + random.nextInt(blocks / 4);
      map.grow(grown);
      model = java.util.Arrays.copyOf(model, grown);
    } else {
      int tail = 0;
      while (tail < total - config.firstBlock() && isFree(model[total - 1 - tail])) {
        tail++;
      }
      long expected = Math.min(tail, mayPromise(Reserve.NORMAL));
      if (map.shrinkable() != expected) {
        assertTrue(map.shrinkable() < expected && count(UNBACKED) > 32, "cut of " + expected);
      }
      int by = random.nextInt((int) map.shrinkable() + 1);
      if (total - by >= blocks / 2) {
        map.shrink(total - by);
        model = java.util.Arrays.copyOf(model, total - by);
      }
    }
  }

  private void assertCounts() {
    List<Extent> runs = runs();
    assertEquals(runs, map.largeFreeRuns(1));
    assertEquals(runs.stream().filter(run -> run.blocks() >= 5).toList(), map.largeFreeRuns(5));
    assertEquals(count(FREE), map.backedBlocks());
    assertEquals(count(UNBACKED), map.unbacked().blocks());
    assertEquals(count(FREE) + count(UNBACKED), map.freeBlocks());
    assertEquals(count(RESERVED), map.reservedBlocks());
    assertEquals(count(COMMITTED), map.committedBlocks());
    assertEquals(count(PENDING), map.pendingBlocks());
    assertEquals(promised, map.promisedBlocks());
    assertEquals(model.length, map.totalBlocks());
    assertTrue(promised <= map.freeBlocks());
  }

  private long count(byte state) {
    long count = 0;
    for (int i = (int) config.firstBlock(); i < model.length; i++) {
      count += model[i] == state ? 1 : 0;
    }
    return count;
  }

  private void assertLoads(MapImage image, byte[] expected) {
    MapLoader loader = new MapLoader(config, image.totalBlocks(), image.seq(), 1);
    for (long home = 0; home < loader.homeBlocks(); home++) {
      loader.accept(0, home, ByteBuffer.wrap(homes.getOrDefault(home, new byte[4096])));
    }
    MapLoad load = loader.finish(image.digest());
    if (load instanceof MapLoad.Loaded loaded) {
      byte[] kept = model;
      model = expected.clone();
      for (int i = 0; i < model.length; i++) {
        model[i] = model[i] == COMMITTED ? COMMITTED : FREE;
      }
      assertEquals(runs(), loaded.map().largeFreeRuns(1));
      model = kept;
    } else {
      throw new AssertionError(load.toString());
    }
  }
}
