package dev.upcall.bench.worker;

import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Lab;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Durable creation of files of 4 KiB with the plain file system, as a careful program does it:
 * create under another name, write, fsync, rename, fsync of the directory. Options: {@code
 * directory}, {@code depth} (threads).
 */
final class PlainCreateJob implements Worker.Job {
  private final Path directory;
  private final ExecutorService threads;
  private final int depth;
  private final byte[] content = new byte[Blocks.BYTES];
  private int runs;

  PlainCreateJob(Fields options) throws IOException {
    directory = Files.createDirectories(Path.of(options.text("directory")));
    depth = (int) options.number("depth");
    threads = Executors.newFixedThreadPool(depth);
    new Blocks(1).fill(0, ByteBuffer.wrap(content));
  }

  @Override
  public Tally run(long nanos) throws IOException, InterruptedException {
    Path folder = Files.createDirectory(directory.resolve("run" + ++runs));
    Tally all = new Tally();
    try (FileChannel parent = FileChannel.open(folder, StandardOpenOption.READ)) {
      List<Future<Tally>> parts = new ArrayList<>();
      long deadlineNanos = System.nanoTime() + nanos;
      for (int i = 0; i < depth; i++) {
        String prefix = "f" + i + "-";
        parts.add(threads.submit(() -> create(folder, parent, prefix, deadlineNanos)));
      }
      List<Tally> tallies = new ArrayList<>();
      for (Future<Tally> part : parts) {
        tallies.add(part.get());
      }
      all.end();
      tallies.forEach(all::add);
    } catch (ExecutionException failed) {
      throw new IOException(failed.getCause());
    }
    return all;
  }

  private Tally create(Path folder, FileChannel parent, String prefix, long deadlineNanos)
      throws IOException {
    Tally tally = new Tally();
    long begin = System.nanoTime();
    for (long i = 0; begin < deadlineNanos; i++) {
      Path unfinished = folder.resolve(prefix + i + ".new");
      try (FileChannel file =
          FileChannel.open(unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        while (bytes.hasRemaining()) {
          file.write(bytes);
        }
        file.force(true);
      }
      Files.move(unfinished, folder.resolve(prefix + i), StandardCopyOption.ATOMIC_MOVE);
      parent.force(true);
      long now = System.nanoTime();
      tally.add(1, now - begin);
      begin = now;
    }
    return tally;
  }

  @Override
  public void close() throws IOException {
    threads.shutdownNow();
    Lab.remove(directory);
  }
}
