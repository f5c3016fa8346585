package dev.upcall.io.schedule;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.ForwardingDisk;
import java.util.ArrayDeque;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every policy holds the contract; what breaks it is caught. */
class SchedulingContractTest {
  private static final int SEEDS = 25;
  private static final int OLDER = 12;

  private static SchedulingContract.Maker maker(Contestant contestant, MergeConfig merging) {
    return (device, dispatcher) -> contestant.over(device, dispatcher, merging);
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsLostOrDoneTwiceAndOverlapsKeepTheirOrder(Contestant contestant) {
    for (int seed = 0; seed < SEEDS; seed++) {
      SchedulingContract.holdsUnderLoad(seed, maker(contestant, MergeConfig.DEFAULT));
      SchedulingContract.holdsUnderLoad(seed, maker(contestant, MergeConfig.OFF));
      SchedulingContract.holdsUnderLoad(
          seed, maker(contestant, new MergeConfig(8 * Disk.BLOCK_BYTES, /* front= */ false)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void closingAnswersAllThatIsInside(Contestant contestant) {
    for (int seed = 0; seed < SEEDS; seed++) {
      SchedulingContract.closesWithWorkInside(seed, maker(contestant, MergeConfig.DEFAULT));
      SchedulingContract.closesWithWorkInside(seed, maker(contestant, MergeConfig.OFF));
    }
  }

  @ParameterizedTest
  @EnumSource
  void nobodyWaitsForLongerThanIsStated(Contestant contestant) {
    long longest = contestant.longestWaitNanos(OLDER, SchedulingContract.MOST_SERVICE_NANOS);
    for (int seed = 0; seed < 3; seed++) {
      SchedulingContract.nobodyStarves(seed, maker(contestant, MergeConfig.DEFAULT), longest);
      SchedulingContract.nobodyStarves(seed, maker(contestant, MergeConfig.OFF), longest);
    }
  }

  // ------------------------------------------------------------------ canaries

  /** First come, first served, changed by a subclass. */
  private static class Broken implements SchedulingPolicy {
    final ArrayDeque<Dispatch> queue = new ArrayDeque<>();
    int inFlight;

    @Override
    public void add(Dispatch dispatch) {
      queue.addLast(dispatch);
    }

    @Nullable Dispatch choose() {
      return queue.pollFirst();
    }

    @Override
    public @Nullable Dispatch next() {
      Dispatch next = inFlight < Contestant.DEPTH ? choose() : null;
      inFlight += next == null ? 0 : 1;
      return next;
    }

    @Override
    public void completed(Dispatch dispatch) {
      inFlight--;
    }

    @Override
    public int waiting() {
      return queue.size();
    }
  }

  private static final class Forgets extends Broken {
    private int added;

    @Override
    public void add(Dispatch dispatch) {
      added++;
      if (added != 50) {
        super.add(dispatch);
      }
    }
  }

  private static final class TooDeep extends Broken {
    @Override
    public @Nullable Dispatch next() {
      return choose();
    }
  }

  private static final class Twice extends Broken {
    private int sent;

    @Override
    @Nullable Dispatch choose() {
      Dispatch next = super.choose();
      sent += next == null ? 0 : 1;
      if (sent == 50) {
        queue.addLast(next);
      }
      return next;
    }
  }

  /** Serves reads of the front half as long as there are any. */
  private static final class Starves extends Broken {
    @Override
    @Nullable Dispatch choose() {
      for (Dispatch each : queue) {
        if (each.reads() && each.block() < SchedulingContract.BLOCKS / 2) {
          queue.remove(each);
          return each;
        }
      }
      return super.choose();
    }
  }

  private static final class LastComeFirstServed extends Broken {
    @Override
    @Nullable Dispatch choose() {
      return queue.pollLast();
    }
  }

  /** Fails unless the run does, by one of its checks or one of the device's. */
  private static void isCaught(Runnable run) {
    try {
      run.run();
    } catch (AssertionError | Invariants.Violation caught) {
      return;
    }
    throw new AssertionError("nobody noticed");
  }

  private static SchedulingContract.Maker broken(Supplier<Broken> policy) {
    return (device, dispatcher) ->
        new IoScheduler(device, dispatcher, policy.get(), MergeConfig.OFF);
  }

  @Test
  void whoeverForgetsOneIsCaught() {
    isCaught(() -> SchedulingContract.holdsUnderLoad(1, broken(Forgets::new)));
  }

  @Test
  void whoeverSendsOneTwiceIsCaught() {
    isCaught(() -> SchedulingContract.holdsUnderLoad(1, broken(Twice::new)));
  }

  @Test
  void whoeverSendsTooManyIsCaught() {
    isCaught(() -> SchedulingContract.holdsUnderLoad(1, broken(TooDeep::new)));
  }

  @Test
  void whoeverStarvesSomebodyIsCaught() {
    long longest = Contestant.NOOP.longestWaitNanos(OLDER, SchedulingContract.MOST_SERVICE_NANOS);
    SchedulingContract.nobodyStarves(1, broken(Broken::new), longest);
    isCaught(() -> SchedulingContract.nobodyStarves(1, broken(Starves::new), longest));
  }

  @Test
  void whoeverReordersWhatOverlapsIsCaught() {
    // Where requests do not meet their neighbours the policy alone gives the order.
    isCaught(
        () ->
            SchedulingContract.holdsUnderLoad(
                1,
                (device, dispatcher) ->
                    new IoScheduler(device, dispatcher, new LastComeFirstServed())));
  }

  @Test
  void whoeverAnswersTooEarlyIsCaught() {
    isCaught(
        () ->
            SchedulingContract.holdsUnderLoad(
                1,
                (device, dispatcher) ->
                    new AnswersEarly(
                        Contestant.DEADLINE.over(device, dispatcher, MergeConfig.DEFAULT),
                        dispatcher)));
  }

  /** Answers some who read before their part was read. */
  private static final class AnswersEarly extends ForwardingDisk {
    private final Dispatcher dispatcher;
    private int requests;

    AnswersEarly(Disk device, Dispatcher dispatcher) {
      super(device);
      this.dispatcher = dispatcher;
    }

    @Override
    public void submit(DiskRequest request) {
      requests++;
      if (request instanceof DiskRequest.Read read && requests % 20 == 0) {
        CompletionPort<Unit> port = read.port();
        pass(read.as(read.ioClass(), done -> {}));
        dispatcher.complete(port, Completion.done());
      } else {
        pass(request);
      }
    }
  }
}
