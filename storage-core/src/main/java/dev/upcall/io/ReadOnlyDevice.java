package dev.upcall.io;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;

/**
 * A device as those have it who must not change it, like {@link ReadOnlyDisk}. Closing it closes
 * the device.
 */
public final class ReadOnlyDevice implements BlockDevice {
  private final BlockDevice device;

  /** A device that is left as it is. */
  public ReadOnlyDevice(BlockDevice device) {
    this.device = device;
  }

  @Override
  public Completion<Unit> perform(DiskRequest request) {
    return switch (request) {
      case DiskRequest.Read read -> read(read);
      case DiskRequest.Stat stat -> device.perform(stat);
      case DiskRequest.Sync _ -> Completion.done();
      default -> Completion.failed(ReadOnlyDisk.REFUSAL);
    };
  }

  private Completion<Unit> read(DiskRequest.Read read) {
    CutRead cut = CutRead.of(read, sizeBlocks());
    if (cut == null) {
      return device.perform(read);
    }
    if (cut.there().isEmpty()) {
      return Completion.failed(CutRead.failure(read, name()));
    }
    Completion<Unit> head =
        device.perform(
            new DiskRequest.Read(read.block(), cut.there(), read.ioClass(), read.port()));
    cut.fill();
    return head;
  }

  @Override
  public long sizeBlocks() {
    return device.sizeBlocks();
  }

  @Override
  public String name() {
    return device.name();
  }

  @Override
  public void close() {
    device.close();
  }
}
