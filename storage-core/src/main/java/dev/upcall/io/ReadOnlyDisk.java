package dev.upcall.io;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.fsm.Dispatcher;

/**
 * A disk as those have it who must not change it: reads go through, a sync has nothing to do, and
 * everything else is refused with {@code ReadOnly}. Closing it closes the disk.
 */
public final class ReadOnlyDisk extends ForwardingDisk {
  private final Dispatcher dispatcher;

  /** A disk that is left as it is. */
  public ReadOnlyDisk(Disk disk, Dispatcher dispatcher) {
    super(disk);
    this.dispatcher = dispatcher;
  }

  @Override
  public void submit(DiskRequest request) {
    switch (request) {
      case DiskRequest.Read read -> pass(read);
      case DiskRequest.Stat stat -> pass(stat);
      case DiskRequest.Sync sync -> dispatcher.complete(sync.port(), Completion.done());
      default ->
          dispatcher.complete(
              request.port(), Completion.failed(new Failure.ReadOnly("it was opened so")));
    }
  }
}
