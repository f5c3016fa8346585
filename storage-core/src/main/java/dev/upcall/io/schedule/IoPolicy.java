package dev.upcall.io.schedule;

import dev.upcall.fsm.Dispatcher;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The scheduling policies that there are. */
public enum IoPolicy {
  /** First come, first served. */
  NOOP {
    @Override
    SchedulingPolicy make(IoPolicyConfig config, Dispatcher dispatcher) {
      return new NoopPolicy(config.elevator().depth());
    }
  },
  /** An elevator with deadlines, reads before writes. */
  DEADLINE {
    @Override
    SchedulingPolicy make(IoPolicyConfig config, Dispatcher dispatcher) {
      return new DeadlinePolicy(config.elevator(), dispatcher::upcallNanos);
    }
  },
  /** The same, which waits for the next read of who has just read. */
  ANTICIPATORY {
    @Override
    SchedulingPolicy make(IoPolicyConfig config, Dispatcher dispatcher) {
      return new AnticipatoryPolicy(config.elevator(), dispatcher);
    }
  },
  /** Slices of time for each asker in turn. */
  CFQ {
    @Override
    SchedulingPolicy make(IoPolicyConfig config, Dispatcher dispatcher) {
      return new CfqPolicy(config.elevator(), dispatcher);
    }
  },
  /** Shares of the device for each class, {@link #ROTATING} if it says that it has heads. */
  FAIR {
    @Override
    SchedulingPolicy make(IoPolicyConfig config, Dispatcher dispatcher) {
      return FLAT.make(config, dispatcher);
    }
  },
  /** The same on a device on which no place is far, whatever it says. */
  FLAT {
    @Override
    SchedulingPolicy make(IoPolicyConfig config, Dispatcher dispatcher) {
      return new FairSharePolicy(config.shares(), dispatcher::upcallNanos);
    }
  },
  /** The same on a device with heads, whatever it says. */
  ROTATING {
    @Override
    SchedulingPolicy make(IoPolicyConfig config, Dispatcher dispatcher) {
      return new HeadSharePolicy(config.shares(), config.heads(), dispatcher);
    }
  };

  abstract SchedulingPolicy make(IoPolicyConfig config, Dispatcher dispatcher);

  /** Whether it gives shares, and takes requests as they come unless it is told to merge. */
  boolean isUnmerged() {
    return this == FAIR || this == FLAT;
  }

  /** Its name for people: {@code noop}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The policy of a name.
   *
   * @throws IllegalArgumentException that lists them all, if there is none
   */
  static IoPolicy of(String word) {
    return Arrays.stream(values())
        .filter(policy -> policy.word().equals(word.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no policy '%s', only %s"
                        .formatted(
                            word,
                            Arrays.stream(values())
                                .map(IoPolicy::word)
                                .collect(Collectors.joining(", ")))));
  }
}
