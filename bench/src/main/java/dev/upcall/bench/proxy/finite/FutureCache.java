package dev.upcall.bench.proxy.finite;

import dev.upcall.bench.proxy.place.SegmentFile;
import dev.upcall.bench.proxy.place.Segments;
import dev.upcall.bench.proxy.trace.RequestTrace;

/** The cache that a {@link FutureTable} makes possible. */
final class FutureCache implements Cache {
  private final RequestTrace trace;
  private final SegmentFile mapped;
  private final FutureTable table;

  FutureCache(RequestTrace trace, long fileBytes, SegmentFile mapped) {
    this.trace = trace;
    this.mapped = mapped;
    this.table = FutureTable.of(trace, fileBytes);
  }

  @Override
  public boolean request(int at) {
    int object = trace.object(at);
    if (!table.isCached(object)) {
      return false;
    }
    int bytes = Segments.bytes(Segments.classOf(trace.sizeBytes(object)));
    boolean isHit = at > table.first(object);
    if (isHit) {
      mapped.read(table.offset(object), bytes);
    } else {
      mapped.write(table.offset(object), bytes);
    }
    return isHit;
  }
}
