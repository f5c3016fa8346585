package dev.upcall.sim.store;

import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.Disk;
import dev.upcall.io.elevator.AnticipatoryPolicy;
import dev.upcall.io.elevator.CfqPolicy;
import dev.upcall.io.elevator.DeadlinePolicy;
import dev.upcall.io.elevator.ElevatorConfig;
import dev.upcall.io.elevator.NoopPolicy;
import dev.upcall.io.schedule.FairShareConfig;
import dev.upcall.io.schedule.FairSharePolicy;
import dev.upcall.io.schedule.HeadConfig;
import dev.upcall.io.schedule.HeadSharePolicy;
import dev.upcall.io.schedule.IoScheduler;
import dev.upcall.io.schedule.MergeConfig;
import dev.upcall.io.schedule.SchedulingPolicy;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import dev.upcall.sim.drive.DriveConfig;
import java.util.function.UnaryOperator;

/** What the disk of a simulated lifetime is. */
public enum SimDevice {
  /** Latency and scheduler as the seed says. */
  DRAWN {
    @Override
    Disk over(Disk disk, SimWorld world, UnaryOperator<Disk> seeded) {
      return seeded.apply(disk);
    }
  },
  /** The same, and all but the superblocks is encrypted. */
  SEALED {
    @Override
    Disk over(Disk disk, SimWorld world, UnaryOperator<Disk> seeded) {
      return seeded.apply(disk);
    }
  },
  /** A drive with heads and a cache, and a scheduler as the seed says. */
  DRIVE {
    @Override
    Disk over(Disk disk, SimWorld world, UnaryOperator<Disk> seeded) {
      return seeded.apply(disk);
    }

    @Override
    SimDiskConfig config(SimDiskConfig drawn) {
      return drawn.withService(DriveConfig.fast15k(DRIVE_BLOCKS));
    }
  },
  /** First come, first served, and merged. */
  NOOP {
    @Override
    SchedulingPolicy policy(Dispatcher dispatcher) {
      return new NoopPolicy(DEPTH);
    }
  },
  /** An elevator with deadlines, and merged. */
  DEADLINE {
    @Override
    SchedulingPolicy policy(Dispatcher dispatcher) {
      return new DeadlinePolicy(ElevatorConfig.linux(DEPTH, TICKS), dispatcher::upcallNanos);
    }
  },
  /** With waiting for readers, and merged. */
  ANTICIPATORY {
    @Override
    SchedulingPolicy policy(Dispatcher dispatcher) {
      return new AnticipatoryPolicy(ElevatorConfig.linux(DEPTH, TICKS), dispatcher);
    }
  },
  /** With slices of time, and merged. */
  CFQ {
    @Override
    SchedulingPolicy policy(Dispatcher dispatcher) {
      return new CfqPolicy(ElevatorConfig.linux(DEPTH, TICKS), dispatcher);
    }
  },
  /** The store's own policy, and merged. */
  FAIR_SHARES {
    @Override
    SchedulingPolicy policy(Dispatcher dispatcher) {
      return new FairSharePolicy(FairShareConfig.defaults(), dispatcher::upcallNanos);
    }
  },
  /** The store's own policy for a drive with heads, in front of one. */
  HEAD_SHARES {
    @Override
    SchedulingPolicy policy(Dispatcher dispatcher) {
      return new HeadSharePolicy(FairShareConfig.defaults(), HeadConfig.DEFAULT, dispatcher);
    }

    @Override
    SimDiskConfig config(SimDiskConfig drawn) {
      return drawn.withService(DriveConfig.fast15k(DRIVE_BLOCKS));
    }
  };

  private static final int DEPTH = 4;
  private static final int TICKS = 250;
  private static final long DRIVE_BLOCKS = 1_000_000;

  /** The device of which the seed says what it is like. */
  SimDiskConfig config(SimDiskConfig drawn) {
    return drawn;
  }

  /**
   * The disk as the store sees it.
   *
   * @param seeded puts before a disk what the seed says
   */
  Disk over(Disk disk, SimWorld world, UnaryOperator<Disk> seeded) {
    Dispatcher dispatcher = world.dispatcher();
    return new IoScheduler(disk, dispatcher, policy(dispatcher), MergeConfig.DEFAULT);
  }

  SchedulingPolicy policy(Dispatcher dispatcher) {
    throw new IllegalStateException(this + " has no policy of its own");
  }
}
