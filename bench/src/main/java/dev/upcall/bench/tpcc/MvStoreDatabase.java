package dev.upcall.bench.tpcc;

import dev.upcall.bench.peer.GroupCommit;
import dev.upcall.bench.tpcc.Rows.History;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.tx.Transaction;
import org.h2.mvstore.tx.TransactionMap;
import org.h2.mvstore.tx.TransactionStore;
import org.h2.mvstore.type.ByteArrayDataType;
import org.jspecify.annotations.Nullable;

/**
 * H2's MVStore with its transaction store, which reads what is committed and locks rows that are
 * changed; a row is locked before it is read where it is changed next. A commit there is durable
 * after a commit and a sync of the store, which one thread makes for all that wait.
 */
final class MvStoreDatabase implements Database {
  private static final int MIB = 1 << 20;

  private final MVStore store;
  private final TransactionStore transactions;
  private final GroupCommit commits;
  private final AtomicLong nextPayment;

  MvStoreDatabase(Path directory, long memoryBytes) {
    store =
        new MVStore.Builder()
            .fileName(directory.resolve("tpcc.mv").toString())
            .cacheSize((int) (memoryBytes / MIB))
            .open();
    transactions = new TransactionStore(store);
    transactions.init();
    transactions.endLeftoverTransactions();
    commits =
        new GroupCommit(
            () -> {
              store.commit();
              store.sync();
            });
    nextPayment = new AtomicLong(payments());
  }

  @Override
  public void load(List<Row> rows) {
    within(
        work -> {
          rows.forEach(row -> work.put(row.table(), row.key(), row.value()));
          return rows;
        });
  }

  @Override
  public void loadHistory(List<History> payments) {
    within(
        work -> {
          payments.forEach(work::append);
          return payments;
        });
  }

  @Override
  public void sync() {
    commits.await();
  }

  @Override
  public <T> T transact(Function<Work, T> work) {
    T result = within(work);
    commits.await();
    return result;
  }

  @Override
  public <T> T look(Function<Work, T> work) {
    return within(work);
  }

  private <T> T within(Function<Work, T> work) {
    while (true) {
      Transaction transaction = transactions.begin();
      try {
        T result = work.apply(new Inside(transaction));
        transaction.commit();
        return result;
      } catch (MVStoreException failed) {
        transaction.rollback();
        if (failed.getErrorCode() != DataUtils.ERROR_TRANSACTION_LOCKED
            && failed.getErrorCode() != DataUtils.ERROR_TRANSACTIONS_DEADLOCK) {
          throw failed;
        }
      } catch (RuntimeException thrown) {
        transaction.rollback();
        throw thrown;
      }
    }
  }

  @Override
  public long payments() {
    return within(work -> ((Inside) work).history().sizeAsLong());
  }

  private final class Inside implements Work {
    private final Transaction transaction;
    private final Map<Table, TransactionMap<byte[], byte[]>> maps = new EnumMap<>(Table.class);

    private Inside(Transaction transaction) {
      this.transaction = transaction;
    }

    private TransactionMap<byte[], byte[]> of(Table table) {
      return maps.computeIfAbsent(table, wanted -> map(wanted.name()));
    }

    private TransactionMap<byte[], byte[]> map(String name) {
      return transaction.openMap(name, ByteArrayDataType.INSTANCE, ByteArrayDataType.INSTANCE);
    }

    private TransactionMap<byte[], byte[]> history() {
      return map("HISTORY");
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
      return of(table).get(key);
    }

    @Override
    public byte @Nullable [] getForUpdate(Table table, byte[] key) {
      return of(table).lock(key);
    }

    @Override
    public void put(Table table, byte[] key, byte[] value) {
      of(table).put(key, value);
    }

    @Override
    public void remove(Table table, byte[] key) {
      if (of(table).remove(key) == null) {
        throw new IllegalStateException("a row to be removed from " + table + " is not there");
      }
    }

    @Override
    public List<Map.Entry<byte[], byte[]>> page(
        Table table, byte[] prefix, boolean isDescending, int limit) {
      return page(of(table), prefix, isDescending, limit);
    }

    private static List<Map.Entry<byte[], byte[]>> page(
        TransactionMap<byte[], byte[]> map, byte[] prefix, boolean isDescending, int limit) {
      List<Map.Entry<byte[], byte[]>> page = new ArrayList<>();
      byte[] last = Arrays.copyOf(prefix, prefix.length + Long.BYTES);
      Arrays.fill(last, prefix.length, last.length, (byte) 0xFF);
      Map.Entry<byte[], byte[]> next =
          isDescending ? map.floorEntry(last) : map.ceilingEntry(prefix);
      while (next != null
          && page.size() < limit
          && Arrays.equals(prefix, 0, prefix.length, next.getKey(), 0, prefix.length)) {
        page.add(next);
        next = isDescending ? map.lowerEntry(next.getKey()) : map.higherEntry(next.getKey());
      }
      return page;
    }

    @Override
    public void append(History payment) {
      byte[] customer = payment.customer();
      byte[] key =
          ByteBuffer.allocate(customer.length + Long.BYTES)
              .put(customer)
              .putLong(nextPayment.getAndIncrement())
              .array();
      history().put(key, History.CODEC.encode(payment));
    }

    @Override
    public List<History> payments(byte[] customer) {
      return page(history(), customer, false, Integer.MAX_VALUE).stream()
          .map(entry -> History.CODEC.decode(entry.getValue()))
          .toList();
    }
  }

  @Override
  public void close() {
    transactions.close();
    store.close();
  }
}
