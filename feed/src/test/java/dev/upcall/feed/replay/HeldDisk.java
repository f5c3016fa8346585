package dev.upcall.feed.replay;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.record.FlightRecord;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.DiskRules;
import dev.upcall.io.ForwardingDisk;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A disk whose requests complete in an order that somebody else has: each is held until it is
 * released, before or after the disk behind has done it. What is in the background is not held: it
 * goes on as it will, at other times than it did. Dispatcher's thread.
 */
final class HeldDisk extends ForwardingDisk {
  private final Disk behind;
  private final Dispatcher dispatcher;
  private final List<Held> held = new ArrayList<>();

  /** What the recording says is done and was not asked for yet. */
  private final List<Done> early = new ArrayList<>();

  /** What was released here before the recording says so. */
  private final List<Done> ahead = new ArrayList<>();

  private boolean holds;
  private int submitted;

  /**
   * What a recording says that the device has done.
   *
   * @param operation as {@code dev.upcall.io.DiskOperation}
   * @param ioClass as {@link dev.upcall.io.IoClass}
   */
  record Done(String operation, String ioClass, long block, long blocks) {
    private static Done of(DiskRequest request) {
      return new Done(
          DiskRules.operation(request).toUpperCase(Locale.ROOT).replace(' ', '_'),
          request.ioClass().name(),
          request.firstBlock(),
          request.blocks());
    }

    private boolean isLike(Done other) {
      return operation.equals(other.operation) && ioClass.equals(other.ioClass);
    }
  }

  /**
   * Holds nothing yet.
   *
   * @param broken what gets requests for the disk as soon as they are held
   */
  HeldDisk(Disk disk, UnaryOperator<Disk> broken, Dispatcher dispatcher) {
    super(disk);
    this.behind = broken.apply(disk);
    this.dispatcher = dispatcher;
  }

  /** From now on. */
  void hold() {
    holds = true;
  }

  @Override
  public void submit(DiskRequest request) {
    if (!holds) {
      pass(request);
      return;
    }
    submitted++;
    if (FlightRecord.isBackground(dispatcher.recorder().current())) {
      behind.submit(request);
      return;
    }
    Held one = new Held(request);
    Done released = like(early, one.what);
    if (released == null) {
      held.add(one);
    } else {
      early.remove(released);
      one.isReleased = true;
    }
    behind.submit(request.as(request.ioClass(), one::done));
  }

  /** Nothing is held any more: who was told of what else the device had done was another. */
  void letGo() {
    holds = false;
    held.forEach(Held::release);
    held.clear();
  }

  /** How many requests there were since it holds. */
  int submitted() {
    return submitted;
  }

  /**
   * The device has done such a one: that with the same blocks, or one like it that was released
   * ahead, or the first like it.
   *
   * @param isBackground whether it was done in the background there: then there may be none here
   */
  void release(Done done, boolean isBackground) {
    Held same = first(one -> one.what.equals(done));
    if (same == null && ahead.remove(like(ahead, done))) {
      return;
    }
    Held found = same == null ? first(one -> one.what.isLike(done)) : same;
    if (found != null) {
      held.remove(found);
      found.release();
    } else if (!isBackground) {
      early.add(done);
    }
  }

  /** Releases what the disk behind has done first, before its turn, if there is any. */
  boolean releaseOldest() {
    Held oldest = first(one -> one.completion != null);
    if (oldest != null) {
      held.remove(oldest);
      ahead.add(oldest.what);
      oldest.release();
    }
    return oldest != null;
  }

  private @Nullable Held first(Predicate<Held> which) {
    return held.stream().filter(which).findFirst().orElse(null);
  }

  private static @Nullable Done like(List<Done> among, Done what) {
    for (Done one : among) {
      if (one.isLike(what)) {
        return one;
      }
    }
    return null;
  }

  /** A request on its way. */
  private final class Held {
    private final DiskRequest request;
    private final Done what;
    private boolean isReleased;
    private @Nullable Completion<Unit> completion;
    private long asker;

    Held(DiskRequest request) {
      this.request = request;
      this.what = Done.of(request);
    }

    private void done(Completion<Unit> outcome) {
      if (isReleased) {
        request.port().complete(outcome);
      } else {
        completion = outcome;
        asker = dispatcher.recorder().current();
      }
    }

    private void release() {
      isReleased = true;
      Completion<Unit> outcome = completion;
      if (outcome != null) {
        dispatcher.recorder().serving(asker, () -> request.port().complete(outcome));
      }
    }
  }
}
