package dev.upcall.bench.fsm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Made;
import dev.upcall.bench.report.Point;
import dev.upcall.bench.report.Reading;
import dev.upcall.bench.report.Sweep;
import dev.upcall.bench.report.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class WebClaimsTest {
  private static final List<Integer> CLIENTS = List.of(1, 10, 50, 200, 250, 1000);

  private static Sweep sweep(String id, IntToDoubleFunction fsm, IntToDoubleFunction threads) {
    return Made.sweep(
        id,
        List.of(
            Made.line(WebClaims.FSM, CLIENTS, fsm),
            Made.line(WebClaims.THREADS, CLIENTS, threads)));
  }

  private static Sweep with(Sweep sweep, String side, String name, IntToDoubleFunction figure) {
    List<Point> points = new ArrayList<>();
    for (Point point : sweep.points()) {
      List<Reading> readings =
          point.readings().stream()
              .map(
                  reading ->
                      point.side().equals(side)
                          ? reading.with(name, figure.applyAsDouble(point.inFlight()))
                          : reading)
              .toList();
      points.add(new Point(point.side(), point.inFlight(), readings));
    }
    return new Sweep(sweep.id(), sweep.title(), sweep.words(), points);
  }

  private static Claim claim(int place, Sweep... sweeps) {
    return WebClaims.of(List.of(sweeps)).get(place);
  }

  @Test
  void threadsThatCollapseAreFound() {
    Sweep sweep = sweep(WebClaims.MANY, _ -> 1000, clients -> clients > 100 ? 100 : 1300);
    assertEquals(Verdict.HOLDS, claim(0, sweep).verdict(), "better with few");
    Claim steady = claim(1, sweep);
    assertEquals(Verdict.HOLDS, steady.verdict());
    assertTrue(steady.found().startsWith("With 250 clients state machines keep 1.00"));
    assertTrue(steady.found().contains("ahead at 2 of 5 numbers of clients, first at 200"));
    assertEquals(Verdict.HOLDS, claim(3, sweep).verdict(), "a longer tail");
  }

  @Test
  void threadsThatStayAreFoundToo() {
    Sweep sweep = sweep(WebClaims.MANY, _ -> 1000, _ -> 1000);
    assertEquals(Verdict.FAILS, claim(0, sweep).verdict());
    assertEquals(Verdict.FAILS, claim(1, sweep).verdict());
    assertTrue(claim(1, sweep).found().contains("ahead nowhere"));
    assertEquals(Verdict.FAILS, claim(3, sweep).verdict());
    Sweep below = sweep(WebClaims.MANY, _ -> 1000, _ -> 900);
    assertTrue(claim(1, below).found().contains("ahead everywhere"));
  }

  @Test
  void beyondTheReportOnlyKeptConnectionsCount() {
    Sweep many = sweep(WebClaims.MANY, _ -> 1000, clients -> clients == 1000 ? 1 : 1000);
    assertEquals(Verdict.FAILS, claim(1, many).verdict());
    Sweep kept = sweep(WebClaims.KEPT, _ -> 1000, clients -> clients == 1000 ? 1 : 1000);
    Claim steady = claim(2, kept);
    assertEquals(Verdict.HOLDS, steady.verdict());
    assertTrue(steady.found().startsWith("With 1,000 clients"), steady.found());
  }

  @Test
  void oneThreadMakesThemAlikeOrNot() {
    assertEquals(Verdict.HOLDS, claim(5, sweep(WebClaims.ONE, _ -> 1100, _ -> 1000)).verdict());
    Claim differs =
        claim(5, sweep(WebClaims.ONE, clients -> clients == 50 ? 700 : 1000, _ -> 1000));
    assertEquals(Verdict.FAILS, differs.verdict());
    assertTrue(differs.found().contains("with 50 clients, where it is 0.70"), differs.found());
  }

  @Test
  void locksAreLookedAtWithManyClients() {
    Sweep plain = sweep(WebClaims.MANY, _ -> 1000, _ -> 1000);
    assertEquals(Verdict.UNDECIDED, claim(6, plain).verdict());
    IntToDoubleFunction rises = clients -> clients / 2000.0;
    assertEquals(
        Verdict.FAILS,
        claim(6, with(plain, WebClaims.THREADS, "lock wait share", rises)).verdict());
    Claim half = claim(6, with(plain, WebClaims.THREADS, "lock wait share", _ -> 0.5));
    assertEquals(Verdict.HOLDS, half.verdict());
    assertTrue(half.found().startsWith("With 200 clients"), half.found());
  }

  @Test
  void batchesGrowOrNot() {
    Sweep plain = sweep(WebClaims.MANY, _ -> 1000, _ -> 1000);
    assertEquals(Verdict.UNDECIDED, claim(7, plain).verdict());
    assertEquals(
        Verdict.HOLDS, claim(7, with(plain, WebClaims.FSM, "batch", load -> load)).verdict());
    assertEquals(Verdict.FAILS, claim(7, with(plain, WebClaims.FSM, "batch", _ -> 3)).verdict());
  }

  private static Claim admission(IntToDoubleFunction limited) {
    return claim(
        8,
        Made.sweep(
            WebClaims.ADMISSION,
            List.of(
                Made.line(WebClaims.FSM, CLIENTS, _ -> 1000),
                Made.line(WebClaims.ADMITTED, CLIENTS, limited))));
  }

  @Test
  void aLimitKeepsThroughputUpOrNot() {
    Claim holds = admission(clients -> clients == 1000 ? 950 : 1000);
    assertEquals(Verdict.HOLDS, holds.verdict());
    assertTrue(holds.found().contains("With 1,000 clients state machines keep 0.95"));
    assertTrue(holds.found().contains("reach 0.95 (0.95 to 0.95) times the throughput without"));
    assertEquals(Verdict.FAILS, admission(clients -> clients == 1000 ? 800 : 1000).verdict());
    assertEquals(Verdict.UNDECIDED, claim(8).verdict());
  }

  @Test
  void nothingMeasuredClaimsNothing() {
    assertTrue(
        WebClaims.of(List.of()).stream().allMatch(claim -> claim.verdict() == Verdict.UNDECIDED));
    Sweep alone = Made.sweep(WebClaims.MANY, List.of(Made.line(WebClaims.FSM, CLIENTS, _ -> 9)));
    assertEquals(Verdict.UNDECIDED, claim(0, alone).verdict());
  }

  @Test
  void errorsAndMemoryAreNoted() {
    Sweep kept =
        with(
            with(
                sweep(WebClaims.KEPT, _ -> 1000, _ -> 1000),
                WebClaims.FSM,
                "resident MiB",
                clients -> 100 + clients / 1024.0),
            WebClaims.FSM,
            "errors",
            clients -> clients == 50 ? 2 : 0);
    List<String> notes = WebClaims.notes(List.of(kept));
    assertTrue(
        notes.get(0).contains("state machines, 50 clients: 6 requests failed"), notes::toString);
    assertTrue(notes.get(1).contains("state machines 1.0 KiB (100 to 101 MiB"), notes::toString);
  }
}
