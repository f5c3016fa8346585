package dev.upcall.sim;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.ForwardingDisk;

/** A disk that syncs again when a sync has failed: as a store would be that believes the second. */
public final class RetryingDisk extends ForwardingDisk {
  public RetryingDisk(Disk disk) {
    super(disk);
  }

  @Override
  public void submit(DiskRequest request) {
    if (request instanceof DiskRequest.Sync sync) {
      CompletionPort<Unit> port = sync.port();
      pass(
          new DiskRequest.Sync(
              sync.ioClass(),
              completion -> {
                if (completion instanceof Completion.Failed<Unit>) {
                  pass(sync);
                } else {
                  port.complete(completion);
                }
              }));
    } else {
      pass(request);
    }
  }
}
