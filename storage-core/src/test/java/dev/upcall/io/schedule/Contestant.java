package dev.upcall.io.schedule;

import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.Disk;
import dev.upcall.io.elevator.AnticipatoryPolicy;
import dev.upcall.io.elevator.CfqPolicy;
import dev.upcall.io.elevator.DeadlinePolicy;
import dev.upcall.io.elevator.ElevatorConfig;
import dev.upcall.io.elevator.NoopPolicy;
import java.util.concurrent.TimeUnit;

/** The policies that the contract is for, each with the bounds that it states. */
enum Contestant {
  NOOP {
    @Override
    SchedulingPolicy policy(Dispatcher dispatcher) {
      return new NoopPolicy(DEPTH);
    }

    @Override
    long longestWaitNanos(int older, long serviceNanos) {
      return (older + 1) * serviceNanos;
    }
  },
  DEADLINE {
    @Override
    SchedulingPolicy policy(Dispatcher dispatcher) {
      return new DeadlinePolicy(LINUX_250, dispatcher::upcallNanos);
    }

    @Override
    long longestWaitNanos(int older, long serviceNanos) {
      ElevatorConfig.Deadline config = LINUX_250.deadline();
      long round = (config.writesStarved() + 1L) * config.batch() * serviceNanos;
      return config.writeNanos() + (older + 1) * round;
    }
  },
  ANTICIPATORY_250 {
    @Override
    SchedulingPolicy policy(Dispatcher dispatcher) {
      return new AnticipatoryPolicy(LINUX_250, dispatcher);
    }

    @Override
    long longestWaitNanos(int older, long serviceNanos) {
      return anticipatoryWaitNanos(LINUX_250.anticipatory(), older);
    }
  },
  ANTICIPATORY_1000 {
    @Override
    SchedulingPolicy policy(Dispatcher dispatcher) {
      return new AnticipatoryPolicy(LINUX_1000, dispatcher);
    }

    @Override
    long longestWaitNanos(int older, long serviceNanos) {
      return anticipatoryWaitNanos(LINUX_1000.anticipatory(), older);
    }
  },
  CFQ {
    @Override
    SchedulingPolicy policy(Dispatcher dispatcher) {
      return new CfqPolicy(LINUX_1000, dispatcher);
    }

    @Override
    long longestWaitNanos(int older, long serviceNanos) {
      ElevatorConfig.Cfq config = LINUX_1000.cfq();
      long round = (older + 1) * (config.sliceNanos() + config.idleNanos() + serviceNanos);
      return config.otherNanos() + (older + 1) * round;
    }
  },
  FAIR_SHARES {
    @Override
    SchedulingPolicy policy(Dispatcher dispatcher) {
      FairShareConfig shares =
          new FairShareConfig(
              DEPTH - 1, 1, 1, FairShareConfig.Weights.DEFAULT, 4, PacingConfig.DEFAULT);
      return new FairSharePolicy(shares, dispatcher::upcallNanos);
    }

    @Override
    long longestWaitNanos(int older, long serviceNanos) {
      // The least share of the device is a fifteenth, and the background rests beside readers.
      long rest = PacingConfig.DEFAULT.maxRestNanos();
      return (older + 1) * (15 * 256 * serviceNanos + rest);
    }
  },
  HEAD_SHARES {
    @Override
    SchedulingPolicy policy(Dispatcher dispatcher) {
      FairShareConfig shares =
          new FairShareConfig(
              DEPTH, 1, 1, FairShareConfig.Weights.DEFAULT, 4, PacingConfig.DEFAULT);
      HeadConfig heads =
          new HeadConfig(DEPTH - 1, TURN_NANOS, 16, HeadConfig.DEFAULT.waitNanos(), 64);
      return new HeadSharePolicy(shares, heads, dispatcher);
    }

    @Override
    long longestWaitNanos(int older, long serviceNanos) {
      // Fifteen turns at most go to others for each of the background.
      long turn = TURN_NANOS + HeadConfig.DEFAULT.waitNanos() + serviceNanos;
      return (older + 1) * (15 * turn + PacingConfig.DEFAULT.maxRestNanos());
    }
  };

  private static final long TURN_NANOS = HeadConfig.DEFAULT.turnNanos();

  /** Requests at the device, of every contestant. */
  static final int DEPTH = 4;

  private static final ElevatorConfig LINUX_250 = ElevatorConfig.linux(DEPTH, 250);
  private static final ElevatorConfig LINUX_1000 = ElevatorConfig.linux(DEPTH, 1000);

  abstract SchedulingPolicy policy(Dispatcher dispatcher);

  /** The longest wait that the policy states, for one that finds so many older ones. */
  abstract long longestWaitNanos(int older, long serviceNanos);

  private static long anticipatoryWaitNanos(ElevatorConfig.Anticipatory config, int older) {
    long round = config.writeNanos() + config.readBatchNanos() + 3 * config.writeBatchNanos();
    return (older + 1) * (round + TimeUnit.MILLISECONDS.toNanos(10));
  }

  Disk over(Disk device, Dispatcher dispatcher, MergeConfig merging) {
    return new IoScheduler(device, dispatcher, policy(dispatcher), merging);
  }
}
