package dev.upcall.bench.ecommerce.machine;

import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.elevator.AnticipatoryPolicy;
import dev.upcall.io.elevator.CfqPolicy;
import dev.upcall.io.elevator.DeadlinePolicy;
import dev.upcall.io.elevator.ElevatorConfig;
import dev.upcall.io.elevator.NoopPolicy;
import dev.upcall.io.schedule.FairShareConfig;
import dev.upcall.io.schedule.FairSharePolicy;
import dev.upcall.io.schedule.HeadConfig;
import dev.upcall.io.schedule.HeadSharePolicy;
import dev.upcall.io.schedule.SchedulingPolicy;

/** The schedulers that are compared: those of the paper's kernel, and the store's. */
public enum Policy {
  /** First come, first served. */
  NOOP("noop"),
  /** An elevator with deadlines. */
  DEADLINE("deadline"),
  /** An elevator that waits for the next read, at 250 ticks a second. */
  ANTICIPATORY_4MS("anticipatory, 4 ms"),
  /** The same at 1,000 ticks. */
  ANTICIPATORY_6MS("anticipatory, 6 ms"),
  /** Time slices of those who ask. */
  CFQ("CFQ"),
  /** The store's own, as it is on flash. */
  FLAT_SHARES("fair shares, flat"),
  /** The store's own. */
  FAIR_SHARES("fair shares");

  private static final int TICKS = 250;
  private static final int MORE_TICKS = 1000;

  private final String label;

  Policy(String label) {
    this.label = label;
  }

  /** For tables. */
  public String label() {
    return label;
  }

  /** Whether the paper compares it. */
  public boolean isOfPaper() {
    return this != FAIR_SHARES && this != FLAT_SHARES;
  }

  /** A policy with nothing in it, in front of a drive of a command queue of such a depth. */
  public SchedulingPolicy over(Dispatcher dispatcher, int depth) {
    ElevatorConfig config =
        ElevatorConfig.linux(depth, this == ANTICIPATORY_6MS ? MORE_TICKS : TICKS);
    return switch (this) {
      case NOOP -> new NoopPolicy(depth);
      case DEADLINE -> new DeadlinePolicy(config, dispatcher::upcallNanos);
      case ANTICIPATORY_4MS, ANTICIPATORY_6MS -> new AnticipatoryPolicy(config, dispatcher);
      case CFQ -> new CfqPolicy(config, dispatcher);
      case FLAT_SHARES -> new FairSharePolicy(FairShareConfig.defaults(), dispatcher::upcallNanos);
      case FAIR_SHARES ->
          new HeadSharePolicy(FairShareConfig.defaults(), HeadConfig.DEFAULT, dispatcher);
    };
  }
}
