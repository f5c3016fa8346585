package dev.upcall.store;

import dev.upcall.content.Times;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What an opening found. A store that is opened to be written shows the newest state there is and
 * lacks nothing, or it does not open; one that is only read may lack what it says here.
 *
 * @param scn the last change of the state that it shows
 * @param age whether there was a newer one
 * @param changedNanos when, since 1970, a file or directory was last changed in what it shows; 0
 *     where that was not looked for, because nothing newer is missed
 * @param findings what is missing or damaged, a sentence each
 */
public record OpeningReport(long scn, Age age, long changedNanos, List<String> findings) {
  /** How the state that is shown relates to the newest that was ever acknowledged. */
  public enum Age {
    /** As far as the volume can tell it is that one. */
    NEWEST,
    /** Changes behind it are there in part: not acknowledged when power failed, or lost. */
    PERHAPS_OLDER,
    /** Newer changes were acknowledged; they cannot be read any more. */
    OLDER
  }

  /** Copies. */
  public OpeningReport {
    Objects.requireNonNull(age, "age");
    Objects.requireNonNull(findings, "findings");
    findings = List.copyOf(findings);
  }

  /** When a file or directory was last changed in what it shows, if that was looked for. */
  public Optional<Instant> changed() {
    return changedNanos == 0 ? Optional.empty() : Optional.of(Times.instantOf(changedNanos));
  }
}
