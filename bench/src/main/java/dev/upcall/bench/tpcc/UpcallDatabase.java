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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
        transaction ->
            work.apply(new Inside(history.in(transaction), table -> of(table).in(transaction))));
  }

  @Override
  public <T> T look(Function<Work, T> work) {
    try (UpcallSnapshot now = store.snapshot()) {
      return work.apply(new Inside(history.in(now), table -> of(table).in(now)));
    }
  }

  @Override
  public long payments() {
    return history.count();
  }

  private record Inside(
      Records<History> history, Function<Table, SortedTable<byte[], byte[]>> tables)
      implements Work {
    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
      return tables.apply(table).get(key).orElse(null);
    }

    @Override
    public byte @Nullable [] getForUpdate(Table table, byte[] key) {
      return get(table, key);
    }

    @Override
    public void put(Table table, byte[] key, byte[] value) {
      tables.apply(table).put(key, value);
    }

    @Override
    public void remove(Table table, byte[] key) {
      if (!tables.apply(table).remove(key)) {
        throw new IllegalStateException("a row to be removed from " + table + " is not there");
      }
    }

    @Override
    public List<Map.Entry<byte[], byte[]>> page(
        Table table, byte[] prefix, boolean isDescending, int limit) {
      return tables
          .apply(table)
          .page(
              Range.prefix(prefix),
              isDescending ? Direction.DESCENDING : Direction.ASCENDING,
              limit);
    }

    @Override
    public List<Map.Entry<byte[], byte[]>> all(Table table, byte[] prefix) {
      return tables.apply(table).scan(Range.prefix(prefix)).toList();
    }

    @Override
    public void append(History payment) {
      history.append(payment);
    }

    @Override
    public List<History> payments(byte[] customer) {
      return history.find(BY_CUSTOMER, customer).map(Records.Entry::record).toList();
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
