package dev.upcall.io.volume;

import dev.upcall.config.DiskKind;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.Disk;
import java.util.function.BooleanSupplier;

/** A seal over a real disk: the ring where there is one. */
class SealedRingDiskBehaviourTest extends DiskBehaviour {
  @Override
  Machine machine(ResultFilter filter) {
    RealMachine machine = new RealMachine(NettyReactor.create());
    VolumeSpec spec = VolumeSpec.create(machine.path("volume"), DiskKind.AUTO, SIZE_BLOCKS);
    machine.with(spec, filter);
    Disk disk = SealedDiskBehaviourTest.seal().over(machine.disk(), machine.dispatcher());
    return new Machine() {
      @Override
      public Dispatcher dispatcher() {
        return machine.dispatcher();
      }

      @Override
      public Disk disk() {
        return disk;
      }

      @Override
      public void runUntil(BooleanSupplier condition) {
        machine.runUntil(condition);
      }

      @Override
      public void close() {
        machine.close();
      }
    };
  }
}
