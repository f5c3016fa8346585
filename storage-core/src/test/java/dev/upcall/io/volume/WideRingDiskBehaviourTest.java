package dev.upcall.io.volume;

import dev.upcall.config.DiskKind;

/** The ring with more requests in flight than its submission queue holds. */
class WideRingDiskBehaviourTest extends DiskBehaviour {
  @Override
  Machine machine(ResultFilter filter) {
    RealMachine machine = new RealMachine(NettyReactor.create());
    VolumeSpec spec = VolumeSpec.create(machine.path("volume"), DiskKind.AUTO, SIZE_BLOCKS);
    return machine.with(spec.withInFlightLimit(VolumeSpec.MAX_IN_FLIGHT), filter);
  }
}
