package dev.upcall.fileman.reading;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.upcall.FileInfo;
import dev.upcall.FsmUpcall;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.UpcallReads;
import dev.upcall.UpcallSnapshot;
import dev.upcall.UpcallTransaction;
import dev.upcall.completion.Failure;
import dev.upcall.config.DiskKind;
import dev.upcall.fileman.blocking.BusyStore;
import dev.upcall.fileman.blocking.UpcallBehaviour;
import dev.upcall.table.Codecs;
import dev.upcall.table.Range;
import dev.upcall.table.SortedTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Looks into snapshots and transactions that callers answer themselves. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("races")
class HeldLooksTest {
  private static final int ENTRIES = 200;
  private static final int ROUNDS = 200;
  private static final byte[] CONTENT = filled((byte) 1);

  @TempDir Path folder;

  private FsmUpcall store;
  private SortedTable<Integer, Integer> table;

  @BeforeEach
  void create() {
    store =
        Upcall.create(folder.resolve("volume.upcall"), UpcallBehaviour.small(DiskKind.CHANNEL))
            .fsm();
    table = store.sortedTable("/table", Codecs.INT, Codecs.INT);
    store.createDirectory("/d");
    putAll(0, CONTENT);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static byte[] filled(byte value) {
    byte[] bytes = new byte[9_000];
    Arrays.fill(bytes, value);
    return bytes;
  }

  /** The whole state becomes another one, by one commit. */
  private void putAll(int value, byte[] content) {
    store.transact(
        transaction -> {
          SortedTable<Integer, Integer> own = table.in(transaction);
          for (int i = 0; i < ENTRIES; i++) {
            own.put(i, value);
          }
          transaction.write("/d/file", content);
          return null;
        });
  }

  private void shows(UpcallReads reads, SortedTable<Integer, Integer> entries) {
    assertEquals(Optional.of(0), entries.get(7));
    assertEquals(
        List.of(Map.entry(0, 0), Map.entry(1, 0)), entries.scan(Range.all()).limit(2).toList());
    assertEquals(
        List.of("file"), reads.list("/d", 10).entries().stream().map(FileInfo::name).toList());
    assertEquals(CONTENT.length, reads.stat("/d/file").sizeBytes());
  }

  @Test
  void aSnapshot_whileTheStoreIsBusy_answers() {
    try (UpcallSnapshot snapshot = store.snapshot()) {
      assertArrayEquals(CONTENT, snapshot.readAllBytes("/d/file"));
      try (BusyStore _ = BusyStore.of(store)) {
        assertArrayEquals(CONTENT, snapshot.readAllBytes("/d/file"));
      }
      putAll(1, filled((byte) 2));
      store.delete("/d/file");
      try (BusyStore _ = BusyStore.of(store)) {
        shows(snapshot, table.in(snapshot));
      }
      assertArrayEquals(CONTENT, snapshot.readAllBytes("/d/file"));
    }
  }

  @Test
  void aTransaction_beforeItHasChangedAnything_answersWhileTheStoreIsBusy() {
    try (UpcallTransaction transaction = store.begin()) {
      SortedTable<Integer, Integer> own = table.in(transaction);
      putAll(1, filled((byte) 2));
      try (BusyStore _ = BusyStore.of(store)) {
        shows(transaction, own);
      }
      assertArrayEquals(CONTENT, transaction.readAllBytes("/d/file"));
    }
  }

  @Test
  void aTransaction_thatHasChangedSomething_seesThat() {
    try (UpcallTransaction transaction = store.begin()) {
      SortedTable<Integer, Integer> own = table.in(transaction);
      assertEquals(Optional.of(0), own.get(7));
      own.put(7, 70);
      assertEquals(Optional.of(70), own.get(7));
      assertEquals(Optional.of(0), own.get(8));
      transaction.write("/d/own", CONTENT);
      assertArrayEquals(CONTENT, transaction.readAllBytes("/d/own"));
      transaction.commit();
    }
    assertEquals(Optional.of(70), table.get(7));
  }

  @Test
  void afterTheEnd_nothingAnswers() {
    UpcallTransaction transaction = store.begin();
    UpcallSnapshot snapshot = store.snapshot();
    assertEquals(Optional.of(0), table.in(transaction).get(7));
    assertEquals(Optional.of(0), table.in(snapshot).get(7));
    transaction.rollback();
    snapshot.close();
    for (UpcallReads ended : List.of(transaction, snapshot)) {
      UpcallException refused =
          assertThrows(UpcallException.class, () -> ended.stat("/d/file").sizeBytes());
      assertInstanceOf(Failure.Closed.class, refused.failure());
    }
  }

  @Test
  void whileOthersChangeAll_eachShowsOneMoment() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
      List<Future<?>> readers = new ArrayList<>();
      readers.add(threads.submit(() -> repeat(over, this::aSnapshotIsOneMoment)));
      readers.add(threads.submit(() -> repeat(over, this::aTransactionIsOneMoment)));
      try {
        for (int round = 1; round <= ROUNDS; round++) {
          putAll(round, filled((byte) round));
          if (round % 20 == 0) {
            store.checkpoint();
          }
        }
      } finally {
        over.set(true);
      }
      for (Future<?> reader : readers) {
        reader.get();
      }
    }
  }

  private static void repeat(AtomicBoolean over, Runnable look) {
    while (!over.get()) {
      look.run();
    }
  }

  private void aSnapshotIsOneMoment() {
    try (UpcallSnapshot snapshot = store.snapshot()) {
      isOneMoment(snapshot, table.in(snapshot));
    }
  }

  private void aTransactionIsOneMoment() {
    try (UpcallTransaction transaction = store.begin()) {
      isOneMoment(transaction, table.in(transaction));
    }
  }

  private static void isOneMoment(UpcallReads reads, SortedTable<Integer, Integer> entries) {
    int moment = entries.get(0).orElseThrow();
    for (int i = 0; i < ENTRIES; i += 7) {
      assertEquals(moment, entries.get(i).orElseThrow());
    }
    assertEquals(ENTRIES, entries.count());
    byte expected = moment == 0 ? 1 : (byte) moment;
    for (int i = 0; i < 3; i++) {
      assertArrayEquals(filled(expected), reads.readAllBytes("/d/file"));
    }
  }
}
