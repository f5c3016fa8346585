package dev.upcall.bench.micro;

import dev.upcall.AsyncFiles;
import dev.upcall.FileContent;
import dev.upcall.FileInfo;
import dev.upcall.FsmUpcall;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.bench.harness.Lab;
import dev.upcall.completion.Completion;
import dev.upcall.request.FileRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * Looks at metadata in memory by threads that call, alone and beside one that creates files; and
 * creating, alone and beside one that looks. The time is that of a call, of which so many threads
 * make so many at once.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class LookBenchmark {
  private static final int PAGE_ENTRIES = 100;
  private static final byte[] SMALL = new byte[100];

  /** From then on they are replaced. */
  private static final int MOST_CREATED = 1 << 20;

  /** Whether another thread does the other of the two meanwhile, looking or creating. */
  @Param({"false", "true"})
  public boolean disturbed;

  /** How many files are looked at. */
  @Param({"1000"})
  public int files;

  private Path folder = Path.of("");
  private FsmUpcall store;
  private Thread other;
  private final AtomicInteger created = new AtomicInteger();
  private volatile boolean over;

  /** Not usable before {@link #open}. */
  @SuppressWarnings("NullAway.Init")
  public LookBenchmark() {}

  /** Makes the files. */
  @Setup
  public void open(BenchmarkParams params) throws IOException {
    folder = Files.createTempDirectory("upcall-jmh-");
    UpcallConfig config = UpcallConfig.DEFAULT.withCapBytes(UpcallConfig.MIN_CAP_BYTES);
    store = Upcall.create(folder.resolve("bench.upcall"), config).fsm();
    store.createDirectory("/created");
    for (int first = 0; first < files; first += PAGE_ENTRIES) {
      List<FileRequest> requests = new ArrayList<>();
      requests.add(new FileRequest.CreateDirectory(StorePath.of(directory(first))));
      for (int i = first; i < Math.min(files, first + PAGE_ENTRIES); i++) {
        requests.add(
            new FileRequest.Put(
                StorePath.of(path(i)), new FileContent.Bytes(SMALL), PutOptions.DEFAULT));
      }
      store.batch(requests);
    }
    over = false;
    boolean creates = params.getBenchmark().contains(".create");
    other =
        Thread.ofPlatform()
            .unstarted(creates ? () -> goOn(this::anyStat) : () -> goOn(this::newFile));
    if (disturbed) {
      other.start();
    }
  }

  private void goOn(Runnable work) {
    while (!over) {
      work.run();
    }
  }

  private static String directory(int file) {
    return "/d" + file / PAGE_ENTRIES;
  }

  private static String path(int file) {
    return directory(file) + "/f" + file;
  }

  /** Removes the files. */
  @TearDown
  public void close() throws IOException, InterruptedException {
    over = true;
    other.join();
    store.close();
    Lab.remove(folder);
  }

  private FileInfo anyStat() {
    return store.stat(path(ThreadLocalRandom.current().nextInt(files)));
  }

  /** Through the store's thread, as what is not in memory. */
  private FileInfo anyAsked() {
    StorePath path = StorePath.of(path(ThreadLocalRandom.current().nextInt(files)));
    return UpcallException.value(
        store.<FileInfo>await(port -> store.fileManager().stat(path, LinkPolicy.FOLLOW, port)));
  }

  private Listing anyList() {
    int file = ThreadLocalRandom.current().nextInt(files);
    return store.list(directory(file), PAGE_ENTRIES);
  }

  private FileInfo newFile() {
    return store.write("/created/" + (created.getAndIncrement() & MOST_CREATED - 1), SMALL);
  }

  /** A file's metadata, by one thread. */
  @Benchmark
  public FileInfo stat1() {
    return anyStat();
  }

  /** By two threads. */
  @Benchmark
  @Threads(2)
  public FileInfo stat2() {
    return anyStat();
  }

  /** By ten. */
  @Benchmark
  @Threads(10)
  public FileInfo stat10() {
    return anyStat();
  }

  /** The same, asked of the store's thread, by one. */
  @Benchmark
  public FileInfo asked1() {
    return anyAsked();
  }

  /** By ten. */
  @Benchmark
  @Threads(10)
  public FileInfo asked10() {
    return anyAsked();
  }

  /** A file's metadata, by a program on a thread of its own, with one request in flight. */
  @Benchmark
  public FileInfo own1(OwnThread own) throws InterruptedException {
    return own.stat(store, path(ThreadLocalRandom.current().nextInt(files)));
  }

  /** A program on a thread of its own. */
  @State(Scope.Thread)
  public static class OwnThread {
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private @Nullable AsyncFiles async;
    private @Nullable Completion<FileInfo> found;

    /** Nothing is open yet. */
    public OwnThread() {}

    private FileInfo stat(FsmUpcall store, String path) throws InterruptedException {
      AsyncFiles door = async;
      if (door == null) {
        door = store.newAsyncFiles();
        async = door;
      }
      found = null;
      door.stat(path, LinkPolicy.FOLLOW, completion -> found = completion);
      while (found == null) {
        door.await(1, PATIENCE);
      }
      return UpcallException.value(found);
    }

    /** Before the store is closed. */
    @TearDown
    public void close() {
      if (async != null) {
        async.close();
        async = null;
      }
    }
  }

  /** A page of a directory with 100 entries or less, by one thread. */
  @Benchmark
  public Listing list1() {
    return anyList();
  }

  /** By two threads. */
  @Benchmark
  @Threads(2)
  public Listing list2() {
    return anyList();
  }

  /** By ten. */
  @Benchmark
  @Threads(10)
  public Listing list10() {
    return anyList();
  }

  /** A durable file of 100 bytes, by one thread. */
  @Benchmark
  public FileInfo create1() {
    return newFile();
  }

  /** By ten. */
  @Benchmark
  @Threads(10)
  public FileInfo create10() {
    return newFile();
  }
}
