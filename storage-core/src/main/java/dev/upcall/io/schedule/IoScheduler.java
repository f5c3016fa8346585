package dev.upcall.io.schedule;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.fsm.record.Stage;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskCounters;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.DiskRules;
import dev.upcall.io.ForwardingDisk;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A disk in front of a disk: requests pass in the order, and in the number, that a {@link
 * SchedulingPolicy} decides. What waits is not bounded here; the bounds of those who ask (frames,
 * log batches, admission) are.
 *
 * <p>With a {@link MergeConfig}, requests that follow each other become one, and requests that
 * touch the same blocks complete in the order in which they were asked for, if one of them changes
 * something. Without, as the store has it, the order is the policy's alone: the store waits for one
 * before it asks for another, or takes either content, as a verification does of the map's homes.
 */
public final class IoScheduler extends ForwardingDisk {
  private final Dispatcher dispatcher;
  private final SchedulingPolicy policy;
  private final @Nullable Neighbours neighbours;
  private @Nullable List<CompletionPort<Unit>> closers;
  private Dispatcher.@Nullable Timer timer;
  private long timerDueNanos;
  private boolean passing;
  private boolean closePassed;

  /** How many were let in and have not been answered; counted with neighbours only. */
  private int inside;

  /** Puts a policy in front of a disk. */
  public IoScheduler(Disk disk, Dispatcher dispatcher, SchedulingPolicy policy) {
    super(disk);
    this.dispatcher = dispatcher;
    this.policy = policy;
    this.neighbours = null;
  }

  /** Puts a policy in front of a disk, behind a place where requests meet their neighbours. */
  public IoScheduler(
      Disk disk, Dispatcher dispatcher, SchedulingPolicy policy, MergeConfig merging) {
    super(disk);
    this.dispatcher = dispatcher;
    this.policy = policy;
    this.neighbours = new Neighbours(merging, policy.mergesWithLastOnly());
  }

  @Override
  public void submit(DiskRequest request) {
    dispatcher.checkOwner();
    if (closers != null) {
      dispatcher.complete(request.port(), Completion.failed(new Failure.Closed(name())));
      return;
    }
    DiskRules.check(request);
    long served = dispatcher.recorder().current();
    Neighbours around = neighbours;
    if (around == null) {
      policy.add(new Dispatch(this, request, request.port(), served));
    } else {
      inside++;
      Placed dispatch = around.arrived(this, request, served);
      if (dispatch.isFree()) {
        letOn(dispatch, around);
      }
    }
    pass();
  }

  /** Nothing stands in the way of a dispatch any more. */
  private void letOn(Placed dispatch, Neighbours around) {
    long block = dispatch.block();
    Placed into = around.mergedInto(dispatch);
    if (into == null) {
      policy.add(dispatch);
    } else if (into.block() == block) {
      policy.beginsEarlier(into, dispatch.end());
    }
  }

  @Override
  public void lift() {
    dispatcher.checkOwner();
    Neighbours around = neighbours;
    if (around != null) {
      around.lift();
    }
    policy.lift();
    pass();
  }

  @Override
  public DiskCounters counters() {
    DiskCounters below = super.counters();
    return new DiskCounters(below.inFlight(), below.waiting() + waiting(), below.kinds());
  }

  @Override
  public void close(CompletionPort<Unit> port) {
    dispatcher.checkOwner();
    if (closers == null) {
      closers = new ArrayList<>();
    }
    if (closePassed) {
      super.close(port);
      return;
    }
    closers.add(port);
    pass();
  }

  /** As of the present upcall. */
  long nowNanos() {
    return dispatcher.upcallNanos();
  }

  /** How many are held back here. */
  int waiting() {
    Neighbours around = neighbours;
    return policy.waiting() + (around == null ? 0 : around.parked());
  }

  /** Hands on what the policy lets through. */
  private void pass() {
    if (passing) {
      return;
    }
    passing = true;
    for (Dispatch next = policy.next(); next != null; next = policy.next()) {
      passed(next);
    }
    passing = false;
    lookAgainInTime();
    List<CompletionPort<Unit>> waitingClosers = closers;
    // A merged request that fails comes back in its parts: the disk must be open for them.
    if (waitingClosers != null && !closePassed && policy.waiting() == 0 && inside == 0) {
      closePassed = true;
      waitingClosers.forEach(super::close);
      waitingClosers.clear();
    }
  }

  /** The policy may hold back what waits for nothing but time. */
  private void lookAgainInTime() {
    long pauseNanos = policy.waiting() == 0 ? Long.MAX_VALUE : policy.pauseNanos();
    Dispatcher.Timer armed = timer;
    boolean isWanted = pauseNanos != Long.MAX_VALUE;
    long dueNanos = isWanted ? dispatcher.upcallNanos() + pauseNanos : Long.MAX_VALUE;
    if (armed != null && armed.isPending()) {
      // One that comes too early asks again; one that would come too late is replaced.
      if (isWanted && timerDueNanos <= dueNanos) {
        return;
      }
      armed.cancel();
    }
    if (isWanted) {
      timerDueNanos = dueNanos;
      timer = dispatcher.schedule(pauseNanos, this::pass);
    }
  }

  /** Who asked may have done so long ago, and this may be the upcall of another. */
  private void passed(Dispatch dispatch) {
    FlightRecorder recorder = dispatcher.recorder();
    long before = recorder.current();
    if (neighbours != null && dispatch instanceof Placed placed) {
      neighbours.passed(placed);
      stampOthers(placed, Stage.STARTED);
    }
    recorder.serve(dispatch.served());
    dispatch.passes();
    pass(dispatch.toDevice());
    recorder.serve(before);
  }

  /** The disk stamps for the first who asked only. */
  private void stampOthers(Placed dispatch, Stage stage) {
    List<Placed> parts = dispatch.allParts();
    for (int i = 1; i < parts.size(); i++) {
      long served = parts.get(i).served();
      if (FlightRecorder.isMeasured(served)) {
        dispatcher.recorder().stamp(served, stage, dispatcher.clock().monotonicNanos());
      }
    }
  }

  /** The device is done with a dispatch. */
  void completed(Dispatch dispatch, Completion<Unit> completion) {
    policy.completed(dispatch);
    pass();
    dispatch.port().complete(completion);
  }

  /** The device is done with a dispatch, which may have to be tried again in its parts. */
  void completed(Placed dispatch, Completion<Unit> completion) {
    policy.completed(dispatch);
    if (dispatch.parts() > 1 && completion instanceof Completion.Failed<Unit>) {
      // Nobody shall fail for a neighbour.
      dispatch.apart().forEach(policy::add);
      pass();
      return;
    }
    Placed over = dispatch.over();
    Neighbours around = neighbours;
    if (over != null && around != null) {
      around.left(over, next -> letOn(next, around));
    }
    inside -= dispatch.parts();
    pass();
    answer(dispatch, completion);
  }

  private void answer(Placed dispatch, Completion<Unit> completion) {
    FlightRecorder recorder = dispatcher.recorder();
    long before = recorder.current();
    stampOthers(dispatch, Stage.FINISHED);
    for (Placed part : dispatch.allParts()) {
      recorder.serve(part.served());
      part.port().complete(completion);
    }
    recorder.serve(before);
  }
}
