package dev.upcall.io;

import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Failure;
import dev.upcall.fsm.Unit;

/**
 * A disk as those have it who must not change it: reads go through, a sync has nothing to do, and
 * everything else is refused with {@code ReadOnly}. Closing it closes the disk.
 */
public final class ReadOnlyDisk implements Disk {
  private final Disk disk;
  private final Dispatcher dispatcher;

  /** A disk that is left as it is. */
  public ReadOnlyDisk(Disk disk, Dispatcher dispatcher) {
    this.disk = disk;
    this.dispatcher = dispatcher;
  }

  @Override
  public void submit(DiskRequest request) {
    switch (request) {
      case DiskRequest.Read read -> disk.submit(read);
      case DiskRequest.Sync sync -> dispatcher.complete(sync.port(), Completion.done());
      default ->
          dispatcher.complete(
              request.port(), Completion.failed(new Failure.ReadOnly("it was opened so")));
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
