package dev.upcall.txn.engine;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.ForwardingDisk;
import java.util.function.Consumer;

/**
 * The disk as those see it who sync for one request only. A failed sync may have lost what others
 * wrote before it, and no later sync will say so: the whole store must hear of it.
 */
final class SyncGuard extends ForwardingDisk {
  private final Consumer<Failure> failed;

  /**
   * A guard.
   *
   * @param failed hears of each failed sync, before the one who asked for it
   */
  SyncGuard(Disk disk, Consumer<Failure> failed) {
    super(disk);
    this.failed = failed;
  }

  @Override
  public void submit(DiskRequest request) {
    if (request instanceof DiskRequest.Sync sync) {
      CompletionPort<Unit> port = sync.port();
      pass(
          new DiskRequest.Sync(
              sync.ioClass(),
              completion -> {
                if (completion instanceof Completion.Failed<Unit> failure) {
                  failed.accept(failure.failure());
                }
                port.complete(completion);
              }));
    } else {
      pass(request);
    }
  }
}
