package dev.upcall.bench.edits;

import dev.upcall.bench.job.Blocks;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.job.ThreadedLoop;
import dev.upcall.bench.peer.DurableStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;

/** Durable inserts into a value of another store, one after the other. */
final class PeerEdits implements EditSide {
  private static final String NAME = "value";
  private static final long SEED = 18;

  private final ThreadedLoop thread = ThreadedLoop.platform(1);
  private final Random random = new Random(SEED);
  private final DurableStore store;
  private final byte[] bytes;
  private int size;

  PeerEdits(String kind, Path directory, int length, int size) throws IOException {
    this.bytes = new byte[length];
    this.size = size;
    byte[] value = new byte[size];
    new Blocks(1).fill(0, ByteBuffer.wrap(value));
    store = DurableStore.open(kind, directory);
    store.put(NAME, value);
  }

  @Override
  public Tally run(long nanos) throws IOException, InterruptedException {
    return thread.run(nanos, _ -> this::insert);
  }

  private void insert() throws IOException {
    store.insert(NAME, random.nextInt(size + 1), bytes);
    size += bytes.length;
  }

  @Override
  public void close() throws IOException {
    thread.close();
    store.close();
  }
}
