package dev.upcall.io.schedule;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.io.AskingPort;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;

/**
 * What goes to the device as one request: that of one asker, or of several whose requests follow
 * each other. It is the port of the device's request; each asker gets a completion of his own.
 */
public sealed class Dispatch implements AskingPort permits Placed {
  private final IoScheduler scheduler;
  private final CompletionPort<Unit> port;

  /** Whom it serves, for the flight recorder. */
  private final long served;

  /** As the device gets it: it is answered here. */
  private DiskRequest request;

  /** When it came, and from its passing on how long that was ago. */
  private long nanos;

  /** What is asked for by a request that is answered at a port. */
  Dispatch(IoScheduler scheduler, DiskRequest request, CompletionPort<Unit> port, long served) {
    this.scheduler = scheduler;
    this.port = port;
    this.served = served;
    this.request = request.as(request.ioClass(), this);
    this.nanos = scheduler.nowNanos();
  }

  // ------------------------------------------------------------------ for policies

  /** How urgent it is. */
  public final IoClass ioClass() {
    return request.ioClass();
  }

  /** Whether blocks come from the device. */
  public final boolean reads() {
    return request instanceof DiskRequest.Read;
  }

  /** Whether blocks move: others have no place on the device that matters. */
  public final boolean movesData() {
    return reads()
        || request instanceof DiskRequest.Write
        || request instanceof DiskRequest.DurableWrite;
  }

  /** Whether somebody is likely to wait for it: a read, or a write that is to last. */
  public final boolean isAwaited() {
    return reads() || request instanceof DiskRequest.DurableWrite;
  }

  /** Its first block. */
  public long block() {
    return request.firstBlock();
  }

  /** How many blocks it has. */
  public long blocks() {
    return request.blocks();
  }

  /** The block behind its last one. */
  public final long end() {
    return block() + blocks();
  }

  /** Who asks; of several, who asked first. */
  @Override
  public final int asker() {
    return port instanceof AskingPort asking ? asking.asker() : FlightRecorder.asker(served);
  }

  // ------------------------------------------------------------------ for the scheduler

  /** It goes to the device now. */
  final void passes() {
    nanos = scheduler.nowNanos() - nanos;
  }

  @Override
  public final long waitedNanos() {
    return nanos;
  }

  final IoScheduler scheduler() {
    return scheduler;
  }

  final CompletionPort<Unit> port() {
    return port;
  }

  final long served() {
    return served;
  }

  /** That of who asked first. */
  final DiskRequest request() {
    return request;
  }

  /** The request that the device gets. */
  DiskRequest toDevice() {
    return request;
  }

  /** What the background wants, somebody waits for. */
  final void lift() {
    if (request.ioClass() == IoClass.BACKGROUND) {
      request = request.as(IoClass.FOREGROUND_WRITE, this);
    }
  }

  @Override
  public void complete(Completion<Unit> completion) {
    scheduler.completed(this, completion);
  }
}
