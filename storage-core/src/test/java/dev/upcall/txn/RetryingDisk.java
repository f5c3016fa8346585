package dev.upcall.txn;

import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Unit;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskCounters;
import dev.upcall.io.DiskRequest;

/** A disk that syncs again when a sync has failed: as a store would be that believes the second. */
final class RetryingDisk implements Disk {
  private final Disk disk;

  RetryingDisk(Disk disk) {
    this.disk = disk;
  }

  @Override
  public void submit(DiskRequest request) {
    if (request instanceof DiskRequest.Sync sync) {
      CompletionPort<Unit> port = sync.port();
      disk.submit(
          new DiskRequest.Sync(
              sync.ioClass(),
              completion -> {
                if (completion instanceof Completion.Failed<Unit>) {
                  disk.submit(sync);
                } else {
                  port.complete(completion);
                }
              }));
    } else {
      disk.submit(request);
    }
  }

  @Override
  public long sizeBlocks() {
    return disk.sizeBlocks();
  }

  @Override
  public String name() {
    return disk.name();
  }

  @Override
  public DiskCounters counters() {
    return disk.counters();
  }

  @Override
  public void close(CompletionPort<Unit> port) {
    disk.close(port);
  }
}
