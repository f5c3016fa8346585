package dev.upcall.io.volume;

import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.Disk;
import dev.upcall.io.elevator.AnticipatoryPolicy;
import dev.upcall.io.elevator.ElevatorConfig;
import dev.upcall.io.schedule.IoScheduler;
import dev.upcall.io.schedule.MergeConfig;

/** A scheduler that merges, and waits on purpose, is still a disk. */
class MergingDiskBehaviourTest extends ScheduledDiskBehaviourTest {
  @Override
  Disk scheduled(Disk device, Dispatcher dispatcher) {
    ElevatorConfig config = ElevatorConfig.linux(/* depth= */ 2, 1000);
    return new IoScheduler(
        device, dispatcher, new AnticipatoryPolicy(config, dispatcher), MergeConfig.DEFAULT);
  }
}
