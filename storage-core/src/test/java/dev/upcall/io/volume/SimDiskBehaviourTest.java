package dev.upcall.io.volume;

import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.Disk;
import dev.upcall.sim.SimWorld;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Assertions;

class SimDiskBehaviourTest extends DiskBehaviour {
  /** The world whose disk is looked at. */
  SimWorld world() {
    return SimWorld.ofBlocks(42, SIZE_BLOCKS);
  }

  @Override
  Machine machine(ResultFilter filter) {
    SimWorld world = world().closesUnchecked("the blocks are no store's");
    return new Machine() {
      @Override
      public Dispatcher dispatcher() {
        return world.dispatcher();
      }

      @Override
      public Disk disk() {
        return world.disk();
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
