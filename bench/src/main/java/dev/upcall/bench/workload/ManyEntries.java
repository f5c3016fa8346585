package dev.upcall.bench.workload;

import dev.upcall.MetadataChange;
import dev.upcall.Parents;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.bench.job.Blocks;
import dev.upcall.request.FileRequest;
import dev.upcall.request.TableRequest;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A store of many equal entries that some tables share, by number: the n-th lies in the table that
 * is the remainder. One thread.
 */
public final class ManyEntries {
  private static final int BATCH = 1000;
  private static final String DIRECTORY = "/tables";

  private final long entries;
  private final int tables;
  private final int valueBytes;
  private final Blocks blocks = new Blocks(5);
  private final SplittableRandom random = new SplittableRandom(5);

  /**
   * Of so many.
   *
   * @param entries in all tables together
   * @param valueBytes of each, 8 at least; the key has 16 more
   */
  public ManyEntries(long entries, int tables, int valueBytes) {
    this.entries = entries;
    this.tables = tables;
    this.valueBytes = valueBytes;
  }

  /** Brings all in, durable at the end. */
  public void load(Upcall store) {
    List<FileRequest> batch = new ArrayList<>(BATCH);
    for (int table = 0; table < tables; table++) {
      batch.add(new TableRequest.CreateTable(table(table), Parents.MAKE, MetadataChange.NONE));
      send(store, batch, BATCH);
    }
    send(store, batch, 1);
    // One table after the other, so that a batch lies together as a loader's would.
    for (int table = 0; table < tables; table++) {
      for (long number = table; number < entries; number += tables) {
        batch.add(put(number));
        send(store, batch, BATCH);
      }
    }
    send(store, batch, 1);
    store.flush();
  }

  private static void send(Upcall store, List<FileRequest> batch, int least) {
    if (batch.size() >= least) {
      store.batch(List.copyOf(batch), Durability.ASYNC);
      batch.clear();
    }
  }

  /** A new value for an entry anywhere. */
  public FileRequest overwrite(long change) {
    return put(random.nextLong(entries));
  }

  private FileRequest put(long number) {
    byte[] key = ByteBuffer.allocate(2 * Long.BYTES).putLong(number).putLong(~number).array();
    byte[] value = new byte[valueBytes];
    blocks.fill(random.nextInt(), ByteBuffer.wrap(value));
    return new TableRequest.PutEntry(table((int) (number % tables)), key, value);
  }

  private static StorePath table(int number) {
    return StorePath.of(DIRECTORY + "/t" + number);
  }
}
