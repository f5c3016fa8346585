package dev.upcall.txn.engine;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.ForwardingDisk;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The disk as those see it who sync for one request only. A failed sync may have lost what others
 * wrote before it, and no later sync will say so: the whole store must hear of it. All who ask
 * while one is under way share the next one, which begins behind their writes as their own would
 * have.
 */
final class SyncGuard extends ForwardingDisk {
  private final Consumer<Failure> failed;
  private final List<DiskRequest.Sync> waiting = new ArrayList<>();
  private boolean isSyncing;

  /**
   * A guard.
   *
   * @param failed hears of each failed sync, before those who asked for it
   */
  SyncGuard(Disk disk, Consumer<Failure> failed) {
    super(disk);
    this.failed = failed;
  }

  @Override
  public void submit(DiskRequest request) {
    if (request instanceof DiskRequest.Sync sync) {
      waiting.add(sync);
      if (!isSyncing) {
        syncAll();
      }
    } else {
      pass(request);
    }
  }

  /** One for all who wait, as urgent as the most urgent of them. */
  private void syncAll() {
    isSyncing = true;
    List<DiskRequest.Sync> together = List.copyOf(waiting);
    waiting.clear();
    CompletionPort<Unit> each =
        completion -> {
          isSyncing = false;
          if (completion instanceof Completion.Failed<Unit> failure) {
            failed.accept(failure.failure());
          }
          if (!waiting.isEmpty()) {
            syncAll();
          }
          together.forEach(sync -> sync.port().complete(completion));
        };
    pass(
        new DiskRequest.Sync(
            together.stream().map(DiskRequest.Sync::ioClass).min(Enum::compareTo).orElseThrow(),
            each));
  }
}
