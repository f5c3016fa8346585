package dev.upcall.io;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.FlightRecorder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A disk in front of a disk: requests pass in the order, and in the number, that a {@link
 * SchedulingPolicy} decides. What waits is not bounded here; the bounds of those who ask (frames,
 * log batches, admission) are.
 */
public final class IoScheduler implements Disk {
  private final Disk disk;
  private final Dispatcher dispatcher;
  private final SchedulingPolicy policy;
  private @Nullable List<CompletionPort<Unit>> closers;
  private Dispatcher.@Nullable Timer timer;
  private boolean passing;
  private boolean closePassed;

  /** Puts a policy in front of a disk. */
  public IoScheduler(Disk disk, Dispatcher dispatcher, SchedulingPolicy policy) {
    this.disk = disk;
    this.dispatcher = dispatcher;
    this.policy = policy;
  }

  @Override
  public void submit(DiskRequest request) {
    dispatcher.checkOwner();
    if (closers != null) {
      dispatcher.complete(request.port(), Completion.failed(new Failure.Closed(name())));
      return;
    }
    DiskRules.check(request);
    policy.add(watched(request));
    pass();
  }

  @Override
  public void lift() {
    dispatcher.checkOwner();
    policy.lift();
    pass();
  }

  @Override
  public void whenLost(Consumer<Failure> listener) {
    disk.whenLost(listener);
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
    DiskCounters below = disk.counters();
    return new DiskCounters(below.inFlight(), below.waiting() + policy.waiting(), below.kinds());
  }

  @Override
  public void close(CompletionPort<Unit> port) {
    dispatcher.checkOwner();
    if (closers == null) {
      closers = new ArrayList<>();
    }
    if (closePassed) {
      disk.close(port);
      return;
    }
    closers.add(port);
    pass();
  }

  /** How many requests the policy holds back. */
  int waiting() {
    return policy.waiting();
  }

  /** Hands on what the policy lets through. */
  private void pass() {
    if (passing) {
      return;
    }
    passing = true;
    for (DiskRequest next = policy.next(); next != null; next = policy.next()) {
      passed(next);
    }
    passing = false;
    lookAgainInTime();
    List<CompletionPort<Unit>> waitingClosers = closers;
    if (waitingClosers != null && !closePassed && policy.waiting() == 0) {
      closePassed = true;
      waitingClosers.forEach(disk::close);
      waitingClosers.clear();
    }
  }

  /** The policy may hold back what waits for nothing but time. */
  private void lookAgainInTime() {
    long pauseNanos = policy.waiting() == 0 ? Long.MAX_VALUE : policy.pauseNanos();
    Dispatcher.Timer armed = timer;
    if (pauseNanos == Long.MAX_VALUE) {
      if (armed != null) {
        armed.cancel();
      }
    } else if (armed == null || !armed.isPending()) {
      // One that is pending is not late: what it was armed for could only be put off since.
      timer = dispatcher.schedule(pauseNanos, this::pass);
    }
  }

  /** The same request with a port that frees its place before it tells the asker. */
  private DiskRequest watched(DiskRequest request) {
    long asker = dispatcher.recorder().current();
    return request.as(request.ioClass(), new Watch(this, request.port(), asker));
  }

  /** Who asked may have done so long ago, and this may be the upcall of another. */
  private void passed(DiskRequest request) {
    FlightRecorder recorder = dispatcher.recorder();
    long before = recorder.current();
    Watch watch = (Watch) request.port();
    watch.passed = request; // by now perhaps in another class
    recorder.serve(watch.asker);
    disk.submit(request);
    recorder.serve(before);
  }

  private static final class Watch implements CompletionPort<Unit> {
    private final IoScheduler scheduler;
    private final CompletionPort<Unit> port;
    private final long asker;
    private @Nullable DiskRequest passed;

    Watch(IoScheduler scheduler, CompletionPort<Unit> port, long asker) {
      this.scheduler = scheduler;
      this.port = port;
      this.asker = asker;
    }

    @Override
    public void complete(Completion<Unit> completion) {
      scheduler.policy.completed(Invariants.present(passed, "what was passed on"));
      scheduler.pass();
      port.complete(completion);
    }
  }
}
