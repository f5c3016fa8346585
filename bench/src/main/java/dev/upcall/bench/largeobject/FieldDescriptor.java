package dev.upcall.bench.largeobject;

import java.util.ArrayList;
import java.util.List;

/** The index of a long field of Starburst: a short list in its header, which costs nothing. */
final class FieldDescriptor implements SegmentIndex {
  private final List<Segment> segments = new ArrayList<>();

  @Override
  public long bytes() {
    return segments.stream().mapToLong(Segment::bytes).sum();
  }

  @Override
  public Window end() {
    return new Window(0, segments);
  }

  @Override
  public Window around(long from, long to) {
    return new Window(0, segments);
  }

  @Override
  public void replace(long from, long to, List<Segment> fresh) {
    List<Segment> replaced = segments.subList(index(from), index(to));
    replaced.clear();
    replaced.addAll(fresh);
  }

  private int index(long position) {
    long left = position;
    int index = 0;
    while (left > 0) {
      left -= segments.get(index).bytes();
      index++;
    }
    return index;
  }

  @Override
  public void write() {
    // The header is written in place, and costs nothing.
  }

  @Override
  public int pages() {
    return 0;
  }
}
