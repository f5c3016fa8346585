package dev.upcall.bench.table;

import dev.upcall.UpcallConfig;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.job.DeviceChoice;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.job.ThreadedLoop;
import dev.upcall.bench.peer.EntryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A {@link Load} on a store of entries, which is loaded first, unless that was done before.
 * Options: {@code store} ({@code upcall} or as {@link EntryStore#open}), {@code directory} (made,
 * and left), {@code load}, {@code entries}, {@code value} (bytes of one), {@code memory} (bytes of
 * the cache), {@code threads}, {@code cap} (bytes of our volume; 0 for the standard).
 */
public final class TablesJob implements Job.Counted {
  /** Entries of a batch. */
  static final int BATCH = 1000;

  /** Of what is loaded, so that a batch is never more than a commit may be. */
  private static final int LOADED_BYTES = 256 << 10;

  private static final int LONGEST_SCAN = 100;

  /** Each load has its own numbers for new entries, so that stores can be used again. */
  private static final long NUMBERS_OF_A_LOAD = 1_000_000_000_000L;

  private final EntryStore store;
  private final ThreadedLoop threads;
  private final int depth;
  private final Load load;
  private final long loaded;
  private final int valueBytes;
  private final long firstNew;

  /** New entries that somebody puts or has put. */
  private final AtomicLong begun = new AtomicLong();

  /** New entries that are there, perhaps without a few before the last. */
  private final AtomicLong done = new AtomicLong();

  private final Zipf zipf;

  /** Opens the store, and loads it. */
  public TablesJob(Fields options) throws IOException {
    loaded = options.number("entries");
    valueBytes = (int) options.number("value");
    depth = (int) options.number("threads");
    load = Load.valueOf(options.text("load"));
    firstNew = (load.ordinal() + 1) * NUMBERS_OF_A_LOAD;
    zipf = new Zipf(Math.max(1, load.isMix() ? loaded : 1));
    Path directory = Path.of(options.text("directory"));
    store =
        open(options, new EntryStore.Room(directory, options.number("memory"), Math.max(1, depth)));
    threads = ThreadedLoop.platform(depth);
    try {
      fill(directory.resolve("loaded"));
    } catch (IOException | RuntimeException broken) {
      close();
      throw broken;
    }
  }

  private static EntryStore open(Fields options, EntryStore.Room room) throws IOException {
    String kind = options.text("store");
    if (!kind.equals("upcall")) {
      return EntryStore.open(kind, room);
    }
    UpcallConfig config = UpcallConfig.DEFAULT.withCapBytes(options.number("cap"));
    return new UpcallEntries(room, new DeviceChoice(options).in(config));
  }

  /**
   * Entries that another process has loaded stay as they are; a file says that it was done. Those
   * of a mix come in the order of their keys: in another one, stores of pages that have far less
   * memory than data would read and write most of an hour.
   */
  private void fill(Path mark) throws IOException {
    if (Files.exists(mark)) {
      return;
    }
    Entries entries = new Entries(1, valueBytes);
    long[] ordered = load.isMix() ? Entries.inKeyOrder(Math.toIntExact(loaded)) : new long[0];
    int most = Math.clamp(LOADED_BYTES / entries.bytes(), 1, BATCH);
    for (long at = 0; at < loaded; ) {
      List<EntryStore.Entry> batch = new ArrayList<>(most);
      for (long end = Math.min(loaded, at + most); at < end; at++) {
        long number = load.isMix() ? ordered[Math.toIntExact(at)] : at;
        batch.add(entries.entry(number, number));
      }
      store.load(batch);
    }
    store.sync();
    Files.createFile(mark);
  }

  @Override
  public Tally run(long nanos) throws IOException, InterruptedException {
    if (load == Load.PUT && store instanceof UpcallEntries ours) {
      long deadlineNanos = System.nanoTime() + nanos;
      return ours.put(
          depth,
          now -> now < deadlineNanos,
          new Entries(1, valueBytes),
          () -> firstNew + begun.getAndIncrement());
    }
    return threads.run(nanos, this::step);
  }

  @Override
  public Tally runUnits(long units) throws IOException, InterruptedException {
    long steps = load == Load.OVERWRITE || load == Load.BATCH ? units / BATCH : units;
    Tally tally = threads.runSteps(Math.max(1, steps), this::step);
    store.sync();
    return tally;
  }

  private ThreadedLoop.Step step(int thread) {
    Worker worker = new Worker(thread);
    return switch (load) {
      case PUT -> worker::insert;
      case BATCH -> new Many(worker::insertMany);
      case GET -> worker::get;
      case SCAN -> new Scan(worker);
      case OVERWRITE -> new Many(worker::overwriteMany);
      default -> worker::mixed;
    };
  }

  /** The work of one thread. */
  private final class Worker {
    private final SplittableRandom random;
    private final Entries entries;
    private long salt;

    private Worker(int thread) {
      random = new SplittableRandom(System.nanoTime() + thread);
      entries = new Entries(thread + 2, valueBytes);
    }

    private void get() throws IOException {
      lookUp(random.nextLong(loaded));
    }

    private void lookUp(long number) throws IOException {
      byte[] value = store.get(Entries.key(number));
      if (value != null) {
        entries.check(number, value);
      } else if (number < loaded) {
        throw new IllegalStateException("entry " + number + " is not there");
      }
    }

    private void insert() throws IOException {
      long number = firstNew + begun.getAndIncrement();
      store.put(Entries.key(number), entries.value(number, salt++));
      done.incrementAndGet();
    }

    private void update(long number) throws IOException {
      store.put(Entries.key(number), entries.value(number, salt++));
    }

    private void insertMany() throws IOException {
      List<EntryStore.Entry> batch = new ArrayList<>(BATCH);
      for (int i = 0; i < BATCH; i++) {
        batch.add(entries.entry(firstNew + begun.getAndIncrement(), salt++));
      }
      store.putAll(batch);
    }

    private void overwriteMany() throws IOException {
      List<EntryStore.Entry> batch = new ArrayList<>(BATCH);
      for (int i = 0; i < BATCH; i++) {
        batch.add(entries.entry(random.nextLong(loaded), salt++));
      }
      store.load(batch);
    }

    private void mixed() throws IOException {
      switch (load.step(random.nextInt(100))) {
        case READ -> lookUp(load == Load.READ_LATEST ? latest() : popular());
        case UPDATE -> update(popular());
        case INSERT -> insert();
        case SCAN ->
            store.scan(Entries.key(popular()), 1 + random.nextInt(LONGEST_SCAN), entries::check);
        case MODIFY -> {
          long number = popular();
          lookUp(number);
          update(number);
        }
      }
    }

    /** One that was loaded; those that are drawn often lie everywhere. */
    private long popular() {
      return Math.floorMod(Entries.mixed(zipf.next(random)), loaded);
    }

    /** The newest most often, then older ones, and those that were loaded behind them. */
    private long latest() {
      long back = zipf.next(random);
      long here = done.get();
      return back < here ? firstNew + here - 1 - back : Math.max(0, loaded - 1 - (back - here));
    }
  }

  /** A step of many units. */
  private record Many(ThreadedLoop.Step batch) implements ThreadedLoop.Step {
    @Override
    public void run() throws IOException {
      batch.run();
    }

    @Override
    public void tell(Tally tally, long nanos, long endedNanos) {
      tally.add(BATCH, nanos, endedNanos);
    }
  }

  /** One scan of everything. */
  private final class Scan implements ThreadedLoop.Step {
    private final Worker worker;
    private int given;

    private Scan(Worker worker) {
      this.worker = worker;
    }

    @Override
    public void run() throws IOException {
      given = store.scan(new byte[] {0}, Integer.MAX_VALUE, worker.entries::check);
      if (given < loaded) {
        throw new IllegalStateException(given + " entries instead of " + loaded);
      }
    }

    @Override
    public void tell(Tally tally, long nanos, long endedNanos) {
      tally.add(given, nanos, endedNanos);
    }
  }

  @Override
  public void close() throws IOException {
    threads.close();
    store.close();
  }
}
