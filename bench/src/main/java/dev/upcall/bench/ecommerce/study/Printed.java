package dev.upcall.bench.ecommerce.study;

import dev.upcall.bench.ecommerce.Workload;
import dev.upcall.bench.ecommerce.machine.Load;
import java.util.List;

/**
 * A row of tables 8 to 11 as it is printed.
 *
 * @param table its number
 * @param load how many clients
 * @param writeRich which mix
 * @param kind the benchmark
 * @param sectors moved
 * @param stream mean sizes in sectors
 * @param sequential sequentialities
 * @param interarrivalMillis mean time between two requests
 */
record Printed(
    int table,
    Load load,
    boolean writeRich,
    Workload.Kind kind,
    Pair sectors,
    Pair stream,
    Pair sequential,
    double interarrivalMillis) {

  /** Of reads and of writes. */
  record Pair(double read, double write) {}

  /** All rows. */
  static final List<Printed> ROWS =
      List.of(
          light(8, false, Workload.Kind.TPC_W, 11_327_714, 11_352, 36.69, 11.62, .46, .88, 3.06),
          light(8, false, Workload.Kind.RUBIS, 659_653, 7_400, 9.48, 11.97, .09, .99, 11.97),
          light(8, false, Workload.Kind.TPC_C, 1_356_551, 940_036, 12.58, 8.79, .14, .07, 7.83),
          light(9, true, Workload.Kind.TPC_W, 6_751_063, 20_840, 35.99, 14.02, .49, .33, 4.21),
          light(9, true, Workload.Kind.RUBIS, 118_549, 27_184, 9.11, 11.82, .05, .22, 40.33),
          light(9, true, Workload.Kind.TPC_C, 1_159_496, 1_592_638, 14.40, 9.69, .12, .09, 6.32),
          heavy(10, false, Workload.Kind.TPC_W, 10_075_511, 12_688, 51.93, 11.19, .53, .79, 4.51),
          heavy(10, false, Workload.Kind.RUBIS, 4_018_828, 7_752, 21.31, 11.43, .35, .99, 5.79),
          heavy(10, false, Workload.Kind.TPC_C, 1_049_287, 875_084, 15.03, 9.50, .15, .07, 8.78),
          heavy(11, true, Workload.Kind.TPC_W, 13_460_872, 26_640, 56.53, 13.51, .56, .31, 3.23),
          heavy(11, true, Workload.Kind.RUBIS, 440_200, 21_880, 13.18, 14.01, .19, .31, 15.99),
          heavy(11, true, Workload.Kind.TPC_C, 1_368_204, 1_652_168, 14.00, 10.84, .12, .14, 6.04));

  /** The part of reads by sectors. */
  double readShare() {
    return sectors.read / (sectors.read + sectors.write);
  }

  /** What a request of reads has. */
  double readRequestSectors() {
    return stream.read * (1 - sequential.read);
  }

  /** What a request of writes would have. */
  double writeRequestSectors() {
    return stream.write * (1 - sequential.write);
  }

  /** How long the run lasted: its requests, and the time between two. */
  double seconds() {
    double requests = sectors.read / readRequestSectors() + sectors.write / LEAST_WRITE_SECTORS;
    return requests * interarrivalMillis / 1e3;
  }

  /** The row of a benchmark. */
  static Printed of(Load load, boolean writeRich, Workload.Kind kind) {
    return ROWS.stream()
        .filter(row -> row.load == load && row.writeRich == writeRich && row.kind == kind)
        .findFirst()
        .orElseThrow();
  }

  /** What a write can have at least in a file system of pages of 4 KB. */
  private static final double LEAST_WRITE_SECTORS = 8;

  /**
   * Whether streams and sequentiality of writes contradict each other: a request of a stream would
   * be smaller than a page.
   */
  boolean isContradictory() {
    return writeRequestSectors() < LEAST_WRITE_SECTORS / 2;
  }

  private static Printed light(
      int table, boolean writeRich, Workload.Kind kind, double... figures) {
    return row(table, Load.LIGHT, writeRich, kind, figures);
  }

  private static Printed heavy(
      int table, boolean writeRich, Workload.Kind kind, double... figures) {
    return row(table, Load.HEAVY, writeRich, kind, figures);
  }

  private static Printed row(
      int table, Load load, boolean writeRich, Workload.Kind kind, double... figures) {
    return new Printed(
        table,
        load,
        writeRich,
        kind,
        new Pair(figures[0], figures[1]),
        new Pair(figures[2], figures[3]),
        new Pair(figures[4], figures[5]),
        figures[6]);
  }
}
