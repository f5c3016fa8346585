package dev.upcall.fileman.blocking;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.AsyncFiles;
import dev.upcall.AsyncSnapshot;
import dev.upcall.AsyncTransaction;
import dev.upcall.Existence;
import dev.upcall.FileContent;
import dev.upcall.FileInfo;
import dev.upcall.FsmUpcall;
import dev.upcall.OpenMode;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.UpcallSnapshot;
import dev.upcall.UpcallTransaction;
import dev.upcall.base.SystemClock;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.history.IsolationChecker;
import dev.upcall.history.TransactionHistory;
import dev.upcall.history.TransactionRecord;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactions of threads on a real volume. */
class UpcallTransactionTest {
  private static final int ACCOUNTS = 12;
  private static final long START = 1000;
  private static final long MINUTES = 2;

  @TempDir private Path folder;

  private FsmUpcall open() {
    UpcallConfig config = UpcallConfig.DEFAULT.withMemoryBytes(32L << 20).withCapBytes(256L << 20);
    return Upcall.openOrCreate(folder.resolve("v.upcall"), config).fsm();
  }

  @Test
  void closingWithoutCommitRollsBack() {
    try (FsmUpcall store = open()) {
      store.write("/a", "old".getBytes(UTF_8));
      try (UpcallTransaction transaction = store.begin()) {
        transaction.write("/a", "new".getBytes(UTF_8));
        transaction.write("/large", new byte[500_000]);
        assertEquals("new", text(transaction.readAllBytes("/a")));
        assertEquals(500_000, transaction.readAllBytes("/large").length);
        assertEquals("old", text(store.readAllBytes("/a")));
      }
      assertEquals("old", text(store.readAllBytes("/a")));
      assertFalse(store.exists("/large"));
      try (UpcallTransaction transaction = store.begin()) {
        transaction.createDirectories("/d/e");
        transaction.write("/d/e/f", "new".getBytes(UTF_8));
        transaction.rename("/a", "/d/a", Existence.MUST_NOT_EXIST);
        long scn = transaction.commit();
        assertTrue(scn > transaction.scn());
        UpcallException late = assertThrows(UpcallException.class, transaction::commit);
        assertInstanceOf(Failure.Closed.class, late.failure());
      }
      assertEquals("new", text(store.readAllBytes("/d/e/f")));
      assertEquals("old", text(store.readAllBytes("/d/a")));
    }
  }

  @Test
  void rangesAreReadAndWritten() {
    try (FsmUpcall store = open()) {
      store.write("/a", "0123456789".getBytes(UTF_8));
      try (UpcallTransaction transaction = store.begin();
          Upcall.RandomAccess a = transaction.open("/a", OpenMode.EXISTING);
          Upcall.RandomAccess b = transaction.open("/b", OpenMode.CREATE)) {
        a.write(8, ByteBuffer.wrap("abc".getBytes(UTF_8)));
        a.flush();
        b.append(ByteBuffer.wrap(new byte[300_000]));
        ByteBuffer read = ByteBuffer.allocate(3);
        assertEquals(3, a.read(7, read));
        assertEquals("7ab", text(read.array()));
        try (Upcall.ReadStream stream = transaction.read("/a")) {
          assertEquals(3, stream.read(8, read.clear()));
          assertEquals("abc", text(read.array()));
        }
        assertEquals("0123456789", text(store.readAllBytes("/a")));
        transaction.commit();
      }
      assertEquals("01234567abc", text(store.readAllBytes("/a")));
      assertEquals(300_000, store.stat("/b").sizeBytes());
    }
  }

  @Test
  void aTransactionOutlivesItsStoreWithoutHarm() {
    FsmUpcall store = open();
    UpcallTransaction transaction = store.begin();
    transaction.write("/a", "never".getBytes(UTF_8));
    store.close();
    transaction.close();
    try (Upcall again = open()) {
      assertFalse(again.exists("/a"));
    }
  }

  @Test
  void aProgramOnOneThreadHasThemToo() throws InterruptedException {
    try (FsmUpcall store = open();
        AsyncFiles files = store.newAsyncFiles()) {
      List<Completion<?>> heard = new ArrayList<>();
      files.begin(
          begun -> {
            AsyncTransaction transaction = ((Completion.Done<AsyncTransaction>) begun).value();
            StorePath path = StorePath.of("/a");
            transaction.batch(
                List.of(
                    new FileRequest.Put(
                        path, new FileContent.Bytes("own".getBytes(UTF_8)), PutOptions.DEFAULT)),
                put ->
                    transaction.read(
                        path,
                        0,
                        100,
                        read -> {
                          heard.add(read);
                          transaction.commit(Durability.SYNC, heard::add);
                        }));
          });
      while (files.outstanding() > 0) {
        files.await(10, Duration.ofSeconds(120));
      }
      assertEquals("own", text((byte[]) ((Completion.Done<?>) heard.getFirst()).value()));
      assertInstanceOf(Completion.Done.class, heard.get(1));
      files.begin(
          begun -> ((Completion.Done<AsyncTransaction>) begun).value().rollback(heard::add));
      while (files.outstanding() > 0) {
        files.await(10, Duration.ofSeconds(120));
      }
      assertInstanceOf(Completion.Done.class, heard.get(2));
      assertEquals("own", text(store.readAllBytes("/a")));
    }
  }

  @Test
  void aProgramOnOneThreadWritesRanges() throws InterruptedException {
    try (FsmUpcall store = open();
        AsyncFiles files = store.newAsyncFiles()) {
      StorePath path = StorePath.of("/a");
      List<Completion<?>> heard = new ArrayList<>();
      files.begin(
          begun -> {
            AsyncTransaction transaction = ((Completion.Done<AsyncTransaction>) begun).value();
            // One after the other, in the order in which they are asked.
            transaction.append(path, OpenMode.CREATE, "0123".getBytes(UTF_8), heard::add);
            transaction.write(path, OpenMode.EXISTING, 2, "xyz".getBytes(UTF_8), heard::add);
            transaction.truncate(path, OpenMode.EXISTING, 4, heard::add);
            transaction.truncate(path, OpenMode.EXISTING, -1, heard::add);
            transaction.write(StorePath.of("/none"), OpenMode.EXISTING, 0, new byte[1], heard::add);
            transaction.commit(Durability.SYNC, heard::add);
          });
      while (files.outstanding() > 0) {
        files.await(10, Duration.ofSeconds(120));
      }
      assertEquals(
          List.of(4L, 5L, 4L),
          heard.subList(0, 3).stream()
              .map(each -> ((FileInfo) ((Completion.Done<?>) each).value()).sizeBytes())
              .toList());
      assertInstanceOf(Failure.Invalid.class, ((Completion.Failed<?>) heard.get(3)).failure());
      assertInstanceOf(Failure.NotFound.class, ((Completion.Failed<?>) heard.get(4)).failure());
      assertInstanceOf(Completion.Done.class, heard.get(5));
      assertEquals("01xy", text(store.readAllBytes("/a")));
    }
  }

  /** Impossible ranges are the program's own mistake: it hears so, and the store goes on. */
  @Test
  void aProgramOnOneThreadIsRefusedImpossibleRanges() throws InterruptedException {
    try (FsmUpcall store = open();
        AsyncFiles files = store.newAsyncFiles()) {
      StorePath path = StorePath.of("/a");
      store.write("/a", new byte[10]);
      store.write("/large", new byte[700_000]);
      List<Completion<?>> heard = new ArrayList<>();
      files.read(path, -1, 8, heard::add);
      files.read(StorePath.of("/large"), Long.MIN_VALUE, 8, heard::add);
      files.read(path, 0, -1, heard::add);
      files.read(path, 0, AsyncFiles.MAX_READ_BYTES + 1, heard::add);
      files.list(StorePath.ROOT, "", -1, heard::add);
      files.createSnapshot("", heard::add);
      files.snapshot(
          taken -> {
            AsyncSnapshot snapshot = ((Completion.Done<AsyncSnapshot>) taken).value();
            snapshot.read(
                path,
                -1,
                8,
                read -> {
                  heard.add(read);
                  snapshot.close(closed -> assertInstanceOf(Completion.Done.class, closed));
                });
          });
      files.begin(
          begun -> {
            AsyncTransaction transaction = ((Completion.Done<AsyncTransaction>) begun).value();
            transaction.read(path, -1, 8, heard::add);
            transaction.write(path, OpenMode.EXISTING, -1, new byte[1], heard::add);
            transaction.write(path, OpenMode.EXISTING, Long.MAX_VALUE, new byte[1], heard::add);
            transaction.truncate(path, OpenMode.EXISTING, Long.MAX_VALUE, heard::add);
            transaction.commit(
                Durability.SYNC, ended -> assertInstanceOf(Completion.Done.class, ended));
          });
      while (files.outstanding() > 0) {
        files.await(10, Duration.ofSeconds(120));
      }
      assertEquals(11, heard.size());
      for (Completion<?> each : heard) {
        assertInstanceOf(
            Failure.Invalid.class, ((Completion.Failed<?>) each).failure(), heard::toString);
      }
      assertEquals(10, store.readAllBytes("/a").length);
    }
  }

  /**
   * Threads of both kinds move amounts between files. In every snapshot and in every transaction
   * the sum is what it was, and so it is after the store was opened again.
   */
  @Test
  void theSumIsConstant() throws Exception {
    Bank bank = new Bank();
    try (FsmUpcall store = open()) {
      bank.found(store);
      try (ExecutorService platform = Executors.newFixedThreadPool(4);
          ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<?>> all = new ArrayList<>();
        for (int client = 0; client < 12; client++) {
          int number = client;
          all.add((client % 3 == 0 ? platform : virtual).submit(() -> bank.move(store, number)));
        }
        all.add(virtual.submit(() -> bank.watch(store)));
        for (Future<?> each : all) {
          each.get(MINUTES, TimeUnit.MINUTES);
        }
      }
      bank.check(store);
      bank.judge();
    }
    try (FsmUpcall store = open()) {
      bank.check(store);
    }
  }

  /** Accounts in files; each write has a number of its own, which stands in the file too. */
  private static final class Bank {
    private static final int MOVES = 40;

    private final TransactionHistory history = new TransactionHistory();
    private final AtomicLong values = new AtomicLong();
    private final AtomicLong committed = new AtomicLong();

    void found(FsmUpcall store) {
      store.createDirectory("/accounts");
      try (UpcallTransaction transaction = store.begin()) {
        List<TransactionRecord.Access> writes = new ArrayList<>();
        for (int account = 0; account < ACCOUNTS; account++) {
          long value = values.incrementAndGet();
          transaction.write(path(account), form(START, value));
          writes.add(new TransactionRecord.Write(path(account), value));
        }
        history.initially(transaction.commit(), writes);
      }
    }

    void move(FsmUpcall store, int client) {
      SplittableRandom random = new SplittableRandom(client);
      for (int move = 0; move < MOVES; move++) {
        TransactionHistory.Open record = history.begin(client, now());
        try (UpcallTransaction transaction = store.begin()) {
          record.snapshot(transaction.scn());
          move(transaction, record, random);
          Durability durability = random.nextInt(3) == 0 ? Durability.ASYNC : Durability.SYNC;
          if (random.nextInt(10) == 0) {
            transaction.rollback();
            record.rolledBack(now());
          } else {
            long scn = transaction.commit(durability);
            record.committed(scn, durability == Durability.SYNC, now());
            committed.incrementAndGet();
          }
        } catch (UpcallException failed) {
          assertTrue(
              failed.failure() instanceof Failure.Conflict
                  || failed.failure() instanceof Failure.Deadlock
                  || failed.failure() instanceof Failure.LockTimeout,
              failed.getMessage());
          record.rolledBack(now());
        }
      }
    }

    private void move(
        UpcallTransaction transaction, TransactionHistory.Open record, SplittableRandom random) {
      int from = random.nextInt(ACCOUNTS);
      int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
      long amount = 1 + random.nextInt(50);
      change(transaction, record, from, -amount);
      change(transaction, record, to, amount);
      if (random.nextInt(4) == 0) {
        long sum = 0;
        for (int account = 0; account < ACCOUNTS; account++) {
          String[] found = text(transaction.readAllBytes(path(account))).split(" ");
          record.read(path(account), Long.parseLong(found[1]));
          sum += Long.parseLong(found[0]);
        }
        assertEquals(ACCOUNTS * START, sum, "the sum in transaction " + transaction.id());
      }
    }

    private void change(
        UpcallTransaction transaction, TransactionHistory.Open record, int account, long amount) {
      String[] found = text(transaction.readAllBytes(path(account))).split(" ");
      record.read(path(account), Long.parseLong(found[1]));
      long value = values.incrementAndGet();
      transaction.write(path(account), form(Long.parseLong(found[0]) + amount, value));
      record.wrote(path(account), value);
    }

    void watch(FsmUpcall store) {
      for (int look = 0; look < 30; look++) {
        check(store);
      }
    }

    void check(FsmUpcall store) {
      try (UpcallSnapshot snapshot = store.snapshot()) {
        long sum = 0;
        for (int account = 0; account < ACCOUNTS; account++) {
          sum += Long.parseLong(text(snapshot.readAllBytes(path(account))).split(" ")[0]);
        }
        assertEquals(ACCOUNTS * START, sum, "the sum as of " + snapshot.scn());
      }
    }

    /** What all clients saw is one history of snapshot isolation. */
    void judge() {
      assertTrue(committed.get() > 12, committed + " moves of " + 12 * MOVES);
      assertEquals(List.of(), IsolationChecker.check(history.all()));
    }

    private static String path(int account) {
      return "/accounts/" + account;
    }

    private static byte[] form(long amount, long value) {
      return (amount + " " + value).getBytes(UTF_8);
    }

    private static long now() {
      return new SystemClock().monotonicNanos();
    }
  }

  private static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }
}
