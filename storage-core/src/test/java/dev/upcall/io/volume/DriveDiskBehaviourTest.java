package dev.upcall.io.volume;

import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import dev.upcall.sim.drive.DriveConfig;

/** A drive with heads and a cache is still a disk. */
class DriveDiskBehaviourTest extends SimDiskBehaviourTest {
  @Override
  SimWorld world() {
    SimDiskConfig config = SimDiskConfig.ofBlocks(SIZE_BLOCKS);
    return new SimWorld(44, config.withService(DriveConfig.fast15k(100_000)));
  }
}
