package dev.upcall.sim.store.plan;

import dev.upcall.coding.Codecs;
import dev.upcall.coding.TwinCodec;
import dev.upcall.config.Compression;
import dev.upcall.config.Dedup;
import dev.upcall.segment.DedupConfig;
import dev.upcall.sim.store.model.SimTables;
import dev.upcall.store.StoreFixture;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the clients of one simulated lifetime do: weights are drawn, and some are zero, so that no
 * kind of request hides another.
 *
 * @param weights by {@link Kind}
 * @param clients how many requests are outstanding at most
 * @param files how many ids there are
 * @param maxBytes the largest content
 * @param large whether half of all content is so large that its layout is a tree
 * @param ranges whether every other step of a transaction writes ranges of a file
 * @param churn whether properties are few, often change, and are often changed back
 * @param drops whether named snapshots often come and go
 * @param edits whether every other operation of a handle is an edit in the middle, and ranges are
 *     copied
 * @param tables whether there are tables, in transactions too
 * @param duplicates which contents come again and again, or begin alike; 0: none do
 * @param coded the most blocks of a unit of coded content; 0: none is coded
 * @param edges whether handles are also asked for nothing, and for what no file can have
 * @param mixed whether some entries are put only where none is; a change of entries that is no part
 *     of a transaction then also changes a file
 * @param loans whether new content is copied by its callers, who take their time
 * @param asyncPercent changes that do not wait for the log
 * @param pauseNanos the longest pause of a client between two steps
 */
public record SimHabits(
    List<Integer> weights,
    int clients,
    int files,
    int maxBytes,
    boolean large,
    boolean ranges,
    boolean churn,
    boolean drops,
    boolean edits,
    boolean tables,
    int duplicates,
    int coded,
    boolean edges,
    boolean mixed,
    boolean loans,
    int asyncPercent,
    long pauseNanos) {
  /** How many properties there are. */
  public static final int PROPERTIES = 30;

  /** Few contents are remembered, by hashes of eight bits, so that others have the same. */
  public static final DedupConfig DEDUP = new DedupConfig(4096, 8, 12, Dedup.NONE);

  private static final int LARGE_ONE_IN = 64;
  private static final int RANGES_ONE_IN = 8;
  private static final int MANY_RANGES = 150;
  private static final int CHURN_ONE_IN = 8;
  private static final int MANY_PROPERTIES = 100;
  private static final int DROPS_ONE_IN = 8;
  private static final int MANY_NAMED_SNAPSHOTS = 40;
  private static final int FEW_PROPERTIES = 2;
  private static final int LARGE_HANDLES = 60;
  private static final int EDITING_HANDLES = 60;
  private static final int COPIES = 40;
  private static final int LARGE_BYTES = 640_000;
  private static final int CODED_ONE_IN = 3;
  private static final int EDGES_ONE_IN = 3;
  private static final int LOANS_ONE_IN = 4;
  private static final int TABLES_ONE_IN = 4;
  private static final int MOST_ENTRIES = 50;
  private static final int DUPLICATES_ONE_IN = 6;
  private static final int MANY_DUPLICATES = 60;

  /** The kinds of requests. */
  public enum Kind {
    /** Content of one file. */
    PUT,
    /** Content of some files and the end of others, in one change. */
    MANY,
    /** The end of one file. */
    REMOVE,
    /** Metadata of one file. */
    TOUCH,
    /** A property of the store. */
    PROPERTY,
    /** A pinned read. */
    READ,
    /** Content that is given up. */
    GIVE_UP,
    /** A checkpoint. */
    CHECKPOINT,
    /** A flush. */
    FLUSH,
    /** A handle on one file: ranges, appends, cuts, flushes, an end. */
    HANDLE,
    /** A snapshot that is read for a while. */
    SNAPSHOT,
    /** A transaction: changes and reads, then a commit, a rollback or nothing. */
    TRANSACTION,
    /** A snapshot with a name is made, listed, read or dropped. */
    NAMED_SNAPSHOT,
    /** A clone of one file, over another or as a new one. */
    CLONE,
    /** Ranges of a file, copied into another or into itself. */
    COPY_RANGE,
    /** Tables and their entries. */
    ENTRIES
  }

  public static SimHabits draw(SimChance chances) {
    SplittableRandom random = chances.first();
    int[] weights = {30, 8, 12, 10, 6, 20, 4, 2, 2, 12, 4, 8, 5, 10, 0, 0};
    for (int i = 1; i < Kind.COPY_RANGE.ordinal(); i++) {
      weights[i] = random.nextInt(4) == 0 ? 0 : weights[i] * (1 + random.nextInt(3));
    }
    boolean large = chances.later().nextInt(LARGE_ONE_IN) == 0;
    if (large) {
      weights[Kind.HANDLE.ordinal()] += LARGE_HANDLES;
    }
    int clients = SimPlan.pick(random, 1, 3, 8, 24);
    int files = SimPlan.pick(random, 3, 10, 40);
    int maxBytes = SimPlan.pick(random, 3000, 20_000, 150_000, 800_000);
    int asyncPercent = SimPlan.pick(random, 0, 30, 100);
    int pauseNanos = SimPlan.pick(random, 1, 200_000, 20_000_000);
    boolean ranges = chances.later().nextInt(RANGES_ONE_IN) == 0;
    boolean early = ranges && chances.later().nextBoolean();
    if (early) {
      weights[Kind.TRANSACTION.ordinal()] += MANY_RANGES;
    }
    boolean churn = chances.later().nextInt(CHURN_ONE_IN) == 0;
    if (churn) {
      weights[Kind.PROPERTY.ordinal()] += MANY_PROPERTIES;
      weights[Kind.TRANSACTION.ordinal()] += MANY_PROPERTIES;
    }
    boolean drops = chances.latest().nextInt(DROPS_ONE_IN) == 0;
    if (drops) {
      weights[Kind.NAMED_SNAPSHOT.ordinal()] += MANY_NAMED_SNAPSHOTS;
    }
    boolean edits = chances.last().nextBoolean();
    if (edits) {
      weights[Kind.HANDLE.ordinal()] += chances.last().nextInt(EDITING_HANDLES);
      weights[Kind.COPY_RANGE.ordinal()] = chances.last().nextInt(COPIES);
    }
    boolean tables = chances.tables().nextInt(TABLES_ONE_IN) == 0;
    if (tables) {
      weights[Kind.ENTRIES.ordinal()] = 5 + chances.tables().nextInt(MOST_ENTRIES);
    }
    boolean doubles = chances.dedup().nextInt(DUPLICATES_ONE_IN) == 0;
    int duplicates = doubles ? 1 + chances.dedup().nextInt(1 << 20) : 0;
    if (doubles) {
      weights[Kind.PUT.ordinal()] += MANY_DUPLICATES;
    }
    return new SimHabits(
        Arrays.stream(weights).boxed().toList(),
        clients,
        files,
        maxBytes,
        large,
        ranges,
        churn,
        drops,
        edits,
        tables,
        duplicates,
        chances.coding().nextInt(CODED_ONE_IN) == 0
            ? SimPlan.pick(chances.coding(), 2, 2, 5, 16)
            : 0,
        chances.edges().nextInt(EDGES_ONE_IN) == 0,
        tables && chances.mixed().nextBoolean(),
        chances.loans().nextInt(LOANS_ONE_IN) == 0,
        early ? 100 : asyncPercent,
        pauseNanos);
  }

  public Kind draw(int sum, SplittableRandom random) {
    int at = random.nextInt(sum);
    for (Kind kind : Kind.values()) {
      at -= weights.get(kind.ordinal());
      if (at < 0) {
        return kind;
      }
    }
    throw new IllegalStateException("weights changed");
  }

  public int sum() {
    int sum = 0;
    for (int weight : weights) {
      sum += weight;
    }
    return sum;
  }

  /** How new content is to be stored. */
  public Compression compression() {
    return coded == 0 ? Compression.NONE : Compression.BALANCED;
  }

  /** The number of new content: where content is coded, most of it can be. */
  public long content(long stamp, SplittableRandom random) {
    return coded > 0 && random.nextInt(4) != 0 ? stamp | StoreFixture.TWINS : stamp;
  }

  /** The codecs of a lifetime. */
  public Codecs codecs() {
    return coded == 0 ? Codecs.NONE : TwinCodec.codecs(coded);
  }

  /** Which property is changed next. */
  public long property(SplittableRandom random) {
    return random.nextInt(churn ? FEW_PROPERTIES : PROPERTIES);
  }

  /** A value that no other change gives, or null: the property goes. */
  public @Nullable Long orNone(long stamp) {
    return stamp % (churn ? 2 : 5) == 0 ? null : stamp;
  }

  /** The operations of a change on tables. */
  public List<SimTables.Op> entries(SplittableRandom random, LongSupplier stamps) {
    List<SimTables.Op> ops = SimTables.possible(SimTables.draw(random, stamps));
    return mixed ? SimTables.conditional(ops) : ops;
  }

  /** A size: mostly small, sometimes at an edge. */
  public int size(SplittableRandom random) {
    if (large && random.nextBoolean()) {
      return LARGE_BYTES + random.nextInt(LARGE_BYTES / 4);
    }
    return switch (random.nextInt(8)) {
      case 0 -> SimPlan.pick(random, 0, 1, 64, 65, 511, 512, 513, 4095, 4096, 4097, 8192);
      case 1, 2 -> random.nextInt(maxBytes);
      default -> random.nextInt(Math.min(maxBytes, 9000));
    };
  }
}
