package dev.upcall.io.volume;

import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.Disk;
import dev.upcall.io.seal.Seal;
import dev.upcall.io.seal.VolumeKey;
import dev.upcall.sim.SimWorld;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Assertions;

/** A sealed disk is still a disk; its blocks 0 to 3, 100 and 101 are in clear. */
class SealedDiskBehaviourTest extends DiskBehaviour {
  static final long BACK = 100;

  static Seal seal() {
    byte[] key = new byte[VolumeKey.BYTES];
    new SplittableRandom(5).nextBytes(key);
    return Seal.of(new VolumeKey(key), BACK);
  }

  @Override
  Machine machine(ResultFilter filter) {
    SimWorld world =
        SimWorld.ofBlocks(44, SIZE_BLOCKS).closesUnchecked("the blocks are no store's");
    Disk disk = seal().over(world.disk(), world.dispatcher());
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
