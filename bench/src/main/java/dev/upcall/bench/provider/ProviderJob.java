package dev.upcall.bench.provider;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.job.DeviceChoice;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.job.ThreadedLoop;
import dev.upcall.store.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.TreeMap;

/**
 * The same work by one thread on paths of a store and of the host, by turns. Options: {@code
 * volume} (made), {@code cap}, {@code directory} (made), {@code work}, {@code size} (files, blocks
 * or documents). An order says {@code millis} and {@code side}: {@code store}, {@code host}; {@code
 * store-forced}, {@code host-forced}, whose files are forced one by one; and {@code store-sync}, a
 * file system in which all that returns is durable, removals and directories too.
 */
public final class ProviderJob implements Job {
  private static final int OUTSTANDING = 64;

  private final Upcall store;
  private final Path directory;
  private final Work work;
  private final ThreadedLoop thread = ThreadedLoop.platform(1);
  private final Map<String, ThreadedLoop.Step> sides = new TreeMap<>();

  /** With a new store. */
  public ProviderJob(Fields options) throws IOException {
    directory = Files.createDirectories(Path.of(options.text("directory")));
    work = work(options.text("work"), (int) options.number("size"), directory.resolve("source"));
    store =
        Upcall.create(
            Path.of(options.text("volume")),
            new DeviceChoice(options).in(UpcallConfig.DEFAULT.withCapBytes(options.number("cap"))));
  }

  private static Work work(String name, int size, Path source) {
    return switch (name) {
      case "copy" -> new TreeWork(size).copy();
      case "copy-in" -> new TreeWork(size).copyFrom(source);
      case "copy-in-attributes" ->
          new TreeWork(size).copyFrom(source, StandardCopyOption.COPY_ATTRIBUTES);
      case "walk" -> new TreeWork(size).walk();
      case "read" -> new TreeWork(size).read();
      case "read-all-bytes" -> TreeWork.readAllBytes(size);
      case "random-read" -> ChannelWork.randomReads(size);
      case "outstanding-read" -> OutstandingReads.of(size, OUTSTANDING);
      case "random-write" -> ChannelWork.randomWrites(size);
      case "append" -> ChannelWork.appends(size, /* dsync= */ false);
      case "append-dsync" -> ChannelWork.appends(size, /* dsync= */ true);
      case "index" -> LuceneWork.index(size);
      case "search" -> LuceneWork.search(size);
      default -> throw new IllegalArgumentException("no such work: " + name);
    };
  }

  @Override
  public Tally run(Fields order) throws IOException, InterruptedException {
    String side = order.text("side");
    ThreadedLoop.Step step = sides.get(side);
    if (step == null) {
      step = work.begin(Files.createDirectory(root(side)), side.endsWith("-forced"));
      sides.put(side, step);
    }
    ThreadedLoop.Step again = step;
    return thread.run(order.number("millis") * 1_000_000, _ -> again);
  }

  private Path root(String side) {
    return switch (side) {
      case "store", "store-forced" -> store.fileSystem().getPath("/" + side);
      case "store-sync" -> store.fileSystem(Durability.SYNC).getPath("/" + side);
      case "host", "host-forced" -> directory.resolve(side);
      default -> throw new IllegalArgumentException("no such side: " + side);
    };
  }

  @Override
  public void close() throws IOException {
    thread.close();
    store.close();
    Lab.remove(directory);
  }
}
