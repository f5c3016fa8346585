package dev.upcall.io;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.config.DiskKind;
import java.util.function.Consumer;

/**
 * A disk in front of another one that does something of its own with requests and is like the other
 * in everything else. Closing it closes the other.
 */
public abstract class ForwardingDisk implements Disk {
  private final Disk disk;

  /** In front of a disk. */
  protected ForwardingDisk(Disk disk) {
    this.disk = disk;
  }

  /** Hands a request to the disk behind. */
  protected final void pass(DiskRequest request) {
    disk.submit(request);
  }

  @Override
  public void lift() {
    disk.lift();
  }

  @Override
  public void whenLost(Consumer<Failure> listener) {
    disk.whenLost(listener);
  }

  @Override
  public final long sizeBlocks() {
    return disk.sizeBlocks();
  }

  @Override
  public final String name() {
    return disk.name();
  }

  @Override
  public final boolean isRotating() {
    return disk.isRotating();
  }

  @Override
  public final DiskKind kind() {
    return disk.kind();
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
