package dev.upcall.bench.tpcc;

import dev.upcall.FsmUpcall;
import dev.upcall.Listing.Direction;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallSnapshot;
import dev.upcall.bench.tpcc.Rows.History;
import dev.upcall.request.FileRequest;
import dev.upcall.request.TableRequest;
import dev.upcall.store.Durability;
import dev.upcall.table.Codecs;
import dev.upcall.table.Index;
import dev.upcall.table.Range;
import dev.upcall.table.Records;
import dev.upcall.table.SortedTable;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Ours: a sorted table for each table and for the indexes that the program keeps, and records for
 * the payments, which have no key of their own, with an index that the store keeps. Transactions
 * read as of their begin, and what others have changed since is a conflict, so nothing is locked
 * for being read.
 */
final class UpcallDatabase implements Database {
  private static final int PAGES_PART = 4;
  private static final Index<History, byte[]> BY_CUSTOMER =
      Index.of("/history-by-customer", Codecs.BYTES, History::customer);

  private final FsmUpcall store;
  private final Map<Table, SortedTable<byte[], byte[]>> tables = new EnumMap<>(Table.class);
  private final Records<History> history;

  /** With so much memory for pages of trees. */
  UpcallDatabase(Path directory, long memoryBytes) {
    UpcallConfig config = UpcallConfig.DEFAULT.withMemoryBytes(memoryBytes * PAGES_PART);
    store = Upcall.openOrCreate(directory.resolve("tpcc.upcall"), config).fsm();
    for (Table table : Table.values()) {
      tables.put(table, store.sortedTable(path(table), Codecs.BYTES, Codecs.BYTES));
    }
    history = store.records("/history", History.CODEC, List.of(BY_CUSTOMER));
  }

  private static String path(Table table) {
    return "/" + table.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private SortedTable<byte[], byte[]> of(Table table) {
    SortedTable<byte[], byte[]> found = tables.get(table);
    if (found == null) {
      throw new IllegalStateException("no table " + table);
    }
    return found;
  }

  @Override
  public void load(List<Row> rows) {
    List<FileRequest> requests = new ArrayList<>();
    for (Row row : rows) {
      requests.add(new TableRequest.PutEntry(path(row.table()), row.key(), row.value()));
    }
    store.batch(requests, Durability.ASYNC);
  }

  @Override
  public void loadHistory(List<History> payments) {
    payments.forEach(history.with(Durability.ASYNC)::append);
  }

  @Override
  public void sync() {
    store.flush();
  }

  @Override
  public <T> T transact(Function<Work, T> work) {
    return store.transact(
        transaction -> {
          Inside inside =
              new Inside(
                  history.in(transaction), table -> of(table).in(transaction), transaction::batch);
          T result = work.apply(inside);
          inside.send();
          return result;
        });
  }

  @Override
  public <T> T look(Function<Work, T> work) {
    try (UpcallSnapshot now = store.snapshot()) {
      return work.apply(
          new Inside(
              history.in(now),
              table -> of(table).in(now),
              changes -> {
                throw new IllegalStateException("changes of who only looks: " + changes);
              }));
    }
  }

  @Override
  public long payments() {
    return history.count();
  }

  /**
   * A transaction, or a look as of a moment. Changes are kept until something is asked that they
   * could matter to, and are sent together: each call waits for the store's thread.
   */
  private static final class Inside implements Work {
    private final Records<History> history;
    private final Function<Table, SortedTable<byte[], byte[]>> tables;
    private final Consumer<List<FileRequest>> batch;
    private final Map<ByteBuffer, byte[]> values = new HashMap<>();
    private final List<FileRequest> changes = new ArrayList<>();
    private final EnumSet<Table> changed = EnumSet.noneOf(Table.class);

    private Inside(
        Records<History> history,
        Function<Table, SortedTable<byte[], byte[]>> tables,
        Consumer<List<FileRequest>> batch) {
      this.history = history;
      this.tables = tables;
      this.batch = batch;
    }

    private void send() {
      if (!changes.isEmpty()) {
        batch.accept(List.copyOf(changes));
        changes.clear();
        changed.clear();
        values.clear();
      }
    }

    private static ByteBuffer name(Table table, byte[] key) {
      return ByteBuffer.allocate(1 + key.length).put((byte) table.ordinal()).put(key).flip();
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
      byte[] own = values.get(name(table, key));
      return own != null ? own : tables.apply(table).get(key).orElse(null);
    }

    @Override
    public byte @Nullable [] getForUpdate(Table table, byte[] key) {
      return get(table, key);
    }

    @Override
    public void put(Table table, byte[] key, byte[] value) {
      values.put(name(table, key), value);
      changes.add(new TableRequest.PutEntry(path(table), key, value));
      changed.add(table);
    }

    /** Before the table is looked at: a look finds only changes that were sent. */
    private void sendIfChanged(Table table) {
      if (changed.contains(table)) {
        send();
      }
    }

    @Override
    public void remove(Table table, byte[] key) {
      send();
      if (!tables.apply(table).remove(key)) {
        throw new IllegalStateException("a row to be removed from " + table + " is not there");
      }
    }

    @Override
    public List<Map.Entry<byte[], byte[]>> page(
        Table table, byte[] prefix, boolean isDescending, int limit) {
      sendIfChanged(table);
      Direction direction = isDescending ? Direction.DESCENDING : Direction.ASCENDING;
      return tables.apply(table).page(Range.prefix(prefix), direction, limit);
    }

    @Override
    public List<Map.Entry<byte[], byte[]>> all(Table table, byte[] prefix) {
      sendIfChanged(table);
      return tables.apply(table).scan(Range.prefix(prefix)).toList();
    }

    @Override
    public void append(History payment) {
      send();
      history.append(payment);
    }

    @Override
    public List<History> payments(byte[] customer) {
      send();
      return history.find(BY_CUSTOMER, customer).map(Records.Entry::record).toList();
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
