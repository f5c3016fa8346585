package dev.upcall.sim;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskCounters;
import dev.upcall.io.DiskMeter;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.DiskRules;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * A device that takes its time and holds nothing: for studies of traffic, in which only places and
 * times count. What is read into stays as it was, what is written is gone. Contents, crashes and
 * faults are {@link SimDisk}'s.
 */
public final class TimedDisk implements Disk {
  private final String name;
  private final long sizeBlocks;
  private final Dispatcher dispatcher;
  private final ServiceTime service;
  private final DiskMeter meter;
  private final List<CompletionPort<Unit>> closers = new ArrayList<>();
  private int inFlight;
  private boolean closing;

  /**
   * A device of so many blocks with nothing to do.
   *
   * @param service what its requests take, started with the same dispatcher's clock
   */
  public TimedDisk(String name, long sizeBlocks, Dispatcher dispatcher, ServiceTime service) {
    this.name = name;
    this.sizeBlocks = sizeBlocks;
    this.dispatcher = dispatcher;
    this.service = service;
    this.meter = new DiskMeter(dispatcher);
  }

  @Override
  public void submit(DiskRequest request) {
    dispatcher.checkOwner();
    DiskRules.check(request);
    Failure refused =
        closing ? new Failure.Closed(name) : DiskRules.outOfRange(request, sizeBlocks);
    if (refused != null) {
      dispatcher.complete(request.port(), Completion.failed(refused));
      return;
    }
    inFlight++;
    int ticket = meter.begun(request);
    service.serve(request, LongUnaryOperator.identity(), () -> served(request, ticket));
  }

  private void served(DiskRequest request, int ticket) {
    inFlight--;
    Completion<Unit> done = Completion.done();
    meter.ended(request, done, ticket);
    request.port().complete(done);
    closeWhenIdle();
  }

  @Override
  public long sizeBlocks() {
    return sizeBlocks;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isRotating() {
    return service.isRotating();
  }

  @Override
  public DiskCounters counters() {
    return meter.snapshot(/* waiting= */ 0);
  }

  @Override
  public void close(CompletionPort<Unit> port) {
    dispatcher.checkOwner();
    closing = true;
    closers.add(port);
    closeWhenIdle();
  }

  private void closeWhenIdle() {
    if (closing && inFlight == 0) {
      closers.forEach(port -> dispatcher.complete(port, Completion.done()));
      closers.clear();
    }
  }
}
