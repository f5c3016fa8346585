package dev.upcall.io.schedule;

import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.Disk;
import dev.upcall.io.elevator.ElevatorConfig;
import dev.upcall.io.elevator.ElevatorPolicyConfig;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Any policy with any knobs, as chance will have it, and looked at. */
public final class DrawnScheduler {
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  /** The longest anticipation, idling or rest that is drawn. */
  private static final long LONGEST_PAUSE = 10 * MILLI;

  /**
   * A turn by time of each of the askers, and for whoever is not at the front of his own queue a
   * second one: none that is drawn is longer than 160 ms, and a dozen ask.
   */
  private static final long TURNS = 4000 * MILLI;

  private static final ElevatorPolicyConfig.Kind[] ELEVATORS = ElevatorPolicyConfig.Kind.values();
  private static final SharePolicyConfig.Kind[] SHARES = SharePolicyConfig.Kind.values();

  /** How many policies there are. */
  public static final int POLICIES = ELEVATORS.length + SHARES.length;

  private DrawnScheduler() {}

  /** Draws a policy, its knobs, and what is merged. */
  public static IoPolicyConfig draw(RandomGenerator random) {
    int policy = random.nextInt(POLICIES);
    int depth = (int) pick(random, 1, 2, 4, 32);
    FairShareConfig shares =
        new FairShareConfig(
            depth,
            (int) pick(random, 1, 4, 32),
            (int) pick(random, 1, depth),
            new FairShareConfig.Weights(
                (int) pick(random, 1, 8, 100), 4, (int) pick(random, 1, 2), 1),
            (int) pick(random, 0, 4, 64),
            random.nextBoolean() ? PacingConfig.OFF : PacingConfig.DEFAULT);
    HeadConfig heads =
        new HeadConfig(
            depth,
            pick(random, MILLI, 20 * MILLI, 160 * MILLI),
            (int) pick(random, 1, 16, 200),
            pick(random, 0, MILLI, 4 * MILLI),
            (int) pick(random, 0, 64));
    int maxBytes = (int) pick(random, 0, 2 * Disk.BLOCK_BYTES, 64 << 10, 512 << 10);
    ElevatorConfig elevator =
        random.nextInt(3) == 0
            ? ElevatorConfig.linux(depth, (int) pick(random, 100, 250, 1000))
            : elevator(random, depth);
    MergeConfig merging = new MergeConfig(maxBytes, random.nextBoolean());
    return policy < ELEVATORS.length
        ? new ElevatorPolicyConfig(ELEVATORS[policy], elevator, merging)
        : new SharePolicyConfig(SHARES[policy - ELEVATORS.length], shares, heads, merging);
  }

  private static ElevatorConfig elevator(RandomGenerator random, int depth) {
    return new ElevatorConfig(
        depth,
        new ElevatorConfig.Deadline(
            pick(random, MILLI, 50 * MILLI, 500 * MILLI),
            pick(random, MILLI, 500 * MILLI, 5000 * MILLI),
            (int) pick(random, 1, 4, 16),
            (int) pick(random, 0, 1, 8)),
        new ElevatorConfig.Anticipatory(
            pick(random, MILLI, 125 * MILLI),
            pick(random, MILLI, 250 * MILLI),
            pick(random, MILLI, 500 * MILLI),
            pick(random, MILLI, 125 * MILLI),
            (int) pick(random, 1, 2, 25),
            pick(random, 0, MILLI, 10 * MILLI)),
        new ElevatorConfig.Cfq(
            (int) pick(random, 1, 4),
            (int) pick(random, 1, 2, 8),
            pick(random, MILLI, 125 * MILLI),
            pick(random, MILLI, 250 * MILLI),
            pick(random, MILLI, 100 * MILLI),
            pick(random, MILLI, 40 * MILLI),
            (int) pick(random, 1, 16),
            pick(random, 0, MILLI, 10 * MILLI)));
  }

  private static long pick(RandomGenerator random, long... choices) {
    return choices[random.nextInt(choices.length)];
  }

  /** How many may be in flight. */
  public static int depth(IoPolicyConfig config) {
    if (config instanceof ElevatorPolicyConfig elevator) {
      return elevator.elevator().depth();
    }
    SharePolicyConfig shares = (SharePolicyConfig) config;
    boolean hasHeads = shares.kind() == SharePolicyConfig.Kind.ROTATING;
    int depth = hasHeads ? shares.heads().depth() : shares.shares().depth();
    return depth + shares.shares().logDepth();
  }

  private static long turnsNanos(IoPolicyConfig config) {
    return switch (config.policy()) {
      case "anticipatory", "cfq", "rotating" -> TURNS;
      default -> 0;
    };
  }

  /** Whether requests that overlap keep their order. */
  public static boolean keepsOrder(IoPolicyConfig config) {
    return !config.isUnmerged() || config.merging().maxBytes() > 0;
  }

  /**
   * What a sound policy may do.
   *
   * @param overtaken so many later ones may go before one, unless turns go by time
   * @param from the first block whose requests may change places, though they overlap: who asks for
   *     them at once takes either content
   * @param to the block behind the last of them
   */
  public record Allowed(int overtaken, long from, long to) {}

  /**
   * A disk with the policy in front of it, looked at.
   *
   * @param broken how it is broken on purpose, if it is
   */
  public static Disk over(
      IoPolicyConfig config,
      Disk device,
      Dispatcher dispatcher,
      Allowed allowed,
      BrokenPolicy.@Nullable Way broken) {
    SchedulingPolicy sound = config.newPolicy(dispatcher);
    SchedulingPolicy policy =
        broken == null ? sound : new BrokenPolicy(sound, broken, dispatcher::upcallNanos);
    WatchedPolicy watched =
        new WatchedPolicy(
            policy,
            dispatcher::upcallNanos,
            new WatchedPolicy.Bounds(depth(config), allowed, LONGEST_PAUSE, turnsNanos(config)));
    // Whoever reorders does not let requests meet their neighbours, who would keep the order.
    return keepsOrder(config) && broken != BrokenPolicy.Way.REORDERS
        ? new IoScheduler(device, dispatcher, watched, config.merging())
        : new IoScheduler(device, dispatcher, watched);
  }
}
