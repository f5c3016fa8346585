package dev.upcall.bench.fsm;

import dev.upcall.bench.harness.Numbers;
import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Interval;
import dev.upcall.bench.report.Point;
import dev.upcall.bench.report.Reading;
import dev.upcall.bench.report.Sweep;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the report hoped for from true asynchronous I/O. */
final class DiskClaims {
  /** The kernel's ring. */
  static final String RING = "io_uring";

  /** The report's pool. */
  static final String POOL = "60 threads";

  private static final List<Integer> LOADS = List.of(50, 25, 5);

  private DiskClaims() {}

  /** One for each sweep. */
  static List<Claim> of(List<Sweep> sweeps) {
    List<Claim> claims = new ArrayList<>();
    for (Sweep sweep : sweeps) {
      claims.add(claim(sweep));
    }
    return claims;
  }

  private static Claim claim(Sweep sweep) {
    String said =
        "The report had fake asynchronous I/O, a pool of 60 threads, and named true asynchronous"
            + " I/O as what was missing. Taken as: with it throughput is higher ("
            + sweep.title()
            + ", 50 in flight).";
    Optional<Integer> load =
        LOADS.stream()
            .filter(one -> sweep.at(RING, one).isPresent() && sweep.at(POOL, one).isPresent())
            .findFirst();
    if (load.isEmpty()) {
      return Claim.undecided("FSM-IO", said, "This run did not measure it.");
    }
    Point ring = sweep.at(RING, load.get()).orElseThrow();
    Point pool = sweep.at(POOL, load.get()).orElseThrow();
    Interval ratio = Interval.ofThroughput(ring, pool);
    return new Claim(
        "FSM-IO",
        said,
        ratio.atLeast(1),
        "At %d in flight the ring reaches %s times the throughput of the pool, for %s against %s µs of processor time and %s against %s context switches a cycle."
            .formatted(
                load.get(),
                ratio,
                Numbers.show(ring.median(Reading::cpuMicros)),
                Numbers.show(pool.median(Reading::cpuMicros)),
                Numbers.show(ring.more("context switches")),
                Numbers.show(pool.more("context switches"))));
  }
}
