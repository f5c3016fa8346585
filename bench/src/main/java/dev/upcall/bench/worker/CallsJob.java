package dev.upcall.bench.worker;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.job.Blocks;
import dev.upcall.bench.job.DeviceChoice;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.job.ThreadedLoop;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Durable creation of files of 4 KiB by one thread that calls and waits, always the same. Options:
 * {@code volume} (made), {@code cap}, {@code directory} (made). An order says {@code millis} and
 * {@code side}: {@code store}; {@code plain} (a new file is written and synced); {@code careful}
 * (as {@link PlainCreateJob} does it).
 */
final class CallsJob implements Job {
  private final Upcall store;
  private final Path directory;
  private final ThreadedLoop thread = ThreadedLoop.platform(1);
  private int runs;

  CallsJob(Fields options) throws IOException {
    directory = Files.createDirectories(Path.of(options.text("directory")));
    store =
        Upcall.create(
            Path.of(options.text("volume")),
            new DeviceChoice(options).in(UpcallConfig.DEFAULT.withCapBytes(options.number("cap"))));
  }

  @Override
  public Tally run(Fields order) throws IOException, InterruptedException {
    long nanos = order.number("millis") * 1_000_000;
    String name = "run" + ++runs;
    String side = order.text("side");
    if (side.equals("store")) {
      store.createDirectory("/" + name);
      return thread.run(nanos, _ -> new StoreCreator("/" + name));
    }
    Path folder = Files.createDirectory(directory.resolve(name));
    try (FileChannel parent = FileChannel.open(folder, StandardOpenOption.READ)) {
      return thread.run(
          nanos,
          number ->
              switch (side) {
                case "plain" -> new PlainCreator(folder);
                case "careful" -> new PlainCreateJob.Creator(folder, parent, number);
                default -> throw new IllegalArgumentException("no such side: " + side);
              });
    }
  }

  @Override
  public void close() throws IOException {
    thread.close();
    store.close();
    Lab.remove(directory);
  }

  private final class StoreCreator implements ThreadedLoop.Step {
    private final String directory;
    private final Blocks blocks = new Blocks(1);
    private long count;

    private StoreCreator(String directory) {
      this.directory = directory;
    }

    @Override
    public void run() {
      byte[] content = new byte[Blocks.BYTES];
      blocks.fill(count, ByteBuffer.wrap(content));
      store.write(directory + "/f" + count, content);
      count++;
    }
  }

  private static final class PlainCreator implements ThreadedLoop.Step {
    private final Path folder;
    private final Blocks blocks = new Blocks(1);
    private final ByteBuffer content = ByteBuffer.allocateDirect(Blocks.BYTES);
    private long count;

    private PlainCreator(Path folder) {
      this.folder = folder;
    }

    @Override
    public void run() throws IOException {
      blocks.fill(count, content.clear());
      content.flip();
      try (FileChannel file =
          FileChannel.open(
              folder.resolve("f" + count),
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.WRITE)) {
        while (content.hasRemaining()) {
          file.write(content);
        }
        file.force(true);
      }
      count++;
    }
  }
}
