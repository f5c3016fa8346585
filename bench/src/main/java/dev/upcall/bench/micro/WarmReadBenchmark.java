package dev.upcall.bench.micro;

import dev.upcall.Engine;
import dev.upcall.UpcallConfig;
import dev.upcall.bench.harness.Lab;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Open, read and close of files of 4 KiB that are in memory: in each composition and under each
 * engine of the store, and what a user would take instead. One thread, one file after the other,
 * but for those whose name ends with how many are in flight.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class WarmReadBenchmark {
  /** The way of the plain file, to which the others are compared. */
  public static final String PLAIN = "files";

  /** The way of a program on the store's own thread. */
  public static final String SHARED = "shared-thread";

  private static final int STEPS = 1000;
  private static final int IN_FLIGHT = 32;
  private static final int STAGES_IN_FLIGHT = 64;

  /** Who reads what. */
  @Param({
    SHARED,
    "shared-thread-copy",
    "own-thread",
    "own-thread-32",
    "own-thread-64",
    "stages-64",
    "facade",
    "facade-virtual",
    "engine-threads",
    "engine-virtual",
    PLAIN,
    "rocksdb",
    "mvstore",
    "sqlite",
    "lmdb",
    "tupl"
  })
  public String way = SHARED;

  /** How many files, read at random. */
  @Param({"1000"})
  public int files;

  private Path folder = Path.of("");
  private WarmReads reads;

  /** Not usable before {@link #open}. */
  @SuppressWarnings("NullAway.Init")
  public WarmReadBenchmark() {}

  /** Makes the files. */
  @Setup
  public void open() throws IOException {
    folder = Files.createTempDirectory("upcall-jmh-");
    UpcallConfig config = UpcallConfig.DEFAULT.withCapBytes(UpcallConfig.MIN_CAP_BYTES);
    UpcallConfig threads = config.withEngine(Engine.THREADS);
    UpcallConfig virtual = config.withEngine(Engine.VIRTUAL);
    reads =
        switch (way) {
          case SHARED -> new SharedReads(folder, config, files, /* copies= */ false);
          case "shared-thread-copy" -> new SharedReads(folder, config, files, /* copies= */ true);
          case "own-thread" -> new OwnThreadReads(folder, config, files, 1);
          case "own-thread-32" -> new OwnThreadReads(folder, config, files, IN_FLIGHT);
          case "own-thread-64" -> new OwnThreadReads(folder, config, files, STAGES_IN_FLIGHT);
          case "stages-64" -> new ComposedReads(folder, config, files, STAGES_IN_FLIGHT);
          case "facade" -> new FacadeReads(folder, config, files, /* virtual= */ false);
          case "facade-virtual" -> new FacadeReads(folder, config, files, /* virtual= */ true);
          case "engine-threads" -> new FacadeReads(folder, threads, files, /* virtual= */ false);
          case "engine-virtual" -> new FacadeReads(folder, virtual, files, /* virtual= */ true);
          case PLAIN -> new PlainReads(folder, files);
          case String peer -> new PeerReads(peer, folder, files);
        };
  }

  /** Removes the files. */
  @TearDown
  public void close() throws IOException {
    reads.close();
    Lab.remove(folder);
  }

  /** One file, from its path to its bytes. */
  @Benchmark
  @OperationsPerInvocation(STEPS)
  public long openReadClose() throws IOException {
    return reads.read(STEPS);
  }
}
