package dev.upcall.completion;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What could not be read of a store since it was opened: wrong bytes, and reads that the device
 * refused. Any threads; nobody waits.
 */
public final class DamageLog {
  /** So many places are kept; reads are counted without end. */
  public static final int MAX_PLACES = 100;

  private final AtomicReference<Report> report = new AtomicReference<>(Report.NONE);

  /**
   * What is known.
   *
   * @param reads reads that have failed because of damage, those of one place counted each time
   * @param places the first failure of each damaged place, in the order in which they were met; at
   *     most {@link DamageLog#MAX_PLACES}
   */
  public record Report(long reads, List<Failure> places) {
    /** Nothing was met. */
    public static final Report NONE = new Report(0, List.of());

    /** Copies the list. */
    public Report {
      places = List.copyOf(Objects.requireNonNull(places, "places"));
    }

    private Report with(Failure failure) {
      if (places.size() == MAX_PLACES || places.stream().anyMatch(known -> isOne(known, failure))) {
        return new Report(reads + 1, places);
      }
      List<Failure> more = new ArrayList<>(places);
      more.add(failure);
      return new Report(reads + 1, more);
    }

    private static boolean isOne(Failure known, Failure failure) {
      return known instanceof Failure.Corrupt first && failure instanceof Failure.Corrupt second
          ? first.offsetBytes() == second.offsetBytes()
          : known.equals(failure);
    }
  }

  /** Nothing was met yet. */
  public DamageLog() {}

  /** A read has failed: that counts if it met damage, and not if somebody had refused it. */
  public void note(Failure failure) {
    Objects.requireNonNull(failure, "failure");
    if (failure instanceof Failure.Corrupt || failure instanceof Failure.Device) {
      report.updateAndGet(known -> known.with(failure));
    }
  }

  /** What is known by now. */
  public Report report() {
    return Objects.requireNonNull(report.get(), "report");
  }
}
