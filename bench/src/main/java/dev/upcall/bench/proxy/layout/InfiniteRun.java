package dev.upcall.bench.proxy.layout;

import dev.upcall.bench.proxy.disk.CountedDisk;
import dev.upcall.bench.proxy.disk.DiskShape;
import dev.upcall.bench.proxy.disk.FileSystem;
import dev.upcall.bench.proxy.disk.MappedFile;
import dev.upcall.bench.proxy.disk.PageMemory;
import dev.upcall.bench.proxy.place.Packing;
import dev.upcall.bench.proxy.place.Segments;
import dev.upcall.bench.proxy.trace.RequestTrace;
import dev.upcall.io.Disk;
import dev.upcall.io.trace.BlockMeasures;
import dev.upcall.io.trace.TraceSink;
import org.jspecify.annotations.Nullable;

/**
 * Replays a trace on a layout, with a cache that replaces nothing: what is asked for the second
 * time is there. Day 1 fills it, day 2 is counted.
 */
public final class InfiniteRun {
  private static final int LARGE_DIRECTORY = 1_000;
  private static final double NANOS_PER_SECOND = 1e9;

  private final LayoutKind kind;
  private final RequestTrace trace;
  private final ModelConfig config;
  private final DiskShape shape;
  private final CountedDisk disk;
  private final PageMemory fileMemory;
  private final @Nullable PageMemory mappedMemory;
  private final @Nullable SquidTree tree;
  private final Layout layout;
  private final boolean[] cached;

  private InfiniteRun(LayoutKind kind, RequestTrace trace, ModelConfig config) {
    this.kind = kind;
    this.trace = trace;
    this.config = config;
    this.shape =
        kind.isMapped() ? DiskShape.filesAndMapped(config.part()) : DiskShape.files(config.part());
    this.disk = new CountedDisk(shape);
    this.cached = new boolean[trace.objects()];
    int mappedPages = kind.isMapped() ? config.mappedMemoryPages() : 0;
    PageMemory memory =
        new PageMemory(
            config.memoryPages() - mappedPages,
            disk,
            CountedDisk.Purpose.FILES,
            /* firstPage= */ 0,
            (int) shape.mappedBegin());
    this.fileMemory = memory;
    FileSystem files = new FileSystem(shape, memory, config.nameEntries());
    if (kind == LayoutKind.CERN) {
      this.tree = null;
      this.mappedMemory = null;
      this.layout = new CernLayout(files, trace);
      return;
    }
    SquidTree made = new SquidTree(files, config.secondLevel(), config.directoriesPerGroup());
    this.tree = made;
    SquidLayout squid =
        new SquidLayout(files, trace, made, SquidPlaces.of(kind, trace, config.secondLevel()));
    if (kind.isMapped()) {
      PageMemory mapped =
          new PageMemory(
              mappedPages,
              disk,
              CountedDisk.Purpose.MAPPED,
              shape.mappedBegin(),
              shape.mappedPages());
      this.mappedMemory = mapped;
      this.layout =
          new MappedLayout(
              trace,
              new MappedFile(mapped, shape.mappedBegin(), config.readsHoles()),
              kind == LayoutKind.SQUID_MLA
                  ? new Packing.Aligned(Packing.ENDLESS)
                  : new Packing.Plain(),
              squid);
    } else {
      this.mappedMemory = null;
      this.layout = squid;
    }
  }

  /** Replays a trace. */
  public static InfiniteResult of(LayoutKind kind, RequestTrace trace, ModelConfig config) {
    return of(kind, trace, config, entry -> {});
  }

  /**
   * The same.
   *
   * @param sink is told of each request to the disks on day 2
   */
  public static InfiniteResult of(
      LayoutKind kind, RequestTrace trace, ModelConfig config, TraceSink sink) {
    return new InfiniteRun(kind, trace, config).run(sink);
  }

  private InfiniteResult run(TraceSink sink) {
    // Directories that are there from the beginning were made, and written, before.
    fileMemory.flush();
    for (int i = 0; i < trace.firstDay(); i++) {
      request(i);
    }
    BlockMeasures measures =
        new BlockMeasures(shape.pages() * DiskShape.PAGE_BYTES / Disk.BLOCK_BYTES);
    disk.observe(
        entry -> {
          measures.record(entry);
          sink.record(entry);
        });
    long hits = 0;
    HitPages hitPages = new HitPages(shape.mappedPages());
    for (int i = trace.firstDay(); i < trace.length(); i++) {
      if (request(i)) {
        hits++;
        hitPages.count(trace.object(i));
      }
    }
    return new InfiniteResult(
        kind,
        hits,
        trace.length() - trace.firstDay() - hits,
        disk.counts(),
        measures.snapshot(),
        new InfiniteResult.Shape(
            tree == null ? 0 : tree.larger(LARGE_DIRECTORY),
            tree == null ? 0 : tree.largest(),
            layout instanceof MappedLayout mapped ? mapped.endBytes() : 0,
            hitPages.early()));
  }

  /** Whether the object was there. */
  private boolean request(int i) {
    disk.arrive((long) (i / ModelConfig.REQUESTS_PER_SECOND * NANOS_PER_SECOND));
    int object = trace.object(i);
    boolean isHit = cached[object];
    if (isHit) {
      layout.read(object);
    } else {
      cached[object] = true;
      layout.write(object);
    }
    if ((i + 1) % config.flushRequests() == 0) {
      disk.beginFlush();
      fileMemory.flush();
      if (mappedMemory != null) {
        mappedMemory.flush();
      }
      disk.endFlush();
    }
    return isHit;
  }

  /** Hits by page of the mapped file. */
  private final class HitPages {
    private static final int QUARTERS = 4;

    private final long[] hits;

    HitPages(int pages) {
      hits = new long[pages];
    }

    void count(int object) {
      if (layout instanceof MappedLayout mapped && mapped.offset(object) >= 0) {
        hits[(int) (mapped.offset(object) / Segments.PAGE_BYTES)]++;
      }
    }

    double early() {
      if (!(layout instanceof MappedLayout mapped)) {
        return 0;
      }
      long firstQuarter = mapped.endBytes() / Segments.PAGE_BYTES / QUARTERS;
      long early = 0;
      long all = 0;
      for (int page = 0; page < hits.length; page++) {
        all += hits[page];
        early += page < firstQuarter ? hits[page] : 0;
      }
      return all == 0 ? 0 : (double) early / all;
    }
  }
}
