package dev.upcall.io.volume;

import dev.upcall.config.DiskKind;
import dev.upcall.fsm.door.ParkingReactor;

/** The thread pool, on a dispatcher without any I/O of its own. */
class ParkedChannelDiskBehaviourTest extends DiskBehaviour {
  @Override
  Machine machine(ResultFilter filter) {
    RealMachine machine = new RealMachine(new ParkingReactor());
    VolumeSpec spec = VolumeSpec.create(machine.path("volume"), DiskKind.CHANNEL, SIZE_BLOCKS);
    return machine.with(spec, filter);
  }
}
