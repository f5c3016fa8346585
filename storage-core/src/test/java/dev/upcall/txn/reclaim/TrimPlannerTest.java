package dev.upcall.txn.reclaim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.space.Extent;
import dev.upcall.txn.TrimConfig;
import dev.upcall.txn.reclaim.TrimFacts.Obstacle;
import dev.upcall.txn.reclaim.TrimPlanner.Episode;
import dev.upcall.txn.reclaim.TrimPlanner.Plan;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is given back, and when, case by case. */
class TrimPlannerTest {
  private static final long POOL = 16;
  private static final long KEEP_NANOS = 10_000;
  private static final long SETTLE_NANOS = 1000;
  private static final TrimConfig CONFIG =
      new TrimConfig(4, 64, POOL, SETTLE_NANOS, KEEP_NANOS, 100, 2);
  private static final TrimPlanner PLANNER = new TrimPlanner(CONFIG);

  /** So many free blocks are kept; what is beyond is surplus. */
  private static final long KEPT = 10 + POOL;

  private static final TrimStep NOTHING = new TrimStep.Nothing();
  private static final TrimStep SETTLE = new TrimStep.Wait(SETTLE_NANOS);
  private static final TrimStep CHECKPOINT = new TrimStep.Checkpoint();
  private static final TrimStep TRUNCATE = new TrimStep.Truncate();

  /** A volume of 1000 blocks, full to its end, with nothing to give back; to be changed. */
  private static final class Look {
    private long now = KEEP_NANOS;
    private long total = 1000;
    private long tailStart = 1000;
    private long durable = 1000;
    private long file = 1000;
    private long unpunched = KEPT;
    private long fresh;
    private @Nullable Extent doubtful;
    private long doubtfulBlocks;
    private long committed = 160;
    private long promised = 8;
    private long promisable = 1000;
    private long handedOut;
    private boolean waitedFor;
    private boolean settling;
    private boolean readOnly;
    private boolean closing;
    private int closingPunches;
    private final Set<Obstacle> obstacles = EnumSet.noneOf(Obstacle.class);

    Look at(long nanos) {
      now = nanos;
      return this;
    }

    Look surplus(long blocks) {
      unpunched = KEPT + blocks;
      return this;
    }

    Look doubtful(long block, long blocks) {
      doubtful = new Extent(block, blocks);
      doubtfulBlocks = blocks;
      return this;
    }

    /** So many doubtful blocks, in runs that are too short. */
    Look scattered(long blocks) {
      doubtful(700, 3);
      doubtfulBlocks = blocks;
      return this;
    }

    Look fresh(long blocks) {
      fresh = blocks;
      return this;
    }

    Look committed(long blocks) {
      committed = blocks;
      return this;
    }

    Look tail(long blocks) {
      tailStart = total - blocks;
      return this;
    }

    Look promisable(long blocks) {
      promisable = blocks;
      return this;
    }

    Look shrunkTo(long blocks) {
      total = blocks;
      tailStart = blocks;
      return this;
    }

    Look durably(long blocks) {
      durable = blocks;
      return this;
    }

    Look handedOut(long blocks) {
      handedOut = blocks;
      return this;
    }

    Look waitedFor() {
      waitedFor = true;
      return this;
    }

    Look settling() {
      settling = true;
      return this;
    }

    Look readOnly() {
      readOnly = true;
      return this;
    }

    Look closing(int punches) {
      closing = true;
      closingPunches = punches;
      return this;
    }

    Look with(Obstacle obstacle) {
      obstacles.add(obstacle);
      return this;
    }

    /** What is not doubtful is one backed run from block 100 on. */
    TrimFacts facts() {
      long backed = unpunched - doubtfulBlocks;
      return new TrimFacts(
          now,
          new TrimFacts.Volume(total, tailStart, durable, file),
          new TrimFacts.Free(
              unpunched, backed, fresh, doubtful, backed > 0 ? new Extent(100, backed) : null),
          new TrimFacts.Use(committed, promised, promised + 2, promisable, handedOut, waitedFor),
          new TrimFacts.Progress(settling, readOnly, closing, closingPunches, obstacles));
    }
  }

  private static Look look() {
    return new Look();
  }

  private record Row(String name, Look look, Episode episode, TrimStep step) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** While nothing is being given back. */
  private static Stream<Row> idle() {
    Episode none = Episode.NONE;
    return Stream.of(
        new Row("the pool alone", look(), none, NOTHING),
        new Row("less than two pools", look().surplus(POOL - 1), none, NOTHING),
        new Row("two pools", look().surplus(POOL), none, SETTLE),
        new Row("two pools, some just freed", look().surplus(4).fresh(12), none, SETTLE),
        new Row("a sixteenth is not enough", look().surplus(90).committed(1600), none, NOTHING),
        new Row("two sixteenths", look().surplus(184).committed(1600), none, SETTLE),
        new Row("an eighth at the end", look().tail(POOL + 125), none, SETTLE),
        new Row("less at the end", look().tail(POOL + 124), none, NOTHING),
        new Row("an eighth, but promised", look().tail(500).promisable(124), none, NOTHING),
        new Row("an eighth, but waited for", look().tail(500).waitedFor(), none, NOTHING),
        new Row(
            "an eighth, but refused", look().tail(500).with(Obstacle.CUT_REFUSED), none, NOTHING),
        new Row("file longer", look().shrunkTo(900), none, SETTLE),
        new Row(
            "file longer, refused", look().shrunkTo(900).with(Obstacle.CUT_REFUSED), none, NOTHING),
        new Row("read-only", look().surplus(500).readOnly(), none, NOTHING));
  }

  @ParameterizedTest
  @MethodSource("idle")
  void begins(Row row) {
    assertEquals(row.step, PLANNER.begin(row.look.facts()).step());
  }

  /** From when there is something to give back. */
  private static Stream<Row> during() {
    Episode first = new Episode(0, 0, 0, false);
    Episode reusing = new Episode(0, 0, POOL, false);
    Episode draining = new Episode(0, 0, 0, true);
    return Stream.of(
        new Row("gone", look(), first, NOTHING),
        new Row("read-only", look().surplus(500).readOnly(), first, NOTHING),
        new Row("freed, not durable", look().fresh(POOL), first, CHECKPOINT),
        new Row("freed, not durable, but little", look().fresh(POOL - 1), first, NOTHING),
        new Row("no more than it would take", look().surplus(16).fresh(11).at(0), first, SETTLE),
        new Row("no checkpoint at the close", look().fresh(100).closing(0), first, NOTHING),
        new Row("just found", look().surplus(16).at(1), first, SETTLE),
        new Row("soon over", look().surplus(16).at(9600), first, new TrimStep.Wait(400)),
        new Row("stayed free", look().surplus(16), first, punch(126, 16)),
        new Row("at the close at once", look().surplus(16).at(1).closing(0), first, punch(126, 16)),
        new Row("handed out of late", look().surplus(16).handedOut(POOL), first, SETTLE),
        new Row(
            "beyond what was handed out",
            look().surplus(35).handedOut(POOL),
            first,
            punch(100 + KEPT + 16, 19)),
        new Row("little handed out", look().surplus(16).handedOut(15), first, punch(126, 16)),
        new Row("kept for who comes next", look().surplus(31), reusing, SETTLE),
        new Row("not at the close", look().surplus(31).closing(0), reusing, punch(126, 31)),
        new Row("no more than at once", look().surplus(200), first, punch(100 + KEPT + 136, 64)),
        new Row("down to the pool", look().surplus(4), draining, punch(126, 4)),
        new Row("goes on", look().surplus(16).handedOut(POOL), draining, punch(126, 16)),
        new Row("too short a run", look().surplus(3), draining, NOTHING),
        new Row("doubtful first", look().surplus(32).doubtful(700, 8), first, punch(700, 8)),
        new Row("doubtful, but short", look().surplus(32).doubtful(700, 3), first, punch(123, 32)),
        new Row("what is promised", look().surplus(8).scattered(30), draining, NOTHING),
        new Row("waited for", look().surplus(32).waitedFor(), draining, NOTHING),
        new Row(
            "punch refused", look().surplus(32).with(Obstacle.PUNCH_REFUSED), draining, NOTHING),
        new Row("last at the close", look().surplus(32).closing(1), first, punch(126, 32)),
        new Row("enough at the close", look().surplus(32).closing(2), draining, NOTHING),
        new Row("free end", look().tail(400), first, new TrimStep.Shrink(616)),
        new Row("free end, not for long", look().tail(400).at(0), first, SETTLE),
        new Row(
            "free end, partly promised",
            look().tail(400).promisable(200),
            first,
            new TrimStep.Shrink(800)),
        new Row("free end, reused", look().tail(400).handedOut(POOL), first, SETTLE),
        new Row("shrunk, not durable", look().shrunkTo(616).at(0), first, new TrimStep.Shrink(616)),
        new Row("shrunk, durable", look().shrunkTo(616).durably(616), first, TRUNCATE),
        new Row(
            "left over from before",
            look().shrunkTo(616).durably(616).settling(),
            first,
            new TrimStep.Shrink(616)),
        new Row(
            "grows again",
            look().shrunkTo(616).durably(616).with(Obstacle.VOLUME_GROWING),
            first,
            NOTHING),
        new Row(
            "punches while it grows",
            look().shrunkTo(616).durably(616).surplus(16).with(Obstacle.VOLUME_GROWING),
            first,
            punch(126, 16)));
  }

  private static TrimStep punch(long block, long blocks) {
    return new TrimStep.Punch(new Extent(block, blocks));
  }

  @ParameterizedTest
  @MethodSource("during")
  void continues(Row row) {
    assertEquals(row.step, PLANNER.next(row.look.facts(), row.episode).step());
  }

  @Test
  void anEpisodeRemembersWhatIsReusedUntilItRests() {
    Episode begun = PLANNER.begin(look().surplus(300).at(5).handedOut(7).facts()).episode();
    assertEquals(new Episode(5, 7, 0, false), begun);
    TrimFacts later = look().surplus(300).at(5 + KEEP_NANOS).handedOut(7 + POOL).facts();
    Plan punch = PLANNER.next(later, begun);
    assertEquals(new Episode(5, 7, POOL, true), punch.episode());
    TrimFacts drained = look().surplus(POOL).at(30_000).handedOut(40).facts();
    Plan rest = PLANNER.next(drained, punch.episode());
    assertEquals(new Plan(SETTLE, new Episode(30_000, 40, 0, false)), rest);
    assertEquals(new Plan(NOTHING, Episode.NONE), PLANNER.next(look().facts(), rest.episode()));
  }

  @Test
  void muchIsAPool() {
    assertFalse(PLANNER.isMuch(POOL - 1));
    assertTrue(PLANNER.isMuch(POOL));
  }

  /** Whatever the facts, nothing is given back that somebody needs. */
  @Property
  void whatIsNeededStays(@ForAll long seed) {
    Random random = new Random(seed);
    Look look = random(random);
    TrimFacts facts = look.facts();
    Episode episode =
        new Episode(0, random.nextInt(50), random.nextInt(3) * POOL, random.nextBoolean());
    TrimStep step = PLANNER.next(facts, episode).step();
    if (look.readOnly) {
      assertEquals(NOTHING, step);
    }
    switch (step) {
      case TrimStep.Punch(Extent run) -> {
        assertFalse(look.waitedFor);
        long pool = Math.max(POOL, look.committed / 16);
        assertTrue(look.unpunched - run.blocks() >= facts.use().kept() + pool, "pool");
        assertTrue(run.blocks() >= CONFIG.minPunchBlocks(), "too short");
        assertTrue(run.blocks() <= CONFIG.maxPunchBlocks(), "too long");
      }
      case TrimStep.Shrink(long total) -> {
        assertFalse(look.obstacles.contains(Obstacle.CUT_REFUSED));
        assertTrue(total == look.total || total >= look.tailStart + POOL, "end");
        assertTrue(look.total - total <= look.promisable, "promised");
      }
      case TrimStep.Truncate now -> {
        assertTrue(look.durable <= look.total && look.total < look.file, "not durable");
        assertFalse(look.obstacles.contains(Obstacle.VOLUME_GROWING));
      }
      case TrimStep.Wait(long nanos) ->
          assertTrue(!look.closing && nanos > 0 && nanos <= SETTLE_NANOS, "waits " + nanos);
      case TrimStep.Checkpoint needed -> assertFalse(look.closing);
      case TrimStep.Nothing nothing ->
          assertTrue(
              look.readOnly || look.total == look.file || !look.obstacles.isEmpty(),
              "the file stays longer");
    }
  }

  private static Look random(Random random) {
    Look look = look().at(random.nextInt(20_000)).surplus(random.nextInt(120) - KEPT);
    look.total = 200 + random.nextInt(800);
    look.tailStart = look.total - random.nextInt(200);
    look.file = random.nextBoolean() ? look.total : 1000;
    look.durable = random.nextBoolean() ? look.total : 1000;
    look.fresh = random.nextInt(60);
    look.committed = random.nextInt(600);
    look.promised = random.nextInt(40);
    look.promisable = random.nextInt(300);
    look.handedOut = 50 + random.nextInt(60);
    look.waitedFor = random.nextInt(8) == 0;
    look.readOnly = random.nextInt(16) == 0;
    look.closing = random.nextInt(4) == 0;
    look.closingPunches = random.nextInt(3);
    if (look.unpunched > 0 && random.nextBoolean()) {
      look.doubtful(700, 1 + random.nextLong(look.unpunched));
    }
    for (Obstacle obstacle : Obstacle.values()) {
      if (random.nextInt(6) == 0) {
        look.with(obstacle);
      }
    }
    return look;
  }
}
