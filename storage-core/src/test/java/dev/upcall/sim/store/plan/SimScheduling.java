package dev.upcall.sim.store.plan;

import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.Disk;
import dev.upcall.io.schedule.DrawnScheduler;
import dev.upcall.io.schedule.FairShareConfig;
import dev.upcall.io.schedule.FairSharePolicy;
import dev.upcall.io.schedule.IoPolicyConfig;
import dev.upcall.io.schedule.IoScheduler;
import dev.upcall.io.schedule.PacingConfig;
import dev.upcall.sim.SimWorld;
import dev.upcall.sim.store.model.SimRider;
import dev.upcall.txn.volume.VolumeLayout;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The scheduler before the disk of a lifetime: every other one has what its seed has always meant,
 * the others have any policy with any knobs.
 *
 * @param drawn the policy; null: as the seed has always meant
 */
public record SimScheduling(@Nullable IoPolicyConfig drawn) {
  /** So many later requests may go before one; sound policies come to a third of it. */
  private static final int OVERTAKEN = 400;

  public static SimScheduling draw(SplittableRandom random) {
    return new SimScheduling(random.nextBoolean() ? null : DrawnScheduler.draw(random));
  }

  /**
   * The disk as the store sees it. Of each chunk of the free-space map a checkpoint writes the home
   * that is not the present one, and a verification meanwhile reads both.
   */
  public Disk over(Disk disk, VolumeLayout layout, SimWorld world, Canary canary) {
    IoPolicyConfig config = drawn;
    if (config == null) {
      return asEver(disk, world);
    }
    Disk scheduled =
        DrawnScheduler.over(
            config,
            disk,
            world.dispatcher(),
            new DrawnScheduler.Allowed(OVERTAKEN, layout.mapStart(), layout.dataStart()),
            canary.scheduling());
    // Beside what a killed owner still writes there would be two changes at a time.
    boolean rides = DrawnScheduler.keepsOrder(config) && !world.disk().isLate();
    return rides ? new SimRider(scheduled, world.clock().monotonicNanos()) : scheduled;
  }

  /**
   * Bare, or behind fair shares, from one request at a time to many, with a background that is
   * paced or not.
   */
  private static Disk asEver(Disk disk, SimWorld world) {
    int depth = 1 << 3 * (int) (world.seed() & 3);
    if (depth == 1) {
      return disk;
    }
    Dispatcher dispatcher = world.dispatcher();
    FairShareConfig shares =
        new FairShareConfig(
            depth / 4,
            Math.max(1, depth / 16),
            Math.max(1, depth / 32),
            FairShareConfig.Weights.DEFAULT,
            4,
            (world.seed() & 4) == 0 ? PacingConfig.OFF : PacingConfig.DEFAULT);
    return new IoScheduler(disk, dispatcher, new FairSharePolicy(shares, dispatcher::upcallNanos));
  }
}
