package dev.upcall.bench.proxy.device;

import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.host.DeviceTraffic;
import dev.upcall.bench.host.ProcessCpu;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.proxy.finite.Cache;
import dev.upcall.bench.proxy.finite.FiniteConfig;
import dev.upcall.bench.proxy.finite.FiniteRun;
import dev.upcall.bench.proxy.finite.PolicyKind;
import dev.upcall.bench.proxy.layout.Layout;
import dev.upcall.bench.proxy.layout.LayoutKind;
import dev.upcall.bench.proxy.layout.MappedLayout;
import dev.upcall.bench.proxy.layout.ModelConfig;
import dev.upcall.bench.proxy.place.Packing;
import dev.upcall.bench.proxy.place.SegmentFile;
import dev.upcall.bench.proxy.place.Segments;
import dev.upcall.bench.proxy.trace.RequestTrace;
import dev.upcall.bench.proxy.trace.TraceConfig;
import dev.upcall.bench.proxy.trace.TraceDraw;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;

/**
 * Replays a trace on real files. Options: {@code ground} (HOST, AROUND or STORE: this machine's
 * files, whose mapped file reads a page or more for a fault, or those of our store), {@code folder}
 * (made), {@code layout} or {@code policy} by name, {@code seed}, {@code tenths} (how often the
 * trace is made ten times smaller), {@code memory} (the store's, in bytes). An order is {@code
 * day=1}, then {@code day=2}; {@code sweep=1} behind either reads what day 1 wrote, in that order,
 * or the bounded file from begin to end, from a store that was opened anew.
 */
public final class DeviceJob implements Job {
  /** Requests on other files, which nobody counts, for the compiler. */
  private static final int WARMING = 2_000;

  private final Ground ground;
  private final RequestTrace trace;
  private final Replay replay;

  /** A cache, and how to read all that it got on day 1. */
  private record Replay(Cache cache, Runnable sweep) {}

  /** Makes the files' folder, or volume. */
  public DeviceJob(Fields options) throws IOException {
    TraceConfig config = TraceConfig.paper(options.number("seed"));
    for (long i = options.number("tenths"); i > 0; i--) {
      config = config.scaled();
    }
    RequestTrace all = TraceDraw.draw(config);
    boolean isBounded = options.values().containsKey("policy");
    trace = isBounded ? all.smallOnly(Segments.PAGE_BYTES) : all;
    Path folder = Lab.folder(Path.of(options.text("folder")));
    Content content = new Content(mostBytes(all));
    Path warm = folder.resolve("warm");
    try (Ground other = ground(options, warm, content)) {
      Cache warming = replay(options, other, content).cache;
      for (int i = 0; i < Math.min(WARMING, trace.length()); i++) {
        warming.request(i);
      }
      other.flush();
    } finally {
      Lab.remove(warm);
    }
    ground = ground(options, folder.resolve("files"), content);
    replay = replay(options, ground, content);
    ground.flush();
  }

  private static int mostBytes(RequestTrace trace) {
    int most = Segments.PAGE_BYTES;
    for (int i = 0; i < trace.length(); i++) {
      most = Math.max(most, trace.sizeBytes(trace.object(i)));
    }
    return most;
  }

  private static Ground ground(Fields options, Path root, Content content) throws IOException {
    return switch (options.text("ground")) {
      case "HOST" -> new HostGround(root, content, false);
      case "AROUND" -> new HostGround(root, content, true);
      case "STORE" -> new StoreGround(root, options.number("memory"), content);
      case String other -> throw new IllegalArgumentException("no ground: " + other);
    };
  }

  private Replay replay(Fields options, Ground on, Content content) throws IOException {
    return options.values().containsKey("policy")
        ? bounded(options, on)
        : endless(options, on, content);
  }

  private Replay bounded(Fields options, Ground on) throws IOException {
    PolicyKind policy = options.text("policy").equals("FBC") ? PolicyKind.FBC : PolicyKind.LRU;
    FiniteConfig file = FiniteConfig.PAPER;
    for (long i = options.number("tenths"); i > 0; i--) {
      file = file.scaled();
    }
    long bytes = file.fileBytes() / Segments.PAGE_BYTES * Segments.PAGE_BYTES;
    SegmentFile segments = on.segments(bytes);
    Runnable sweep =
        () -> {
          for (long at = 0; at < bytes; at += Segments.PAGE_BYTES) {
            segments.read(at, Segments.PAGE_BYTES);
          }
        };
    return new Replay(FiniteRun.cache(trace, policy, bytes, segments), sweep);
  }

  private Replay endless(Fields options, Ground on, Content content) throws IOException {
    LayoutKind kind = LayoutKind.valueOf(options.text("layout"));
    ModelConfig model =
        options.number("tenths") == 0 ? ModelConfig.PAPER : ModelConfig.PAPER.scaled();
    Layout files = new RealFiles(on, kind, trace, model.secondLevel(), content);
    Layout layout =
        kind.isMapped()
            ? new MappedLayout(
                trace,
                on.segments(smallBytes()),
                kind == LayoutKind.SQUID_MLA
                    ? new Packing.Aligned(Packing.ENDLESS)
                    : new Packing.Plain(),
                files)
            : files;
    BitSet cached = new BitSet();
    Cache cache =
        request -> {
          int object = trace.object(request);
          boolean isHit = cached.get(object);
          if (isHit) {
            layout.read(object);
          } else {
            cached.set(object);
            layout.write(object);
          }
          return isHit;
        };
    Runnable sweep =
        () -> {
          BitSet seen = new BitSet();
          for (int i = 0; i < trace.firstDay(); i++) {
            if (!seen.get(trace.object(i))) {
              seen.set(trace.object(i));
              layout.read(trace.object(i));
            }
          }
        };
    return new Replay(cache, sweep);
  }

  /** More than all small objects need; the rest of the file stays a hole. */
  private long smallBytes() {
    BitSet seen = new BitSet();
    long bytes = Segments.PAGE_BYTES;
    for (int i = 0; i < trace.length(); i++) {
      int object = trace.object(i);
      if (!seen.get(object) && Segments.isSmall(trace.sizeBytes(object))) {
        seen.set(object);
        bytes += 2L * Segments.bytes(Segments.classOf(trace.sizeBytes(object)));
      }
    }
    return bytes;
  }

  @Override
  public Tally run(Fields order) throws IOException {
    if (order.values().containsKey("sweep")) {
      if (!(ground instanceof StoreGround store)) {
        throw new IllegalStateException("the kernel's memory is not this program's to forget");
      }
      store.reopen();
      return measured(
          tally -> {
            replay.sweep.run();
            return 0;
          });
    }
    boolean isFirst = order.number("day") == 1;
    int from = isFirst ? 0 : trace.firstDay();
    int to = isFirst ? trace.firstDay() : trace.length();
    return measured(tally -> requests(from, to, tally));
  }

  private interface Work {
    /** Does it, counts it, and says how many were hits. */
    long run(Tally tally) throws IOException;
  }

  private Tally measured(Work work) throws IOException {
    long pid = ProcessHandle.current().pid();
    DeviceTraffic.Moved before = ground.moved();
    long readBytes = ProcessCpu.readBytes(pid);
    long writtenBytes = ProcessCpu.writtenBytes(pid);
    Tally tally = new Tally();
    long hits = work.run(tally);
    tally.end();
    DeviceTraffic.Moved moved = ground.moved().since(before);
    return tally.remark(
        "hits=%d reads=%.0f read-bytes=%.0f writes=%.0f written-bytes=%.0f own-read-bytes=%d"
            + " own-written-bytes=%d",
        hits,
        moved.reads(),
        moved.readBytes(),
        moved.writes(),
        moved.writtenBytes(),
        ProcessCpu.readBytes(pid) - readBytes,
        ProcessCpu.writtenBytes(pid) - writtenBytes);
  }

  private long requests(int from, int to, Tally tally) throws IOException {
    long hits = 0;
    for (int i = from; i < to; i++) {
      hits += replay.cache.request(i) ? 1 : 0;
      if ((i + 1) % ModelConfig.PAPER.flushRequests() == 0) {
        ground.flush();
      }
    }
    ground.flush();
    tally.count(to - from);
    return hits;
  }

  @Override
  public void close() throws IOException {
    ground.close();
  }
}
