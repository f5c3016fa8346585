package dev.upcall.io;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.fsm.meter.Distribution;
import dev.upcall.fsm.record.RecordKind;
import dev.upcall.fsm.record.Stage;
import java.util.Arrays;
import java.util.List;

/**
 * What a disk counts of its requests, and what the flight recorder hears of them; it keeps whom
 * each serves while the device has it. Owner's thread; two readings of the clock a request, and no
 * allocation but for more requests in flight than ever before.
 */
public final class DiskMeter {
  private static final DiskOperation[] OPERATIONS = DiskOperation.values();

  private final Dispatcher dispatcher;
  private final FlightRecorder recorder;
  private final int operationNames;
  private final int classNames;
  private final Distribution[] nanos = new Distribution[OPERATIONS.length];
  private final long[] failed = new long[OPERATIONS.length];
  private final long[] blocks = new long[OPERATIONS.length];

  /** What is in flight, by tickets; the free ones are those from {@code inFlight} on. */
  private int[] tickets = {0, 1, 2, 3, 4, 5, 6, 7};

  private long[] begunNanos = new long[tickets.length];
  private long[] numbers = new long[tickets.length];
  private long[] askers = new long[tickets.length];
  private int inFlight;
  private long begun;

  /** Nothing counted yet. */
  public DiskMeter(Dispatcher dispatcher) {
    this.dispatcher = dispatcher;
    this.recorder = dispatcher.recorder();
    this.operationNames = recorder.names(DiskOperation.class);
    this.classNames = recorder.names(IoClass.class);
    for (int i = 0; i < nanos.length; i++) {
      nanos[i] = new Distribution();
    }
  }

  /**
   * The device got a request, which serves the current one of the recorder.
   *
   * @return a ticket for {@link #ended}
   */
  public int begun(DiskRequest request) {
    if (inFlight == tickets.length) {
      grow();
    }
    int ticket = tickets[inFlight++];
    begunNanos[ticket] = dispatcher.clock().monotonicNanos();
    numbers[ticket] = begun++;
    askers[ticket] = recorder.current();
    record(RecordKind.DISK_REQUEST, request, 0, ticket);
    return ticket;
  }

  /** Whom a request in flight serves. */
  public long asker(int ticket) {
    return askers[ticket];
  }

  /** When a request in flight began. */
  public long begunNanos(int ticket) {
    return begunNanos[ticket];
  }

  /** Counts and delivers what the device did; the request's asker is current for that time. */
  public void complete(DiskRequest request, Completion<Unit> completion, int ticket) {
    long before = recorder.current();
    ended(request, completion, ticket);
    dispatcher.complete(request.port(), completion);
    recorder.serve(before);
  }

  /**
   * The device is done with a request, whose completion is reaped; stamps that. From here on the
   * request that it serves is the recorder's current one.
   */
  public void ended(DiskRequest request, Completion<Unit> completion, int ticket) {
    tickets[--inFlight] = ticket;
    recorder.serve(askers[ticket]);
    recorder.stamp(Stage.FINISHED);
    int operation = request.operation().index();
    nanos[operation].record(dispatcher.clock().monotonicNanos() - begunNanos[ticket]);
    if (completion instanceof Completion.Done) {
      blocks[operation] += request.blocks();
    } else {
      failed[operation]++;
    }
    record(RecordKind.DISK_COMPLETION, request, recorder.outcome(completion), ticket);
  }

  private void record(RecordKind kind, DiskRequest request, int outcome, int ticket) {
    recorder.record(
        kind,
        operationNames + request.operation().index(),
        classNames + request.ioClass().index(),
        outcome,
        numbers[ticket],
        request.firstBlock(),
        request.blocks());
  }

  private void grow() {
    int before = tickets.length;
    tickets = Arrays.copyOf(tickets, 2 * before);
    begunNanos = Arrays.copyOf(begunNanos, 2 * before);
    numbers = Arrays.copyOf(numbers, 2 * before);
    askers = Arrays.copyOf(askers, 2 * before);
    for (int i = before; i < tickets.length; i++) {
      tickets[i] = i;
    }
  }

  /**
   * A copy of the counts.
   *
   * @param waiting requests that the disk holds back until the device has a place for them
   */
  public DiskCounters snapshot(int waiting) {
    DiskCounters.Kind[] kinds = new DiskCounters.Kind[OPERATIONS.length];
    for (int i = 0; i < kinds.length; i++) {
      kinds[i] =
          new DiskCounters.Kind(
              OPERATIONS[i], failed[i], blocks[i] * Disk.BLOCK_BYTES, nanos[i].snapshot());
    }
    return new DiskCounters(inFlight, waiting, List.of(kinds));
  }
}
