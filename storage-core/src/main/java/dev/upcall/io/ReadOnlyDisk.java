package dev.upcall.io;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.fsm.Dispatcher;

/**
 * A disk as those have it who must not change it: reads go through, a sync has nothing to do, and
 * everything else is refused with {@code ReadOnly}. What is read behind the end of a file that was
 * cut short is {@code Corrupt}, or, at the end of a longer read, zeros. Closing it closes the disk.
 */
public final class ReadOnlyDisk extends ForwardingDisk {
  static final Failure REFUSAL = new Failure.ReadOnly("it was opened so");

  private final Dispatcher dispatcher;

  /** A disk that is left as it is. */
  public ReadOnlyDisk(Disk disk, Dispatcher dispatcher) {
    super(disk);
    this.dispatcher = dispatcher;
  }

  @Override
  public void submit(DiskRequest request) {
    switch (request) {
      case DiskRequest.Read read -> read(read);
      case DiskRequest.Stat stat -> pass(stat);
      case DiskRequest.Sync sync -> dispatcher.complete(sync.port(), Completion.done());
      default -> dispatcher.complete(request.port(), Completion.failed(REFUSAL));
    }
  }

  private void read(DiskRequest.Read read) {
    CutRead cut = CutRead.of(read, sizeBlocks());
    if (cut == null) {
      pass(read);
    } else if (cut.there().isEmpty()) {
      dispatcher.complete(read.port(), Completion.failed(CutRead.failure(read, name())));
    } else {
      pass(
          new DiskRequest.Read(
              read.block(),
              cut.there(),
              read.ioClass(),
              completion -> {
                cut.fill();
                read.port().complete(completion);
              }));
    }
  }
}
