package dev.upcall.bench.securefile;

import dev.upcall.UpcallSnapshot;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.host.DeviceTraffic;
import dev.upcall.bench.host.KernelSync;
import dev.upcall.bench.host.ProcessCpu;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.job.ThreadedLoop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Loads a set of objects into a store and reads it. Options: {@code store} ({@link
 * ObjectStore#open}), {@code folder} (made), {@code set}, {@code count}, {@code content} ({@code
 * random}, {@code text} or {@code mixed}), {@code duplicates} (a part), and of our store {@code
 * gather}, {@code dedup} and {@code compression}. Orders, each with {@code streams}: {@code
 * phase=load} stores all objects; {@code phase=read} has the store opened anew and nothing of it in
 * the kernel's memory where that can be asked for, and reads each object once, in random order,
 * with {@code pieces=1} by calls for 64 KiB each, of which none is read ahead (ours only); {@code
 * phase=overwrite} replaces all, while one thread more reads all from a snapshot that is older
 * (ours only); it says the longest read.
 */
public final class ObjectsJob implements Job {
  private static final Path DROP_CACHES = Path.of("/proc/sys/vm/drop_caches");

  private static final int WARMING_STREAMS = 16;
  private static final long WARMING_BYTES = 300_000_000;
  private static final long WARMING_NANOS = TimeUnit.SECONDS.toNanos(4);

  private final Fields options;
  private final Path folder;
  private final ObjectSet set;
  private final ObjectContents.Kind kind;
  private final double duplicates;
  private final long count;
  private final DeviceTraffic device;
  private ObjectStore store;

  /** Makes the folder, and an empty store in it. */
  public ObjectsJob(Fields options) throws IOException, InterruptedException {
    this.options = options;
    folder = Lab.folder(Path.of(options.text("folder")));
    set = ObjectSet.valueOf(options.text("set"));
    kind = ObjectContents.Kind.valueOf(options.text("content").toUpperCase(Locale.ROOT));
    duplicates = options.decimal("duplicates");
    count = options.number("count");
    device = DeviceTraffic.below(folder);
    warm();
    store = open();
  }

  /** Does the same with other objects in a store that is removed, for the compiler. */
  private void warm() throws IOException, InterruptedException {
    Path other = Lab.folder(folder.resolve("warm"));
    long objects = Math.clamp(WARMING_BYTES / set.meanBytes(), 1, count);
    int streams = (int) Math.min(WARMING_STREAMS, objects);
    AtomicLong next = new AtomicLong();
    try (ObjectStore warming =
            ObjectStore.open(options.text("store"), other, StoreSetting.of(options));
        ThreadedLoop threads = ThreadedLoop.platform(streams)) {
      threads.runSteps(
          objects,
          WARMING_NANOS,
          _ -> {
            ObjectContents contents = contents();
            return () -> {
              long object = next.getAndIncrement();
              if (object < objects) {
                warming.put(name(object), contents.of(object), contents.sizeBytes(object));
                warming.read(name(object), looker(contents, object));
              }
            };
          });
    }
    Lab.remove(other);
  }

  private ObjectStore open() throws IOException {
    return ObjectStore.open(options.text("store"), folder, StoreSetting.of(options));
  }

  private ObjectContents contents() {
    return new ObjectContents(set, kind, duplicates);
  }

  @Override
  public Tally run(Fields order) throws IOException, InterruptedException {
    int streams = (int) order.number("streams");
    return switch (order.text("phase")) {
      case "load" -> {
        Tally tally = measured(streams, loaders());
        yield tally.remark(
            "%s own-bytes=%d %s", tally.remarks(), contents().ownBytes(count), store.shape());
      }
      case "read" -> {
        boolean isForgotten = forget();
        long[] shuffled = shuffled();
        Reading reading = reading(order);
        Tally tally = measured(streams, () -> reader(shuffled, reading));
        yield tally.remark(tally.remarks() + " forgotten=" + (isForgotten ? 1 : 0));
      }
      case "overwrite" -> overwritten(streams);
      case String other -> throw new IllegalArgumentException("no phase: " + other);
    };
  }

  /** An action on one object. */
  private interface Work {
    /** Does it, and returns how many bytes it has. */
    long on(int turn) throws IOException;
  }

  /** Does something with each object once, by so many threads. */
  private Tally measured(int streams, Supplier<Work> works)
      throws IOException, InterruptedException {
    KernelSync.run();
    long pid = ProcessHandle.current().pid();
    AtomicLong bytes = new AtomicLong();
    AtomicInteger turns = new AtomicInteger();
    List<Stepped> each =
        Stream.generate(() -> new Stepped(works.get(), turns, bytes)).limit(streams).toList();
    DeviceTraffic.Moved before = device.moved();
    double cpu = ProcessCpu.treeSeconds(pid);
    Tally tally;
    try (ThreadedLoop threads = ThreadedLoop.platform(streams)) {
      tally = threads.runSteps(count, each::get);
    }
    DeviceTraffic.Moved moved = device.moved().since(before);
    return tally.remark(
        "bytes=%d cpu-micros=%.0f device-reads=%.0f device-read-bytes=%.0f device-writes=%.0f"
            + " device-written-bytes=%.0f",
        bytes.get(),
        (ProcessCpu.treeSeconds(pid) - cpu) * 1e6,
        moved.reads(),
        moved.readBytes(),
        moved.writes(),
        moved.writtenBytes());
  }

  /** A thread that takes the next object each time; behind the last one it counts nothing. */
  private final class Stepped implements ThreadedLoop.Step {
    private final Work work;
    private final AtomicInteger turns;
    private final AtomicLong bytes;
    private boolean isDone;

    Stepped(Work work, AtomicInteger turns, AtomicLong bytes) {
      this.work = work;
      this.turns = turns;
      this.bytes = bytes;
    }

    @Override
    public void run() throws IOException {
      int turn = turns.getAndIncrement();
      isDone = turn < count;
      if (isDone) {
        bytes.addAndGet(work.on(turn));
      }
    }

    @Override
    public void tell(Tally tally, long nanos, long endedNanos) {
      if (isDone) {
        tally.add(1, nanos, endedNanos);
      }
    }
  }

  /**
   * Stores all objects. A duplicate waits for the one whose content it has, which a store cannot
   * know before it is stored. The wait counts in the latency of the duplicate and in the rate, as
   * if the store had taken it.
   */
  private Supplier<Work> loaders() {
    List<CompletableFuture<Void>> stored =
        Stream.generate(CompletableFuture<Void>::new).limit(count).toList();
    return () -> {
      ObjectContents contents = contents();
      Work putter = putter(contents, 0);
      return turn -> {
        int source = (int) contents.source(turn);
        if (source != turn) {
          stored.get(source).join();
        }
        try {
          return putter.on(turn);
        } finally {
          stored.get(turn).complete(null);
        }
      };
    };
  }

  /** Stores objects under the names of those that come so many before them. */
  private Work putter(ObjectContents contents, long after) {
    return turn -> {
      int size = contents.sizeBytes(turn + after);
      store.put(name(turn), contents.of(turn + after), size);
      return size;
    };
  }

  private static String name(long object) {
    return "o" + object;
  }

  /** How a whole object is read; returns its size. */
  private interface Reading {
    long read(String name, ObjectStore.Sink sink) throws IOException;
  }

  private Reading reading(Fields order) {
    if (!order.values().containsKey("pieces")) {
      return store::read;
    }
    if (!(store instanceof UpcallObjects ours)) {
      throw new IllegalArgumentException("only our store is read in pieces here");
    }
    return ours::readPieces;
  }

  private Work reader(long[] shuffled, Reading reading) {
    ObjectContents contents = contents();
    return turn -> {
      long object = shuffled[turn];
      return checked(contents, object, reading.read(name(object), looker(contents, object)));
    };
  }

  private static ObjectStore.Sink looker(ObjectContents contents, long object) {
    return begin -> contents.check(object, begin);
  }

  private static long checked(ObjectContents contents, long object, long size) {
    if (size != contents.sizeBytes(object)) {
      throw new IllegalStateException("object %d has %d bytes".formatted(object, size));
    }
    return size;
  }

  private long[] shuffled() {
    long[] all = new long[Math.toIntExact(count)];
    SplittableRandom random = new SplittableRandom(count);
    for (int i = 0; i < all.length; i++) {
      int other = random.nextInt(i + 1);
      all[i] = all[other];
      all[other] = i;
    }
    return all;
  }

  /** Opens the store anew; whether the kernel has forgotten its files, too. */
  private boolean forget() throws IOException {
    store.close();
    KernelSync.run();
    boolean isAllowed = Files.isWritable(DROP_CACHES);
    if (isAllowed) {
      Files.writeString(DROP_CACHES, "3\n");
    }
    store = open();
    return isAllowed;
  }

  private Tally overwritten(int streams) throws IOException, InterruptedException {
    if (!(store instanceof UpcallObjects ours)) {
      throw new IllegalArgumentException("only our store has snapshots here");
    }
    try (UpcallSnapshot before = ours.snapshot()) {
      CompletableFuture<Long> longest = CompletableFuture.supplyAsync(() -> readAll(before));
      Tally tally = measured(streams, () -> putter(contents(), count));
      return tally.remark(tally.remarks() + " longest-read=" + longest.join());
    }
  }

  /** Reads all objects as they were; the longest time in microseconds that one took. */
  private long readAll(UpcallSnapshot before) {
    ObjectContents contents = contents();
    long longest = 0;
    try {
      for (long object = 0; object < count; object++) {
        long begin = System.nanoTime();
        checked(
            contents, object, UpcallObjects.read(before, name(object), looker(contents, object)));
        longest = Math.max(longest, System.nanoTime() - begin);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    return longest / 1000;
  }

  @Override
  public void close() throws IOException {
    store.close();
    Lab.remove(folder);
  }
}
