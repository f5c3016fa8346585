package dev.upcall.edit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Invariants;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each policy against an array of bytes, under thousands of random edits, and what it promises. */
class EditPlannerTest {
  private static final int STEPS = 4_000;
  private static final int MOST_BYTES = 4_000;
  private static final Geometry SMALL = new Geometry(16, 64);
  private static final Geometry ROOMY = new Geometry(16, 1 << 13);

  static List<EditPlanner> policies() {
    return List.of(
        new Eos(SMALL, 1),
        new Eos(SMALL, 4),
        new Eos(SMALL, 16),
        new Esm(SMALL, 1),
        new Esm(SMALL, 3),
        new Esm(SMALL, 16),
        new Starburst(SMALL, Starburst.Copied.WHOLE),
        new Starburst(SMALL, Starburst.Copied.TAIL));
  }

  /** What a random walk calls after each step; the plan of a trim is not told. */
  private interface Check {
    void after(EditedObject object, EditedObject.Done done);
  }

  private static void walk(EditPlanner policy, int window, long seed, Check check) {
    RandomGenerator random = new SplittableRandom(seed);
    EditedObject object = new EditedObject(policy, random, window);
    for (int step = 0; step < STEPS; step++) {
      check.after(object, step(object, random));
      if (random.nextInt(20) == 0) {
        object.trim();
      }
      object.check();
    }
  }

  private static EditedObject.Done step(EditedObject object, RandomGenerator random) {
    int size = object.size();
    int most =
        switch (random.nextInt(3)) {
          case 0 -> 5;
          case 1 -> 40;
          default -> 600;
        };
    int bytes = 1 + random.nextInt(most);
    int offset = random.nextInt(size + 1);
    int here = Math.min(bytes, size - offset);
    boolean grows = size < MOST_BYTES / 2 || random.nextInt(MOST_BYTES) > size - MOST_BYTES / 2;
    return switch (random.nextInt(6)) {
      case 0 -> object.append(bytes);
      case 1 -> object.splice(offset, here, 1 + random.nextInt(most));
      case 2 -> here == 0 ? object.append(bytes) : object.splice(offset, here, here);
      case 3 -> grows || here == 0 ? object.append(bytes) : object.splice(offset, here, 0);
      default ->
          grows || here == 0 ? object.splice(offset, 0, bytes) : object.splice(offset, here, 0);
    };
  }

  @ParameterizedTest
  @MethodSource("policies")
  void contentIsThatOfAnArray(EditPlanner policy) {
    walk(policy, 1, 4711, (_, _) -> {});
    walk(policy, 3, 4712, (_, _) -> {});
    walk(policy, 1_000_000, 4713, (_, _) -> {});
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 16})
  void leavesOfEsmAreAtLeastHalfFull(int leafBlocks) {
    Esm esm = new Esm(SMALL, leafBlocks);
    walk(
        esm,
        1,
        leafBlocks,
        (object, _) -> {
          List<Piece> leaves = object.pieces();
          for (Piece leaf : leaves) {
            assertEquals(leafBlocks, leaf.blocks());
            assertTrue(
                leaves.size() == 1 || 2 * leaf.bytes() >= SMALL.bytes(leafBlocks),
                leaves::toString);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 16})
  void eosLeavesNoUnsafePieceBesideAnEdit(int threshold) {
    walk(
        new Eos(ROOMY, threshold),
        1_000_000,
        threshold,
        (object, done) -> {
          assertTrue(done.sawAll());
          if (isAppend(done) || object.pieces().size() == 1) {
            return;
          }
          for (Run run : done.plan().runs()) {
            assertTrue(run.blocks() >= threshold, () -> done + " of " + object.pieces());
            assertEquals(ROOMY.blocks(run.bytes()), run.blocks(), "only the last block has room");
          }
        });
  }

  /** Whether bytes were only added behind all others. */
  private static boolean isAppend(EditedObject.Done done) {
    List<Run> runs = done.plan().runs();
    return !runs.isEmpty()
        && IntStream.range(0, runs.size())
            .allMatch(
                i ->
                    (i == 0) == (runs.get(i).kept() != null)
                        && runs.get(i).gathered().stream()
                            .allMatch(source -> source instanceof Source.Fresh));
  }

  @ParameterizedTest
  @MethodSource("starbursts")
  void piecesOfStarburstDouble(Starburst starburst) {
    walk(
        starburst,
        0,
        starburst.copied().ordinal(),
        (object, _) -> {
          List<Piece> pieces = object.pieces();
          for (int i = 0; i < pieces.size(); i++) {
            Piece piece = pieces.get(i);
            boolean isLast = i == pieces.size() - 1;
            int blocks = Math.min(pieces.getFirst().blocks() << Math.min(i, 16), 64);
            assertTrue(isLast ? piece.blocks() <= blocks : piece.blocks() == blocks);
            assertTrue(isLast || piece.bytes() == SMALL.bytes(blocks), "no holes but at the end");
          }
        });
  }

  static List<Starburst> starbursts() {
    return List.of(
        new Starburst(SMALL, Starburst.Copied.WHOLE), new Starburst(SMALL, Starburst.Copied.TAIL));
  }

  @Test
  void eosReadsOneBlockForAnInsertIntoLongPieces() {
    Neighbourhood around = new Neighbourhood(List.of(new Piece(160, 10)));
    Plan plan = new Eos(SMALL, 1).splice(around, new Edit(70, 0, 3));
    assertEquals(
        List.of(
            new Run(new Source.Old(0, 0, 70), List.of(), 5),
            new Run(null, List.of(new Source.Fresh(0, 3), new Source.Old(0, 70, 80)), 1),
            new Run(new Source.Old(0, 80, 160), List.of(), 5)),
        plan.runs());
    assertEquals(List.of(), plan.freed(around, SMALL), "the block that is cut is kept by the left");
  }

  @Test
  void eosCopiesNothingForACutAtBlocks() {
    Neighbourhood around = new Neighbourhood(List.of(new Piece(160, 10), new Piece(160, 10)));
    Plan plan = new Eos(SMALL, 4).splice(around, new Edit(96, 160, 0));
    assertTrue(plan.runs().stream().allMatch(run -> run.gathered().isEmpty()));
    assertEquals(
        List.of(new Plan.Freed(0, 6, 4), new Plan.Freed(1, 0, 6)), plan.freed(around, SMALL));
  }

  @Test
  void eosTakesFromTheSmallerSideWhatIsMissing() {
    Neighbourhood around = new Neighbourhood(List.of(new Piece(640, 40)));
    Plan plan = new Eos(SMALL, 4).splice(around, new Edit(162, 0, 3));
    assertEquals(List.of(8, 4, 29), plan.runs().stream().map(Run::blocks).toList());
  }

  @Test
  void esmDropsWholeLeavesUnread() {
    Piece leaf = new Piece(32, 2);
    Neighbourhood around = new Neighbourhood(List.of(leaf, leaf, leaf, leaf, leaf));
    Plan plan = new Esm(SMALL, 2).splice(around, new Edit(16, 96, 0));
    List<Source> read = plan.runs().stream().flatMap(run -> run.gathered().stream()).toList();
    assertEquals(List.of(new Source.Old(0, 0, 16), new Source.Old(3, 16, 32)), read);
  }

  @Test
  void esmSharesWithANeighbourInsteadOfSplitting() {
    Neighbourhood around =
        new Neighbourhood(List.of(new Piece(32, 2), new Piece(32, 2), new Piece(20, 2)));
    Plan plan = new Esm(SMALL, 2).splice(around, new Edit(40, 0, 4));
    assertEquals(List.of(28L, 28L), plan.runs().stream().map(Run::bytes).toList());
    assertEquals(1, plan.first());
    assertEquals(3, plan.last());
  }

  @Test
  void starburstCopiesAllOrTheTailAndTrims() {
    Neighbourhood around =
        new Neighbourhood(List.of(new Piece(16, 1), new Piece(32, 2), new Piece(64, 4)));
    Edit edit = new Edit(50, 0, 3);
    Plan whole = new Starburst(SMALL, Starburst.Copied.WHOLE).splice(around, edit);
    assertEquals(List.of(1, 2, 4, 1), whole.runs().stream().map(Run::blocks).toList());
    Plan tail = new Starburst(SMALL, Starburst.Copied.TAIL).splice(around, edit);
    assertEquals(2, tail.first());
    assertEquals(List.of(4, 1), tail.runs().stream().map(Run::blocks).toList());
  }

  @Test
  void nonsenseIsRefused() {
    assertThrows(Invariants.Violation.class, () -> new Edit(0, 0, 0));
    assertThrows(Invariants.Violation.class, () -> new Edit(-1, 0, 1));
    assertThrows(Invariants.Violation.class, () -> new Piece(0, 1));
    assertThrows(Invariants.Violation.class, () -> new Eos(SMALL, 65));
    assertThrows(Invariants.Violation.class, () -> new Esm(SMALL, 0));
    Neighbourhood around = new Neighbourhood(List.of(new Piece(16, 1)));
    assertThrows(
        Invariants.Violation.class, () -> new Eos(SMALL, 1).splice(around, new Edit(10, 7, 0)));
  }
}
