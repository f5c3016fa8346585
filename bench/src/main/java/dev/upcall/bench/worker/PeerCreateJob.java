package dev.upcall.bench.worker;

import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.job.Blocks;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.job.ThreadedLoop;
import dev.upcall.bench.peer.DurableStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.IntFunction;

/**
 * Durable puts of values of 4 KiB into another store, each a commit of its own. Options: {@code
 * store} (see {@link DurableStore#open}), {@code directory} (made), {@code depth} (threads).
 */
final class PeerCreateJob implements Job.Counted {
  private final Path directory;
  private final DurableStore store;
  private final ThreadedLoop threads;
  private int runs;

  PeerCreateJob(Fields options) throws IOException {
    directory = Path.of(options.text("directory"));
    store = DurableStore.open(options.text("store"), directory);
    threads = ThreadedLoop.platform((int) options.number("depth"));
  }

  @Override
  public Tally run(long nanos) throws IOException, InterruptedException {
    return threads.run(nanos, putters());
  }

  @Override
  public Tally runUnits(long units) throws IOException, InterruptedException {
    return threads.runSteps(units, putters());
  }

  private IntFunction<ThreadedLoop.Step> putters() {
    String run = "run" + ++runs;
    return thread -> new Putter(run + "/f" + thread + "-", thread);
  }

  @Override
  public void close() throws IOException {
    threads.close();
    store.close();
    Lab.remove(directory);
  }

  private final class Putter implements ThreadedLoop.Step {
    private final String prefix;
    private final Blocks blocks;
    private final ByteBuffer content = ByteBuffer.allocate(Blocks.BYTES);
    private long count;

    private Putter(String prefix, int thread) {
      this.prefix = prefix;
      this.blocks = new Blocks(thread);
    }

    @Override
    public void run() throws IOException {
      blocks.fill(count, content.clear());
      store.put(prefix + count, content.array());
      count++;
    }
  }
}
