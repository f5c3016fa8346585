package dev.upcall.bench.worker;

import dev.upcall.bench.composition.CompositionJob;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.job.Blocks;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.job.ThreadedLoop;
import dev.upcall.bench.peer.DurableStore;
import dev.upcall.bench.workload.ManyFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * What {@link CompositionJob} does, with values in another store's own memory. Options: {@code
 * store} (see {@link DurableStore#open}), {@code directory} (made), {@code files}, {@code depth}
 * (threads).
 */
final class PeerReadJob implements Job.Timed {
  private static final int LOADERS = 16;

  private final Path directory;
  private final DurableStore store;
  private final List<String> names;
  private final ThreadedLoop threads;

  PeerReadJob(Fields options) throws IOException, InterruptedException {
    directory = Path.of(options.text("directory"));
    store = DurableStore.open(options.text("store"), directory);
    names = ManyFiles.names(options.number("files"));
    threads = ThreadedLoop.platform((int) options.number("depth"));
    try (ThreadedLoop loaders = ThreadedLoop.platform(LOADERS)) {
      loaders.runSteps(1, thread -> () -> load(thread));
    } catch (IOException | InterruptedException | RuntimeException broken) {
      close();
      throw broken;
    }
  }

  /** Every so many-th file. */
  private void load(int first) throws IOException {
    Blocks blocks = new Blocks(first);
    for (int file = first; file < names.size(); file += LOADERS) {
      byte[] content = new byte[Blocks.BYTES];
      blocks.fill(file, ByteBuffer.wrap(content));
      store.put(names.get(file), content);
      ManyFiles.check(file, Blocks.BYTES, store.get(names.get(file)));
    }
  }

  @Override
  public Tally run(long nanos) throws IOException, InterruptedException {
    return ManyFiles.readAtRandom(threads, nanos, names.size(), file -> store.get(names.get(file)));
  }

  @Override
  public void close() throws IOException {
    threads.close();
    store.close();
    Lab.remove(directory);
  }
}
