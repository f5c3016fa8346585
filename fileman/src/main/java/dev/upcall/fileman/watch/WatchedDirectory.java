package dev.upcall.fileman.watch;

import dev.upcall.nio.watch.EntrySink;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A directory, and who hears of its entries. */
final class WatchedDirectory {
  private final long id;

  /** To whether they hear of modifications. */
  private final Map<EntrySink, Boolean> sinks = new LinkedHashMap<>();

  /** How many of them do: each that leaves asks whether any is left. */
  private int hearingModifications;

  /** Whether there was no room for the homes of all that is in it. */
  private boolean partly;

  WatchedDirectory(long id) {
    this.id = id;
  }

  long id() {
    return id;
  }

  void add(EntrySink sink, boolean modifications) {
    Boolean heard = sinks.put(sink, modifications);
    hearingModifications -= Boolean.TRUE.equals(heard) ? 1 : 0;
    hearingModifications += modifications ? 1 : 0;
  }

  void remove(EntrySink sink) {
    Boolean heard = sinks.remove(sink);
    hearingModifications -= Boolean.TRUE.equals(heard) ? 1 : 0;
    partly &= hasHomes();
  }

  boolean has(EntrySink sink) {
    return sinks.containsKey(sink);
  }

  boolean isWatched() {
    return !sinks.isEmpty();
  }

  /** Whether it must be known what lies in it. */
  boolean hasHomes() {
    return hearingModifications > 0;
  }

  void homeIsMissing() {
    partly = true;
  }

  /** Whether something may lie in it of which that is not known. */
  boolean isPartly() {
    return partly;
  }

  /** Tells all; they may leave meanwhile. */
  void tell(Consumer<EntrySink> what) {
    List.copyOf(sinks.keySet()).forEach(what);
  }

  /** Nobody watches any more. */
  void clear() {
    sinks.clear();
    hearingModifications = 0;
    partly = false;
  }
}
