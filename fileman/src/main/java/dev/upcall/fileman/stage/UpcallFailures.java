package dev.upcall.fileman.stage;

import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.stage.StageLimits;
import java.time.Duration;

/** What the door itself refuses, in words. */
final class UpcallFailures {
  private UpcallFailures() {}

  static UpcallException closed() {
    return UpcallException.of(new Failure.Closed("the door of stages, or its store,"));
  }

  /** Of what takes several requests. */
  static UpcallException late(long nanos) {
    return UpcallException.of(
        new Failure.Cancelled(
            "a request of several steps that was not done within %s, of which the last step may take effect,"
                .formatted(Duration.ofNanos(nanos))));
  }

  static UpcallException busy(StageLimits limits) {
    return UpcallException.of(
        new Failure.Busy(
            "requests (%d inside, %d in line)".formatted(limits.maxInside(), limits.maxWaiting()),
            "begin them behind StageFiles.whenRoom, or raise StageLimits"));
  }
}
