package dev.upcall.bench.proxy.layout;

import dev.upcall.bench.proxy.place.Packing;
import dev.upcall.bench.proxy.place.SegmentFile;
import dev.upcall.bench.proxy.place.Segments;
import dev.upcall.bench.proxy.trace.RequestTrace;
import java.util.Arrays;

/** Small objects in one mapped file, in the order in which they were missed; others elsewhere. */
public final class MappedLayout implements Layout {
  private static final long NOWHERE = -1;

  private final RequestTrace trace;
  private final SegmentFile mapped;
  private final Packing packing;
  private final Layout others;
  private final long[] offsets;

  /** Nothing is there yet. */
  public MappedLayout(RequestTrace trace, SegmentFile mapped, Packing packing, Layout others) {
    this.trace = trace;
    this.mapped = mapped;
    this.packing = packing;
    this.others = others;
    this.offsets = new long[trace.objects()];
    Arrays.fill(offsets, NOWHERE);
  }

  @Override
  public void write(int object) {
    int size = trace.sizeBytes(object);
    if (!Segments.isSmall(size)) {
      others.write(object);
      return;
    }
    int segmentClass = Segments.classOf(size);
    offsets[object] = packing.place(segmentClass);
    mapped.write(offsets[object], Segments.bytes(segmentClass));
  }

  @Override
  public void read(int object) {
    int size = trace.sizeBytes(object);
    if (Segments.isSmall(size)) {
      mapped.read(offsets[object], Segments.bytes(Segments.classOf(size)));
    } else {
      others.read(object);
    }
  }

  /** Where a small object is; negative for others. */
  long offset(int object) {
    return offsets[object];
  }

  /** How long the mapped file is. */
  long endBytes() {
    return packing.endBytes();
  }
}
