package dev.upcall.bench.workload;

import dev.upcall.FileContent;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.bench.job.Blocks;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.job.ThreadedLoop;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;

/** A store of many equal files in directories of a thousand, by number. */
public final class ManyFiles {
  private static final int FILES_PER_DIRECTORY = 1000;
  private static final int BATCH_BYTES = 384 << 10;
  private static final int BATCH_FILES = 250;
  private static final int LOADERS = 4;

  private ManyFiles() {}

  /** The path of a file. */
  public static StorePath path(long file) {
    return directory(file / FILES_PER_DIRECTORY).child("f" + file);
  }

  /** The paths of the first files, made once: so a reader's loop has no part of making them. */
  public static List<StorePath> paths(long files) {
    return LongStream.range(0, files).mapToObj(ManyFiles::path).toList();
  }

  /** The same as texts. */
  public static List<String> names(long files) {
    return paths(files).stream().map(StorePath::toString).toList();
  }

  private static StorePath directory(long number) {
    return StorePath.of("/d" + number);
  }

  /** Brings all files in, many in one batch, durable at the end. */
  public static void load(Upcall store, long files, int bytesEach)
      throws IOException, InterruptedException {
    long directories = (files + FILES_PER_DIRECTORY - 1) / FILES_PER_DIRECTORY;
    List<Future<?>> parts = new ArrayList<>();
    try (ExecutorService loaders = Executors.newFixedThreadPool(LOADERS)) {
      for (int i = 0; i < LOADERS; i++) {
        int first = i;
        parts.add(
            loaders.submit(
                () -> {
                  for (long number = first; number < directories; number += LOADERS) {
                    loadDirectory(store, number, files, bytesEach);
                  }
                }));
      }
      for (Future<?> part : parts) {
        part.get();
      }
    } catch (ExecutionException failed) {
      throw new IOException(failed.getCause());
    }
    store.flush();
  }

  private static void loadDirectory(Upcall store, long number, long files, int bytesEach) {
    List<FileRequest> batch = new ArrayList<>();
    batch.add(new FileRequest.CreateDirectory(directory(number)));
    Blocks blocks = new Blocks(number);
    long begin = number * FILES_PER_DIRECTORY;
    long end = Math.min(files, begin + FILES_PER_DIRECTORY);
    int most = Math.clamp(BATCH_BYTES / bytesEach, 1, BATCH_FILES);
    for (long file = begin; file < end; file++) {
      batch.add(put(path(file), blocks, file, bytesEach));
      if (batch.size() >= most || file == end - 1) {
        store.batch(List.copyOf(batch), Durability.ASYNC);
        batch.clear();
      }
    }
  }

  /** Fails when these are not the bytes of a file. */
  public static void check(long file, int bytesEach, byte[] bytes) {
    if (bytes.length != bytesEach) {
      throw new IllegalStateException(bytes.length + " bytes instead of " + bytesEach);
    }
    Blocks.check(file, ByteBuffer.wrap(bytes));
  }

  /** A new file of random content. */
  static FileRequest put(StorePath path, Blocks blocks, long number, int bytes) {
    int whole = (bytes + Blocks.BYTES - 1) / Blocks.BYTES * Blocks.BYTES;
    byte[] content = new byte[whole];
    blocks.fill(number, ByteBuffer.wrap(content));
    return new FileRequest.Put(
        path, new FileContent.Bytes(java.util.Arrays.copyOf(content, bytes)), PutOptions.DEFAULT);
  }

  /** Reads a file whole, by its number. */
  @FunctionalInterface
  public interface Read {
    /** Its content. */
    byte[] of(int file) throws IOException;
  }

  /** Threads read files at random for a time; remarks say how often one had to wait its turn. */
  public static Tally readAtRandom(ThreadedLoop threads, long nanos, int files, Read read)
      throws IOException, InterruptedException {
    long before = ContextSwitches.ofThisProcess();
    Tally tally =
        threads.run(
            nanos,
            thread -> {
              SplittableRandom random = new SplittableRandom(thread);
              return () -> {
                int file = random.nextInt(files);
                check(file, Blocks.BYTES, read.of(file));
              };
            });
    double switches = ContextSwitches.ofThisProcess() - before;
    return tally.remark("context-switches=%.3f", switches / Math.max(1, tally.units()));
  }
}
