package dev.upcall;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.fsm.MachineStats;
import dev.upcall.request.Expect;
import dev.upcall.request.FileRequest;
import dev.upcall.request.KeyRange;
import dev.upcall.request.Look;
import dev.upcall.request.TablePage;
import dev.upcall.request.TableRequest;
import dev.upcall.store.Durability;
import dev.upcall.txn.change.ChangeRun;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes of a table of which nothing is in memory, and for which there is too little of it. */
class ColdTableTest {
  private static final int ENTRIES = 400;

  /** Each in a leaf of its own. */
  private static final int CHANGED = 50;

  /** Pages that come together with so little memory. */
  private static final int TOGETHER = 8;

  /** A few levels, of which the upper ones have few pages. */
  private static final int MOST_FETCHES = CHANGED * 2 / TOGETHER + 8;

  private FilesFixture fixture = FilesFixture.create(49);

  @BeforeEach
  void fill() {
    fixture.batch(new TableRequest.CreateTable("/t"));
    for (int i = 0; i < ENTRIES; i += CHANGED) {
      List<FileRequest> some = new ArrayList<>();
      for (int j = i; j < i + CHANGED; j++) {
        some.add(put(j, "old"));
      }
      fixture.batch(some.toArray(FileRequest[]::new));
    }
    fixture = fixture.reopen();
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void theEntriesOfABatchAreFetchedSideBySide() {
    long before = fetches();
    assertInstanceOf(Completion.Done.class, fixture.batch(changes()));
    long fetches = fetches() - before;
    assertTrue(fetches > 0 && fetches <= MOST_FETCHES, fetches + " fetches");
    assertChanged();
  }

  @Test
  void theEntriesOfATransactionAreFetchedSideBySideAtItsCommit() {
    FileTransaction transaction = fixture.get(port -> fixture.files().begin(port));
    for (FileRequest change : changes()) {
      fixture.<BatchResult>get(port -> transaction.batch(List.of(change), port));
    }
    read(); // for which what the transaction has seen makes room
    long before = fetches();
    fixture.<Long>get(port -> transaction.commit(Durability.SYNC, port));
    long fetches = fetches() - before;
    assertTrue(fetches > 0 && fetches <= MOST_FETCHES, fetches + " fetches");
    assertChanged();
  }

  @Test
  void whatABatchRefusesIsWhatItComesToFirst() {
    Completion<BatchResult> refused =
        fixture.batch(
            put(1, "new"),
            new TableRequest.RemoveEntry("/t", "none".getBytes(UTF_8), Expect.PRESENT),
            new TableRequest.PutEntry("/nowhere", key(1), key(1)));
    Failure why = assertInstanceOf(Completion.Failed.class, refused).failure();
    assertEquals("entry 0x6e6f6e65 of /t", assertInstanceOf(Failure.NotFound.class, why).what());
    assertInstanceOf(
        Completion.Done.class,
        fixture.batch(
            put(1, "new"),
            new TableRequest.CreateTable("/later"),
            new TableRequest.PutEntry("/later", key(1), key(1)),
            put(2, "new")));
  }

  private static FileRequest[] changes() {
    FileRequest[] changes = new FileRequest[CHANGED];
    for (int i = 0; i < CHANGED; i++) {
      changes[i] = put(i * (ENTRIES / CHANGED), "new");
    }
    return changes;
  }

  private void assertChanged() {
    List<String> values = read();
    assertEquals(ENTRIES, values.size());
    for (int i = 0; i < ENTRIES; i++) {
      assertEquals(i % (ENTRIES / CHANGED) == 0 ? "new" : "old", values.get(i), "entry " + i);
    }
  }

  private List<String> read() {
    List<String> values = new ArrayList<>();
    KeyRange rest = KeyRange.ALL;
    boolean more = true;
    while (more) {
      Look.Entries look =
          new Look.Entries(StorePath.of("/t"), rest, Listing.Direction.ASCENDING, CHANGED);
      TablePage page = fixture.get(port -> fixture.files().ask(look, port));
      page.entries().forEach(entry -> values.add(new String(entry.value(), UTF_8)));
      more = page.hasMore();
      rest = KeyRange.from(key(values.size()));
    }
    return values;
  }

  private long fetches() {
    return fixture.world().dispatcher().recorder().statsOf(ChangeRun.TRANSITIONS).taken().stream()
        .filter(taken -> taken.from().equals("PLANNING") && taken.to().equals("FETCHING"))
        .mapToLong(MachineStats.Taken::count)
        .sum();
  }

  private static TableRequest.PutEntry put(int number, String value) {
    return new TableRequest.PutEntry("/t", key(number), value.getBytes(UTF_8));
  }

  private static byte[] key(int number) {
    return "%03d".formatted(number).getBytes(UTF_8);
  }
}
