package dev.upcall.sim.store;

import dev.upcall.access.SegmentHandle;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.sim.store.model.SimInspection;
import dev.upcall.store.StoreFixture;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** Asks a handle for nothing, or for what no file can have: the content stays as it is. */
final class SimEdges {
  private static final int ONE_IN = 6;

  /** No file begins, ends or has a range there, also where a sum of two is a small number. */
  private static final long[] FAR = {
    Long.MIN_VALUE,
    -1,
    Long.MAX_VALUE / 2 + 1,
    Long.MAX_VALUE - 9000,
    Long.MAX_VALUE - 1,
    Long.MAX_VALUE
  };

  private final boolean has;
  private final SplittableRandom random;

  /**
   * Edges of handles.
   *
   * @param has whether there are any
   */
  SimEdges(boolean has, SplittableRandom random) {
    this.has = has;
    this.random = random;
  }

  /** Whether the next request is one; draws nothing where there are none. */
  boolean isNext() {
    return has && random.nextInt(ONE_IN) == 0;
  }

  /** Asks; the port hears no refusal that must be. */
  void ask(SegmentHandle handle, CompletionPort<Unit> port) {
    int size = (int) handle.sizeBytes();
    int within = random.nextInt(size + 1);
    long far = FAR[random.nextInt(FAR.length)];
    ByteBuffer none = ByteBuffer.allocate(0);
    ByteBuffer some = ByteBuffer.wrap(StoreFixture.bytes(random.nextLong(), 1 + within % 6000));
    CompletionPort<Unit> refused = refused(port);
    switch (random.nextInt(9)) {
      case 0 -> handle.write(random.nextInt(2 * size + 1), none, port);
      case 1 -> handle.append(none, port);
      case 2 -> handle.splice(within, 0, none, unlessCut(handle, within, port));
      case 3 -> handle.gather(within, 0, port);
      case 4 -> handle.write(far, some, refused);
      case 5 -> handle.truncate(far, refused);
      case 6 -> handle.splice(within, far, some, refused);
      case 7 -> handle.splice(far, within, some, refused);
      default -> {
        if (far < 0) {
          handle.gather(within, far, refused);
        } else {
          handle.gather(far, far, port); // what lies behind the end is left where it is
        }
      }
    }
  }

  /** Others may have cut off by now where the nothing is to be put. */
  private static CompletionPort<Unit> unlessCut(
      SegmentHandle handle, long offset, CompletionPort<Unit> port) {
    return completion ->
        port.complete(
            completion instanceof Completion.Failed<Unit>(Failure.Invalid _)
                    && offset > handle.sizeBytes()
                ? Completion.done()
                : completion);
  }

  private static CompletionPort<Unit> refused(CompletionPort<Unit> port) {
    return completion -> {
      SimInspection.checkThat(
          completion instanceof Completion.Failed<Unit>, "a range that no file can have was taken");
      port.complete(
          completion instanceof Completion.Failed<Unit>(Failure.Invalid _)
              ? Completion.done()
              : completion);
    };
  }
}
