package dev.upcall.bench.proxy.finite;

import dev.upcall.bench.proxy.disk.CountedDisk;
import dev.upcall.bench.proxy.disk.DiskShape;
import dev.upcall.bench.proxy.disk.MappedFile;
import dev.upcall.bench.proxy.disk.PageMemory;
import dev.upcall.bench.proxy.place.SegmentFile;
import dev.upcall.bench.proxy.place.Segments;
import dev.upcall.bench.proxy.trace.RequestTrace;
import dev.upcall.io.trace.TraceSink;

/** Replays the requests for small objects on a mapped file of bounded size. */
public final class FiniteRun {
  private final PageMemory memory;
  private final CountedDisk disk;
  private final Cache cache;
  private final int flushRequests;

  private FiniteRun(RequestTrace trace, PolicyKind policy, FiniteConfig config) {
    DiskShape shape = DiskShape.mapped((int) (config.fileBytes() / DiskShape.PAGE_BYTES));
    this.flushRequests = config.flushRequests();
    this.disk = new CountedDisk(shape);
    this.memory =
        new PageMemory(
            (int) (config.memoryBytes() / DiskShape.PAGE_BYTES),
            disk,
            CountedDisk.Purpose.MAPPED,
            shape.mappedBegin(),
            shape.mappedPages());
    MappedFile mapped = new MappedFile(memory, shape.mappedBegin(), /* readsHoles= */ false);
    this.cache = cache(trace, policy, config.fileBytes(), mapped);
  }

  /**
   * An empty cache.
   *
   * @param trace of requests for small objects
   */
  public static Cache cache(
      RequestTrace trace, PolicyKind policy, long fileBytes, SegmentFile mapped) {
    return policy.equals(PolicyKind.FUTURE)
        ? new FutureCache(trace, fileBytes, mapped)
        : new SegmentCache(trace, fileBytes, mapped, policy);
  }

  /** Replays a trace; what is not small is left out. */
  public static FiniteResult of(RequestTrace trace, PolicyKind policy, FiniteConfig config) {
    return of(trace, policy, config, entry -> {});
  }

  /**
   * The same.
   *
   * @param sink is told of each request to the disk on day 2
   */
  public static FiniteResult of(
      RequestTrace trace, PolicyKind policy, FiniteConfig config, TraceSink sink) {
    RequestTrace small = trace.smallOnly(Segments.PAGE_BYTES);
    return new FiniteRun(small, policy, config).run(small, policy, sink);
  }

  private FiniteResult run(RequestTrace trace, PolicyKind policy, TraceSink sink) {
    long hits = 0;
    for (int i = 0; i < trace.length(); i++) {
      if (i == trace.firstDay()) {
        disk.observe(sink);
      }
      boolean isHit = cache.request(i);
      hits += isHit && i >= trace.firstDay() ? 1 : 0;
      if ((i + 1) % flushRequests == 0) {
        memory.flush();
      }
    }
    return new FiniteResult(policy, hits, trace.length() - trace.firstDay() - hits, disk.counts());
  }
}
