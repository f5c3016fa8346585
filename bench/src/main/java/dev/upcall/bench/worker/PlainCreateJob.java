package dev.upcall.bench.worker;

import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.job.Blocks;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.job.ThreadedLoop;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Durable creation of files of 4 KiB with the plain file system, as a careful program does it:
 * create under another name, write, fsync, rename, fsync of the directory. Options: {@code
 * directory}, {@code depth} (threads).
 */
final class PlainCreateJob implements Job.Timed {
  private final Path directory;
  private final ThreadedLoop threads;
  private int runs;

  PlainCreateJob(Fields options) throws IOException {
    directory = Files.createDirectories(Path.of(options.text("directory")));
    threads = ThreadedLoop.platform((int) options.number("depth"));
  }

  @Override
  public Tally run(long nanos) throws IOException, InterruptedException {
    Path folder = Files.createDirectory(directory.resolve("run" + ++runs));
    try (FileChannel parent = FileChannel.open(folder, StandardOpenOption.READ)) {
      return threads.run(nanos, thread -> new Creator(folder, parent, thread));
    }
  }

  @Override
  public void close() throws IOException {
    threads.close();
    Lab.remove(directory);
  }

  /** Creates one file after the other. */
  static final class Creator implements ThreadedLoop.Step {
    private final Path folder;
    private final FileChannel parent;
    private final int thread;
    private final Blocks blocks;
    private final ByteBuffer content = ByteBuffer.allocateDirect(Blocks.BYTES);
    private long count;

    Creator(Path folder, FileChannel parent, int thread) {
      this.folder = folder;
      this.parent = parent;
      this.thread = thread;
      this.blocks = new Blocks(thread);
    }

    @Override
    public void run() throws IOException {
      String name = "f" + thread + "-" + count;
      Path unfinished = folder.resolve(name + ".new");
      blocks.fill(count, content.clear());
      content.flip();
      try (FileChannel file =
          FileChannel.open(unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        while (content.hasRemaining()) {
          file.write(content);
        }
        file.force(true);
      }
      Files.move(unfinished, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
      parent.force(true);
      count++;
    }
  }
}
