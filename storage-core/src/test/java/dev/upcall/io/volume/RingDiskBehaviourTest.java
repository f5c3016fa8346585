package dev.upcall.io.volume;

import dev.upcall.config.DiskKind;

/** The ring with few slots, so that requests park; the channel where there is no ring. */
class RingDiskBehaviourTest extends DiskBehaviour {
  @Override
  Machine machine(ResultFilter filter) {
    RealMachine machine = new RealMachine(NettyReactor.create());
    VolumeSpec spec = VolumeSpec.create(machine.path("volume"), DiskKind.AUTO, SIZE_BLOCKS);
    return machine.with(spec.withInFlightLimit(8), filter);
  }
}
