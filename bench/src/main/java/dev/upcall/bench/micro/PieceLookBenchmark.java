package dev.upcall.bench.micro;

import dev.upcall.segment.layout.LayoutTrees;
import dev.upcall.segment.layout.PieceMap;
import dev.upcall.tree.DirtyPage;
import dev.upcall.tree.Frozen;
import dev.upcall.tree.PageCache;
import dev.upcall.tree.PageRef;
import dev.upcall.tree.PositionTree;
import dev.upcall.tree.TreeConfig;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Finding a byte of a file that was edited in the middle, with all of its map in memory. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PieceLookBenchmark {
  private static final long PIECE_BYTES = 10_000;
  private static final int ASKED = 1 << 12;

  /** Pieces that the map's tree has. */
  @Param({"10000", "100000"})
  public int pieces;

  private final TreeConfig config = TreeConfig.standard(1);
  private final PageCache cache = new PageCache(1L << 30, page -> {});
  private final LayoutTrees trees = new LayoutTrees(config, cache, cache.budgetBytes());
  private final long[] asked = new long[ASKED];
  private PieceMap map = PieceMap.whole(1);
  private int next;

  /** Makes the map by inserts at random places, so that pages are as full as they come to be. */
  @Setup
  public void fill() {
    SplittableRandom random = new SplittableRandom(1);
    PositionTree tree = new PositionTree(config, 17, PositionTree.Root.EMPTY, cache);
    for (int i = 0; i < pieces; i++) {
      // Between pieces: cutting one would make two.
      tree.insert(random.nextInt(i + 1) * PIECE_BYTES, PIECE_BYTES, i * 3L * PIECE_BYTES);
    }
    write(tree.freeze(0));
    PositionTree.Root root = tree.root();
    PageRef page = root.page();
    if (page == null) {
      throw new IllegalStateException("no tree of " + pieces + " pieces");
    }
    long edge = (3 * PIECE_BYTES * pieces / 4096 + 1) * 4096;
    PieceMap.Folded folded = new PieceMap.Folded(page, root.length(), edge, root.runs());
    map = PieceMap.of(folded, edge, List.of(new PieceMap.Piece(root.length(), 0)));
    for (int i = 0; i < ASKED; i++) {
      asked[i] = random.nextLong(root.length());
    }
  }

  private void write(Frozen frozen) {
    ByteBuffer to = ByteBuffer.allocate(config.pageBytes()).order(ByteOrder.LITTLE_ENDIAN);
    long block = 1;
    for (DirtyPage page = frozen.nextToPersist(); page != null; page = frozen.nextToPersist()) {
      page.assign(block, block + 1, to.clear());
      page.written();
      block += 2;
    }
  }

  /** One look at a random byte. */
  @Benchmark
  public long find() {
    next = (next + 1) & (ASKED - 1);
    return trees.maps().find(map, asked[next]).at();
  }
}
