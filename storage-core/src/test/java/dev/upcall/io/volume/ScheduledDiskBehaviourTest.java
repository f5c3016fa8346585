package dev.upcall.io.volume;

import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.Disk;
import dev.upcall.io.schedule.FairShareConfig;
import dev.upcall.io.schedule.FairSharePolicy;
import dev.upcall.io.schedule.IoScheduler;
import dev.upcall.io.schedule.PacingConfig;
import dev.upcall.io.trace.BlockMeasures;
import dev.upcall.io.trace.TracedDisk;
import dev.upcall.sim.SimWorld;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Assertions;

/** A narrow scheduler over a traced disk is still a disk. */
class ScheduledDiskBehaviourTest extends DiskBehaviour {
  /** The disk that is looked at. */
  Disk scheduled(Disk device, Dispatcher dispatcher) {
    FairShareConfig narrow =
        new FairShareConfig(4, 2, 1, FairShareConfig.Weights.DEFAULT, 4, PacingConfig.DEFAULT);
    return new IoScheduler(
        device, dispatcher, new FairSharePolicy(narrow, dispatcher::upcallNanos));
  }

  @Override
  Machine machine(ResultFilter filter) {
    SimWorld world =
        SimWorld.ofBlocks(43, SIZE_BLOCKS).closesUnchecked("the blocks are no store's");
    TracedDisk trace =
        new TracedDisk(world.disk(), world.dispatcher(), new BlockMeasures(SIZE_BLOCKS));
    Disk disk = scheduled(trace, world.dispatcher());
    return new Machine() {
      @Override
      public Dispatcher dispatcher() {
        return world.dispatcher();
      }

      @Override
      public Disk disk() {
        return disk;
      }

      @Override
      public void runUntil(BooleanSupplier condition) {
        Assertions.assertTrue(world.runUntil(condition));
      }

      @Override
      public void close() {}
    };
  }

  @Override
  boolean filters() {
    return false;
  }
}
