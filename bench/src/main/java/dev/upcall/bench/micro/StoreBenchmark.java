package dev.upcall.bench.micro;

import dev.upcall.FileContent;
import dev.upcall.FileInfo;
import dev.upcall.FsmUpcall;
import dev.upcall.LinkPolicy;
import dev.upcall.OpenFile;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.bench.harness.Lab;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.content.ContentSlice;
import dev.upcall.content.LeaseOwner;
import dev.upcall.request.FileRequest;
import dev.upcall.segment.PinnedContent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
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
 * Single steps of a warm store, on its own thread: a block that is in memory, and a name. The
 * device has no part in them.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class StoreBenchmark {
  private static final int STEPS = 1000;
  private static final int BLOCK_BYTES = 4096;
  private static final int FILE_BLOCKS = 64;
  private static final int BATCH = 256;
  private static final LeaseOwner OWNER = new LeaseOwner("bench", 0);

  /** Files of the directory in which names are looked up. */
  @Param({"1000"})
  public int files;

  private final SplittableRandom random = new SplittableRandom(1);
  private final List<StorePath> paths = new ArrayList<>();
  private Path folder = Path.of("");
  private FsmUpcall store;
  private OpenFile file;

  /** Not usable before {@link #open}. */
  @SuppressWarnings("NullAway.Init")
  public StoreBenchmark() {}

  /** Makes a store with a directory of small files and one of 256 KiB. */
  @Setup
  public void open() throws IOException {
    folder = Files.createTempDirectory("upcall-jmh-");
    UpcallConfig config = UpcallConfig.DEFAULT.withCapBytes(UpcallConfig.MIN_CAP_BYTES);
    store = Upcall.create(folder.resolve("bench.upcall"), config).fsm();
    byte[] content = new byte[FILE_BLOCKS * BLOCK_BYTES];
    Arrays.fill(content, (byte) 1); // zeros would be a hole
    store.write("/content", content);
    store.createDirectory("/names");
    List<FileRequest> puts = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      StorePath path = StorePath.of("/names/file-" + i);
      paths.add(path);
      puts.add(new FileRequest.Put(path, new FileContent.Bytes(new byte[10]), PutOptions.DEFAULT));
      if (puts.size() == BATCH || i == files - 1) {
        store.batch(List.copyOf(puts));
        puts.clear();
      }
    }
    // Large content goes to the device as it is written; reading brings it back into memory.
    store.readAllBytes("/content");
    file = this.<OpenFile>onStore(done -> store.fileManager().openRead(path(), OWNER, port(done)));
  }

  private static StorePath path() {
    return StorePath.of("/content");
  }

  /** Closes and removes the store. */
  @TearDown
  public void close() throws IOException {
    this.<Boolean>onStore(
        done -> {
          file.close();
          done.complete(true);
        });
    store.close();
    Lab.remove(folder);
  }

  private <T> T onStore(Consumer<CompletableFuture<T>> work) {
    CompletableFuture<T> done = new CompletableFuture<>();
    store.execute(
        () -> {
          try {
            work.accept(done);
          } catch (RuntimeException broken) {
            done.completeExceptionally(broken);
          }
        });
    return done.join();
  }

  private static <T> CompletionPort<T> port(CompletableFuture<T> done) {
    return completion -> {
      switch (completion) {
        case Completion.Done<T>(T value) -> done.complete(value);
        case Completion.Failed<T> failed ->
            done.completeExceptionally(new IllegalStateException(failed.failure().message()));
      }
    };
  }

  /** Leases a block of 4 KiB that is in memory and gives it back. */
  @Benchmark
  @OperationsPerInvocation(STEPS)
  public long bufferHit() {
    return this.<Long>onStore(
        done -> {
          PinnedContent content = Objects.requireNonNull(file.content());
          long bytes = 0;
          for (int i = 0; i < STEPS; i++) {
            long offset = (long) random.nextInt(FILE_BLOCKS) * BLOCK_BYTES;
            ContentSlice slice = content.tryRead(offset, BLOCK_BYTES);
            bytes += Objects.requireNonNull(slice, "not in memory").sizeBytes();
            slice.release();
          }
          done.complete(bytes);
        });
  }

  /** Finds a file of the directory by its path, one after the other. */
  @Benchmark
  @OperationsPerInvocation(STEPS)
  public long nameLookup() {
    return this.<Long>onStore(done -> new Lookups(done).next());
  }

  private final class Lookups implements CompletionPort<FileInfo> {
    private final CompletableFuture<Long> done;
    private int left = STEPS;
    private long bytes;

    private Lookups(CompletableFuture<Long> done) {
      this.done = done;
    }

    private void next() {
      StorePath path = paths.get(random.nextInt(paths.size()));
      store.fileManager().stat(path, LinkPolicy.FOLLOW, this);
    }

    @Override
    public void complete(Completion<FileInfo> completion) {
      switch (completion) {
        case Completion.Done<FileInfo>(FileInfo info) -> {
          bytes += info.sizeBytes();
          if (--left > 0) {
            next();
          } else {
            done.complete(bytes);
          }
        }
        case Completion.Failed<FileInfo> failed ->
            done.completeExceptionally(new IllegalStateException(failed.failure().message()));
      }
    }
  }
}
