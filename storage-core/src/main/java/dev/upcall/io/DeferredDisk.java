package dev.upcall.io;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A disk whose requests wait until the thread that runs the dispatcher serves them, one after the
 * other, between two turns: for machines beside an engine of threads, on a thread that may wait.
 */
public final class DeferredDisk implements Disk {
  private final BlockDevice device;
  private final Dispatcher dispatcher;
  private final DiskMeter meter;
  private List<DiskRequest> waiting = new ArrayList<>();
  private long sizeBlocks;
  private boolean closed;

  /** A disk over a device, which it closes. */
  public DeferredDisk(BlockDevice device, Dispatcher dispatcher) {
    this.device = device;
    this.dispatcher = dispatcher;
    this.meter = new DiskMeter(dispatcher);
    this.sizeBlocks = device.sizeBlocks();
  }

  /** Whether {@link #serve} has something to do. */
  public boolean isWanted() {
    return !waiting.isEmpty();
  }

  /**
   * Serves what waits; the completions are delivered by upcalls. The dispatcher's thread, between
   * upcalls.
   *
   * @param transfers makes all transfers: its argument performs one on the device
   */
  public void serve(Transfers transfers) {
    List<DiskRequest> present = waiting;
    waiting = new ArrayList<>();
    int[] tickets = present.stream().mapToInt(meter::begun).toArray();
    List<Completion<Unit>> completions = transfers.perform(present, device::perform);
    for (int i = 0; i < present.size(); i++) {
      DiskRequest request = present.get(i);
      Completion<Unit> completion = completions.get(i);
      if (completion instanceof Completion.Done<Unit>) {
        sizeBlocks = DiskRules.resized(request, sizeBlocks);
      }
      meter.complete(request, completion, tickets[i]);
    }
  }

  /** How transfers are made. */
  @FunctionalInterface
  public interface Transfers {
    /** Performs each request and gives the completions in the same order. */
    List<Completion<Unit>> perform(
        List<DiskRequest> requests, Function<DiskRequest, Completion<Unit>> device);
  }

  @Override
  public void submit(DiskRequest request) {
    dispatcher.checkOwner();
    DiskRules.check(request);
    Failure refusal =
        closed ? new Failure.Closed(device.name()) : DiskRules.outOfRange(request, sizeBlocks);
    if (refusal != null) {
      dispatcher.complete(request.port(), Completion.failed(refusal));
    } else {
      waiting.add(request);
    }
  }

  @Override
  public long sizeBlocks() {
    return sizeBlocks;
  }

  @Override
  public String name() {
    return device.name();
  }

  @Override
  public DiskCounters counters() {
    return meter.snapshot(waiting.size());
  }

  @Override
  public void close(CompletionPort<Unit> port) {
    dispatcher.checkOwner();
    if (!waiting.isEmpty()) {
      dispatcher.post(() -> close(port));
      return;
    }
    if (!closed) {
      closed = true;
      device.close();
    }
    dispatcher.complete(port, Completion.done());
  }
}
