package dev.upcall.bench.ecommerce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Generators against their laws. */
class WorkloadTest {
  private static final double SCALE = 1.0 / 64;
  private static final int DRAWS = 20_000;

  private static List<Interaction> drawn(Workload workload, long seed, int count) {
    RandomGenerator random = Draws.stream(seed, workload.kind().label(), 0);
    List<Interaction> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(workload.next(random));
    }
    return all;
  }

  @Test
  void oneSeedGivesOneStream() {
    for (Workload.Kind kind : Workload.Kind.values()) {
      Mix mix = kind.mixes().getLast();
      List<Interaction> first = drawn(kind.load(mix, SCALE), 7, 500);
      assertEquals(first, drawn(kind.load(mix, SCALE), 7, 500));
      assertNotEquals(first, drawn(kind.load(mix, SCALE), 8, 500));
    }
  }

  @Test
  void mixesAreDrawnAsTheyAreWritten() {
    for (Workload.Kind kind : Workload.Kind.values()) {
      for (Mix mix : kind.mixes()) {
        Map<String, Integer> counts = new HashMap<>();
        drawn(kind.load(mix, SCALE), 1, DRAWS)
            .forEach(one -> counts.merge(one.kind(), 1, Integer::sum));
        for (Mix.Share share : mix.shares()) {
          double percent = 100.0 * counts.getOrDefault(share.kind(), 0) / DRAWS;
          assertEquals(share.percent(), percent, 1.5, mix.name() + ": " + share.kind());
        }
      }
    }
    assertThrows(
        IllegalArgumentException.class, () -> new Mix("half", List.of(new Mix.Share("one", 50))));
  }

  @Test
  void groupsHaveThePapersParts() {
    assertEquals(95, sum(TpcW.MIXES.get(0), 6), 1e-9);
    assertEquals(80, sum(TpcW.MIXES.get(1), 6), 1e-9);
    assertEquals(50, sum(TpcW.MIXES.get(2), 6), 1e-9);
    assertEquals(85, sum(Rubis.MIXES.get(1), 10), 1e-9);
    assertEquals(60, sum(Rubis.MIXES.get(2), 10), 1e-9);
  }

  private static double sum(Mix mix, int shares) {
    return mix.shares().subList(0, shares).stream().mapToDouble(Mix.Share::percent).sum();
  }

  @Test
  void everyStepStaysInOneTable() {
    for (Workload.Kind kind : Workload.Kind.values()) {
      Workload workload = kind.load(kind.mixes().getLast(), SCALE);
      for (Interaction one : drawn(workload, 3, 5_000)) {
        for (Step step : one.steps()) {
          Table table = workload.tableOf(step.page());
          assertTrue(step.pages() > 0, step::toString);
          long last = step.page() + step.pages() - 1;
          assertEquals(table, workload.tableOf(last), () -> one.kind() + " leaves " + table.name());
          assertEquals(table.holdsRow(step.page()), table.holdsRow(last), one::kind);
        }
      }
    }
  }

  @Test
  void tablesLieBehindEachOther() {
    for (Workload.Kind kind : Workload.Kind.values()) {
      long end = 0;
      for (Table table : kind.load(kind.mixes().getFirst(), SCALE).tables()) {
        assertEquals(end, table.firstPage(), table.name());
        assertTrue(table.page(table.rows() - 1) < table.firstPage() + table.loadedPages());
        assertTrue(table.leaf(table.rows() - 1) < table.endPage());
        end = table.endPage();
      }
    }
  }

  @Test
  void appendsComeRoundInTheRoomForThem() {
    Table table = new Table("few", 100, 400, 10);
    for (int i = 0; i < 35; i++) {
      assertEquals(100 + i % 10, table.append(), "row of append " + i);
    }
    assertEquals(35, table.appended());
    assertEquals(100, table.rows());
    assertTrue(table.lastPage(109) < table.firstPage() + table.rowPages());
  }

  @Test
  void aNewOrderChangesFiveToFifteenRowsOfStock() {
    Workload workload = Workload.Kind.TPC_C.load(TpcC.MIXES.getFirst(), SCALE);
    Table stock = table(workload, "stock");
    Table orderLine = table(workload, "order line");
    int rolledBack = 0;
    int orders = 0;
    for (Interaction one : drawn(workload, 5, 5_000)) {
      if (one.kind().equals("New-Order")) {
        orders++;
        long changed = count(one, stock, Step.Kind.CHANGE);
        rolledBack += changed == 0 ? 1 : 0;
        assertTrue(changed == 0 || changed >= 4 && changed <= 15, changed + " rows");
        assertEquals(changed > 0, count(one, orderLine, Step.Kind.APPEND) > 0);
      }
    }
    assertEquals(0.01, (double) rolledBack / orders, 0.01);
  }

  @Test
  void searchesScanItemsAndResultsAreScattered() {
    Workload shop = Workload.Kind.TPC_W.load(TpcW.MIXES.getFirst(), 1.0 / 16);
    Table item = table(shop, "item");
    long longest = 0;
    for (Interaction one : drawn(shop, 5, 2_000)) {
      long pages =
          one.steps().stream()
              .filter(step -> item.holdsRow(step.page()))
              .mapToLong(Step::pages)
              .sum();
      longest = Math.max(longest, pages);
    }
    assertTrue(longest > 3_000 && longest <= 4_096, longest + " pages");
    Workload auction = Workload.Kind.RUBIS.load(Rubis.MIXES.getFirst(), SCALE);
    Table items = table(auction, "items");
    for (Interaction one : drawn(auction, 5, 500)) {
      if (one.kind().startsWith("SearchItems")) {
        long pages =
            one.steps().stream()
                .filter(step -> items.holdsRow(step.page()))
                .mapToLong(Step::pages)
                .sum();
        assertTrue(pages >= 15 && pages <= 20, one::toString);
      }
    }
  }

  @Test
  void browsingChangesNothing() {
    Workload auction = Workload.Kind.RUBIS.load(Rubis.MIXES.getFirst(), SCALE);
    assertTrue(drawn(auction, 2, 2_000).stream().noneMatch(Interaction::changes));
    Workload bidding = Workload.Kind.RUBIS.load(Rubis.MIXES.getLast(), SCALE);
    assertTrue(drawn(bidding, 2, 2_000).stream().anyMatch(Interaction::changes));
  }

  @Test
  void keysFollowTheirLaws() {
    RandomGenerator random = Draws.stream(1, "laws", 0);
    Draws.Zipf zipf = new Draws.Zipf(1_000, 0.8);
    int first = 0;
    int second = 0;
    int[] tenths = new int[10];
    for (int i = 0; i < 200_000; i++) {
      int rank = zipf.draw(random);
      first += rank == 0 ? 1 : 0;
      second += rank == 1 ? 1 : 0;
      double part = Draws.nonUniform(random, 8_191, 100_000);
      assertTrue(part >= 0 && part < 1, () -> "part " + part);
      tenths[(int) (part * 10)]++;
    }
    assertEquals(Math.pow(2, 0.8), (double) first / second, 0.1, "rank 0 over rank 1");
    for (int tenth : tenths) {
      assertEquals(20_000, tenth, 5_000, "NURand is even over large parts");
    }
    double sum = 0;
    for (int i = 0; i < 50_000; i++) {
      sum += Draws.geometric(random, 3);
    }
    assertEquals(3, sum / 50_000, 0.1, "mean of the geometric law");
    long most = 0;
    double nanos = 0;
    for (int i = 0; i < 50_000; i++) {
      long drawn = Draws.exponentialNanos(random, 7_000);
      most = Math.max(most, drawn);
      nanos += drawn;
    }
    assertEquals(7_000, nanos / 50_000, 150, "mean think time");
    assertTrue(most <= 70_000, "cut off at ten times the mean");
  }

  @Test
  void nonUniformKeysRepeatMoreThanEvenOnes() {
    RandomGenerator random = Draws.stream(2, "repeats", 0);
    int[] counts = new int[3_000];
    int[] even = new int[3_000];
    for (int i = 0; i < 300_000; i++) {
      counts[(int) (Draws.nonUniform(random, 1_023, 3_000) * 3_000)]++;
      even[random.nextInt(3_000)]++;
    }
    java.util.Arrays.sort(counts);
    java.util.Arrays.sort(even);
    assertTrue(counts[2_999] > 2 * even[2_999], counts[2_999] + " against " + even[2_999]);
  }

  private static Table table(Workload workload, String name) {
    return workload.tables().stream()
        .filter(table -> table.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static long count(Interaction one, Table table, Step.Kind kind) {
    return one.steps().stream()
        .filter(step -> step.kind() == kind && table.holdsRow(step.page()))
        .count();
  }
}
