package dev.upcall.io.volume;

import dev.upcall.config.DiskKind;

/** The thread pool, on a loop without a ring. */
class ChannelDiskBehaviourTest extends DiskBehaviour {
  @Override
  Machine machine(ResultFilter filter) {
    RealMachine machine = new RealMachine(NettyReactor.create(NettyReactor.Transport.NIO));
    VolumeSpec spec = VolumeSpec.create(machine.path("volume"), DiskKind.CHANNEL, SIZE_BLOCKS);
    return machine.with(spec, filter);
  }
}
