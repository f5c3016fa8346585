package dev.upcall.completion;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Places of a store that could not be read since it was opened and that something still needs:
 * wrong bytes, and reads that the device refused. Any threads; nobody waits.
 */
public final class DamageLog {
  /** So many places are kept; reads are counted without end. */
  public static final int MAX_PLACES = 100;

  private final AtomicReference<Known> known = new AtomicReference<>(new Known(0, List.of()));

  /**
   * What is known.
   *
   * @param reads reads that have failed because of damage, those of one place counted each time,
   *     also where nothing needs the place any more
   * @param places the first failure of each damaged place that something needs, in the order in
   *     which they were met; at most {@link DamageLog#MAX_PLACES}
   */
  public record Report(long reads, List<Failure> places) {
    /** Nothing was met. */
    public static final Report NONE = new Report(0, List.of());

    /** Copies the list. */
    public Report {
      places = List.copyOf(Objects.requireNonNull(places, "places"));
    }
  }

  /**
   * A place that could not be read.
   *
   * @param offsetBytes where it is on the volume, or where the read began that the device refused
   */
  private record Place(long offsetBytes, Failure failure) {
    boolean isWithin(long fromBytes, long toBytes) {
      return offsetBytes >= fromBytes && offsetBytes < toBytes;
    }
  }

  private record Known(long reads, List<Place> places) {
    Known with(Place place) {
      boolean isKnown = places.stream().anyMatch(one -> one.offsetBytes == place.offsetBytes);
      if (isKnown || places.size() == MAX_PLACES) {
        return new Known(reads + 1, places);
      }
      List<Place> more = new ArrayList<>(places);
      more.add(place);
      return new Known(reads + 1, List.copyOf(more));
    }

    Known without(long fromBytes, long toBytes) {
      return new Known(
          reads, places.stream().filter(place -> !place.isWithin(fromBytes, toBytes)).toList());
    }
  }

  /** Nothing was met yet. */
  public DamageLog() {}

  /**
   * A read has failed: that counts if it met damage, and not if somebody had refused it.
   *
   * @param offsetBytes where on the volume the read began, for failures that do not say where
   */
  public void note(Failure failure, long offsetBytes) {
    Objects.requireNonNull(failure, "failure");
    switch (failure) {
      case Failure.Corrupt corrupt -> note(new Place(corrupt.offsetBytes(), corrupt));
      case Failure.Device(String operation, String detail) -> {
        String where = "%s at byte offset %d".formatted(operation, offsetBytes);
        note(new Place(offsetBytes, new Failure.Device(where, detail)));
      }
      default -> {}
    }
  }

  private void note(Place place) {
    known.updateAndGet(before -> before.with(place));
  }

  /** Nothing needs these bytes of the volume any more: whatever comes there is written first. */
  public void freed(long fromBytes, long toBytes) {
    if (known().places.stream().anyMatch(place -> place.isWithin(fromBytes, toBytes))) {
      known.updateAndGet(before -> before.without(fromBytes, toBytes));
    }
  }

  /**
   * The first failure that was noted of a place that something still needs.
   *
   * @param offsetBytes where on the volume it is, as it was noted
   */
  public Optional<Failure> at(long offsetBytes) {
    return known().places.stream()
        .filter(place -> place.offsetBytes == offsetBytes)
        .map(Place::failure)
        .findFirst();
  }

  /** All that is known by now. */
  public Report report() {
    Known now = known();
    return new Report(now.reads, now.places.stream().map(Place::failure).toList());
  }

  private Known known() {
    return Objects.requireNonNull(known.get(), "known");
  }
}
