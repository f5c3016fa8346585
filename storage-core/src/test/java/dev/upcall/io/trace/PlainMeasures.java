package dev.upcall.io.trace;

import dev.upcall.io.DiskOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/** A second reading of the definitions of the measures, over a trace that is all there. */
final class PlainMeasures {
  private final List<TraceEntry> moved;

  PlainMeasures(List<TraceEntry> trace) {
    this.moved = trace.stream().filter(entry -> reads(entry) || writes(entry)).toList();
  }

  static boolean reads(TraceEntry entry) {
    return entry.operation() == DiskOperation.READ;
  }

  static boolean writes(TraceEntry entry) {
    return entry.operation() == DiskOperation.WRITE
        || entry.operation() == DiskOperation.DURABLE_WRITE;
  }

  private List<TraceEntry> of(Predicate<TraceEntry> direction) {
    return moved.stream().filter(direction).toList();
  }

  long sectors(Predicate<TraceEntry> direction) {
    return of(direction).stream().mapToLong(entry -> entry.run().blocks() * 8).sum();
  }

  long requests(Predicate<TraceEntry> direction) {
    return of(direction).size();
  }

  long waitedNanos(Predicate<TraceEntry> direction) {
    return of(direction).stream().mapToLong(entry -> entry.source().waitedNanos()).sum();
  }

  /** What lies between the end of each and the begin of the next, all together. */
  long distance(Predicate<TraceEntry> direction) {
    List<TraceEntry> requests = of(direction);
    long distance = 0;
    for (int i = 1; i < requests.size(); i++) {
      distance += Math.abs(requests.get(i).run().block() - requests.get(i - 1).run().end());
    }
    return distance;
  }

  double sequentiality(Predicate<TraceEntry> direction) {
    List<TraceEntry> requests = of(direction);
    long count = 0;
    for (int i = 1; i < requests.size(); i++) {
      count += requests.get(i).run().block() == requests.get(i - 1).run().end() ? 1 : 0;
    }
    return requests.isEmpty() ? 0 : (double) count / requests.size();
  }

  double sequentialityToAny(Predicate<TraceEntry> direction) {
    long count = 0;
    for (int i = 1; i < moved.size(); i++) {
      boolean continues = moved.get(i).run().block() == moved.get(i - 1).run().end();
      count += direction.test(moved.get(i)) && continues ? 1 : 0;
    }
    long all = requests(direction);
    return all == 0 ? 0 : (double) count / all;
  }

  /** The sizes of the maximal runs of requests of which all but the first are sequential. */
  List<Long> streamSectors(Predicate<TraceEntry> direction) {
    List<Long> streams = new ArrayList<>();
    long end = -1;
    for (TraceEntry entry : of(direction)) {
      long sectors = entry.run().blocks() * 8;
      if (!streams.isEmpty() && entry.run().block() == end) {
        streams.set(streams.size() - 1, streams.getLast() + sectors);
      } else {
        streams.add(sectors);
      }
      end = entry.run().end();
    }
    return streams;
  }

  double meanInterarrivalNanos() {
    if (moved.size() < 2) {
      return 0;
    }
    long span = moved.getLast().timeNanos() - moved.getFirst().timeNanos();
    return (double) span / (moved.size() - 1);
  }

  /** The different pages of each minute from the first request on, also of those without any. */
  List<Long> minutePages() {
    TreeMap<Long, TreeSet<Long>> minutes = new TreeMap<>();
    for (TraceEntry entry : moved) {
      long minute = (entry.timeNanos() - moved.getFirst().timeNanos()) / 60_000_000_000L;
      pages(minutes.computeIfAbsent(minute, any -> new TreeSet<>()), entry);
    }
    List<Long> sizes = new ArrayList<>();
    for (long minute = 0; !minutes.isEmpty() && minute <= minutes.lastKey(); minute++) {
      sizes.add((long) minutes.getOrDefault(minute, new TreeSet<>()).size());
    }
    return sizes;
  }

  long footprint() {
    TreeSet<Long> pages = new TreeSet<>();
    moved.forEach(entry -> pages(pages, entry));
    return pages.size();
  }

  private static void pages(TreeSet<Long> pages, TraceEntry entry) {
    for (long page = entry.run().block(); page < entry.run().end(); page++) {
      pages.add(page);
    }
  }
}
