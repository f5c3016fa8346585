package dev.upcall.bench.ecommerce.study;

import dev.upcall.bench.ecommerce.Workload;
import dev.upcall.bench.ecommerce.machine.Load;
import dev.upcall.bench.ecommerce.machine.RunResult;
import dev.upcall.bench.report.Chart;
import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Judgement;
import dev.upcall.bench.report.Section;
import dev.upcall.specweb.document.Plot;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Throughput and round trips over the number of clients (figures 1 and 2). */
final class ThroughputStudy {
  static final String TITLE = "2. Throughput and tiers";

  private static final List<Integer> CLIENTS = List.of(1, 4, 16, 32, 64, 128);
  private static final int MOST_TPC_C = 300;
  private static final int SOME = 16;
  private static final int MANY = 64;
  private static final double RUBIS_GROWS = 1.8;
  private static final double TPC_W_GROWS = 1.5;
  private static final double DATABASE_SHARE = 0.8;

  private final Runs runs;

  ThroughputStudy(Runs runs) {
    this.runs = runs;
  }

  static double seconds(StudySize size) {
    int points = Case.ALL.stream().mapToInt(one -> clients(one.kind()).size()).sum();
    return points * Runs.seconds(size);
  }

  private static List<Integer> clients(Workload.Kind kind) {
    List<Integer> all = new ArrayList<>(CLIENTS);
    if (kind == Workload.Kind.TPC_C) {
      all.add(MOST_TPC_C);
    }
    return all;
  }

  Section section() {
    for (Case one : Case.ALL) {
      runs.aheadOnce(
          clients(one.kind()).stream()
              .map(clients -> runs.plan(one.kind(), one.mix(), clients))
              .toList());
    }
    List<Chart> charts = new ArrayList<>();
    for (Workload.Kind kind : Workload.Kind.values()) {
      charts.add(
          chart(
              "throughput-" + kind.label(),
              kind.label() + ": throughput",
              kind,
              Plot.Scale.linear("transactions a minute"),
              result -> result.answers().perMinute()));
    }
    charts.add(
        chart(
            "tiers",
            "RUBiS: the database's part of a round trip",
            Workload.Kind.RUBIS,
            Plot.Scale.linear("part"),
            result -> result.answers().databaseShare()));
    return Section.of(
        TITLE,
        "A closed loop: 1 to 128 clients, for TPC-C 300, too; the first seed. An interaction takes 2"
            + " ms of the database's processor and, but in TPC-C, 5 ms of the application's; a page of"
            + " TPC-W costs it 0.8 ms. RUBiS's clients think for 7 s, the others do not. Under TPC-W"
            + " 16 have a connection, as the application servers of the time had it.",
        List.of(throughput(), tiers()),
        charts,
        List.of());
  }

  private double figure(Case one, int clients, ToDoubleFunction<RunResult> figure) {
    return figure.applyAsDouble(runs.one(runs.plan(one.kind(), one.mix(), clients)));
  }

  private double perMinute(Workload.Kind kind, boolean writeRich, int clients) {
    return figure(new Case(kind, writeRich), clients, one -> one.answers().perMinute());
  }

  private Claim throughput() {
    Judgement judgement = new Judgement(runs.size().decides());
    for (Workload.Kind kind : List.of(Workload.Kind.TPC_W, Workload.Kind.RUBIS)) {
      int most = Load.HEAVY.clients(kind);
      double ratio = perMinute(kind, true, most) / perMinute(kind, false, most);
      judgement.atLeast(
          "%s writing over reading at %d clients".formatted(kind.label(), most), ratio, 1.0);
    }
    double rubis =
        perMinute(Workload.Kind.RUBIS, true, MANY) / perMinute(Workload.Kind.RUBIS, true, SOME);
    judgement.atLeast("RUBiS's X(64)/X(16), bidding", rubis, RUBIS_GROWS);
    double tpcW =
        perMinute(Workload.Kind.TPC_W, false, MANY) / perMinute(Workload.Kind.TPC_W, false, SOME);
    judgement.within("TPC-W's X(64)/X(16), browsing", tpcW, 0, TPC_W_GROWS);
    return judgement.claim(
        "EC-F1",
        "Mixes that write more have more throughput; TPC-W flattens early, RUBiS jumps between 16"
            + " and 64 clients. Taken as: above for TPC-W and RUBiS with many clients, X(64)/X(16)"
            + " over 1.8 for RUBiS, below 1.5 for TPC-W.",
        "RUBiS's clients think most of the time, so that its mixes differ by their round trips"
            + " only, milliseconds in seven seconds.");
  }

  private Claim tiers() {
    Judgement judgement = new Judgement(runs.size().decides());
    Case browsing = new Case(Workload.Kind.RUBIS, false);
    List<Double> shares =
        CLIENTS.stream()
            .map(clients -> figure(browsing, clients, one -> one.answers().databaseShare()))
            .toList();
    judgement.within("its part from 1 to 128 clients", shares, DATABASE_SHARE, 1);
    judgement.expect(
        shares.getLast() > shares.getFirst(),
        "%s with 1 client, %s with 128"
            .formatted(Judgement.show(shares.getFirst()), Judgement.show(shares.getLast())));
    return judgement.claim(
        "EC-F2",
        "Of RUBiS's round trips the database takes over 80 % when browsing, and more under load."
            + " Taken as: above 0.8 at all points, more with 128 clients than with one.",
        "A single client waits for nobody's seeks, and the application's 5 ms count the more.");
  }

  private Chart chart(
      String id,
      String title,
      Workload.Kind kind,
      Plot.Scale y,
      ToDoubleFunction<RunResult> figure) {
    List<Plot.Series> lines = new ArrayList<>();
    for (Case one : Case.of(kind)) {
      List<Plot.Point> points = new ArrayList<>();
      for (int clients : clients(kind)) {
        points.add(new Plot.Point(clients, figure(one, clients, figure)));
      }
      lines.add(new Plot.Series(one.mix().name(), points));
    }
    return new Chart(id, title, Plot.Scale.log("clients"), y, lines);
  }
}
