package dev.upcall.fsm.meter;

import dev.upcall.fsm.record.Stage;
import java.util.List;
import java.util.Objects;

/**
 * How long requests spent between the points of their way ({@link Stage}); an immutable copy for
 * any thread. All times are in nanoseconds.
 *
 * <p>Of requests through a passive port all five stages are told. Of calls that wait there are
 * three: until the I/O is requested, until the caller runs again after it ({@code untilStarted} and
 * {@code untilFinished} together), and until the call returns ({@code untilHandled}); nothing is
 * posted.
 *
 * @param requests how many requests were stamped to their end
 * @param withIo how many of them asked the disk
 * @param skipped stamped requests that ended without having come to their content, such as those of
 *     files that are not there; in no distribution
 * @param untilRequested from issuing it until the I/O request is generated
 * @param untilStarted from there until the I/O starts
 * @param untilFinished from there until the I/O is finished, its completion reaped
 * @param untilPosted from there until the store posts the completion
 * @param untilHandled from there until the application handles it, or the call returns
 * @param total from issuing to handling
 * @param residualNanosMax by how much the stages of one request ever differed from its total: 0
 *     unless stamps were taken out of their order
 */
public record StageTimes(
    long requests,
    long withIo,
    long skipped,
    DistributionSnapshot untilRequested,
    DistributionSnapshot untilStarted,
    DistributionSnapshot untilFinished,
    DistributionSnapshot untilPosted,
    DistributionSnapshot untilHandled,
    DistributionSnapshot total,
    long residualNanosMax) {
  /** Checks that nothing is missing. */
  public StageTimes {
    Objects.requireNonNull(untilRequested, "untilRequested");
    Objects.requireNonNull(untilStarted, "untilStarted");
    Objects.requireNonNull(untilFinished, "untilFinished");
    Objects.requireNonNull(untilPosted, "untilPosted");
    Objects.requireNonNull(untilHandled, "untilHandled");
    Objects.requireNonNull(total, "total");
  }

  /** The five stages in their order. */
  public List<DistributionSnapshot> stages() {
    return List.of(untilRequested, untilStarted, untilFinished, untilPosted, untilHandled);
  }
}
