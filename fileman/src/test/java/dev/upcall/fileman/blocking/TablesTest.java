package dev.upcall.fileman.blocking;

import static dev.upcall.fileman.blocking.UpcallBehaviour.failure;
import static dev.upcall.fileman.blocking.UpcallBehaviour.small;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.BatchResult;
import dev.upcall.Engine;
import dev.upcall.Existence;
import dev.upcall.Expiry;
import dev.upcall.FileContent;
import dev.upcall.FileInfo;
import dev.upcall.FsmUpcall;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.MetadataChange;
import dev.upcall.OpenMode;
import dev.upcall.Parents;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.UpcallReads;
import dev.upcall.UpcallSnapshot;
import dev.upcall.UpcallTransaction;
import dev.upcall.completion.Failure;
import dev.upcall.config.DiskKind;
import dev.upcall.content.Kind;
import dev.upcall.fileman.engine.EngineUpcall;
import dev.upcall.request.Change;
import dev.upcall.request.Expect;
import dev.upcall.request.FileRequest;
import dev.upcall.request.KeyRange;
import dev.upcall.request.Look;
import dev.upcall.request.TablePage;
import dev.upcall.request.TableRequest;
import dev.upcall.store.Durability;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;
import dev.upcall.txn.TableEntries;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Tables under each engine: entries beside files. */
class TablesTest {
  private static final int MANY = 3000;

  @TempDir Path folder;

  private Path volume() {
    return folder.resolve("volume.upcall");
  }

  private static UpcallConfig config(Engine engine) {
    return small(DiskKind.AUTO).withEngine(engine);
  }

  private Upcall create(Engine engine) {
    Upcall store = Upcall.create(volume(), config(engine));
    store.ask(new TableRequest.CreateTable("/t"));
    return store;
  }

  @Test
  void limits_areThoseOfTheTree() {
    assertEquals(TableEntries.MAX_KEY_BYTES, TableRequest.MAX_KEY_BYTES);
    assertEquals(TableEntries.MAX_VALUE_BYTES, TableRequest.MAX_VALUE_BYTES);
  }

  @ParameterizedTest
  @EachEngine
  void entries_comeBackInOrder(Engine engine) {
    try (Upcall store = create(engine)) {
      put(store, "b", "2");
      put(store, "a", "1");
      put(store, "c", "");
      put(store, "a", "one");
      remove(store, "none");
      check(store);
      store.checkpoint();
      check(store);
    }
    try (Upcall store = Upcall.open(volume(), config(engine))) {
      check(store);
      sound(store);
    }
  }

  private static void check(UpcallReads store) {
    assertEquals(List.of("a=one", "b=2", "c="), all(store, "/t"));
    assertEquals(
        List.of("b=2", "a=one"),
        entries(store, new Look.Entries("/t", KeyRange.below(key("c")), down(), 10)));
    assertEquals(
        List.of("b=2"),
        entries(store, new Look.Entries("/t", new KeyRange(key("aa"), key("c")), up(), 10)));
    assertEquals(
        List.of("b=2"), entries(store, new Look.Entries("/t", KeyRange.prefix(key("b")), up(), 1)));
    assertEquals(
        List.of(),
        entries(store, new Look.Entries("/t", new KeyRange(key("c"), key("a")), up(), 9)));
    assertEquals(3, count(store));
    assertEquals(Optional.of("one"), value(store, "a"));
    assertEquals(Optional.of(""), value(store, "c"));
    assertEquals(Optional.empty(), value(store, "d"));
  }

  @ParameterizedTest
  @EachEngine
  void expectations_thatDoNotHold_leaveTheWholeBatchUndone(Engine engine) {
    try (Upcall store = create(engine)) {
      put(store, "a", "1");
      refused(Failure.AlreadyExists.class, store, put("a", "2", Expect.ABSENT));
      refused(Failure.NotFound.class, store, put("b", "2", Expect.PRESENT));
      refused(
          Failure.NotFound.class,
          store,
          new TableRequest.RemoveEntry("/t", key("b"), Expect.PRESENT));
      refused(Failure.VersionMismatch.class, store, put("a", "2", Expect.value(key("0"))));
      refused(Failure.VersionMismatch.class, store, put("b", "2", Expect.value(key("0"))));
      assertFalse(store.exists("/beside"));
      store.batch(
          List.of(
              put("a", "2", Expect.value(key("1"))),
              put("a", "3", Expect.value(key("2"))),
              put("b", "1", Expect.ABSENT),
              new TableRequest.RemoveEntry("/t", key("b"), Expect.PRESENT),
              put("b", "2", Expect.ABSENT)));
      assertEquals(List.of("a=3", "b=2"), all(store, "/t"));
      assertEquals(2, count(store));
    }
  }

  private static void refused(Class<? extends Failure> kind, Upcall store, TableRequest request) {
    FileRequest beside = new FileRequest.Put("/beside", new FileContent.Bytes(new byte[1]));
    failure(kind, () -> store.batch(List.of(beside, request)));
    failure(kind, () -> store.ask(request));
    assertEquals(List.of("a=1"), all(store, "/t"));
    assertEquals(1, count(store));
  }

  @ParameterizedTest
  @EachEngine
  void ranges_goInPieces_andLeaveTheirNeighbours(Engine engine) {
    try (Upcall store = create(engine)) {
      fill(store, MANY);
      assertEquals(MANY, count(store));
      KeyRange range = new KeyRange(number(10), number(MANY - 10));
      BatchResult.Removal first = removed(store, new TableRequest.RemoveRange("/t", range, 1000));
      assertEquals(new BatchResult.Removal(1000, true), first);
      assertEquals(MANY - 1000, count(store));
      long left = MANY - 1020;
      while (left > 0) {
        BatchResult.Removal next = removed(store, new TableRequest.RemoveRange("/t", range, 600));
        assertEquals(Math.min(600, left), next.entries());
        left -= next.entries();
        assertEquals(left > 0, next.hasMore());
      }
      assertEquals(20, count(store));
      assertEquals(20, all(store, "/t").size());
      assertEquals(
          new BatchResult.Removal(0, false),
          removed(store, new TableRequest.RemoveRange("/t", range)));
    }
  }

  /** A batch counts its own earlier changes. */
  @ParameterizedTest
  @EachEngine
  void ranges_inABatch_seeWhatItDidBefore(Engine engine) {
    try (Upcall store = create(engine)) {
      put(store, "b", "1");
      put(store, "d", "1");
      BatchResult result =
          store.batch(
              List.of(
                  put("a", "1", Expect.ANY),
                  new TableRequest.RemoveEntry("/t", key("b")),
                  put("c", "1", Expect.ANY),
                  new TableRequest.RemoveRange("/t", KeyRange.ALL, 2),
                  put("a", "2", Expect.ABSENT)));
      assertEquals(List.of(new BatchResult.Removal(2, true)), result.removals());
      assertEquals(List.of("a=2", "d=1"), all(store, "/t"));
      assertEquals(2, count(store));
    }
  }

  @ParameterizedTest
  @EachEngine
  void aTable_isNamedAsAFileIs(Engine engine) {
    try (Upcall store = create(engine)) {
      put(store, "a", "1");
      FileInfo info = store.stat("/t");
      assertEquals(Kind.TABLE, info.kind());
      assertTrue(info.isTable() && !info.isFile());
      assertEquals("table", info.kindName());
      assertEquals(0, info.sizeBytes());
      failure(Failure.AlreadyExists.class, () -> store.ask(new TableRequest.CreateTable("/t")));
      assertEquals(
          info.id(),
          store
              .ask(new TableRequest.CreateTable("/t", Parents.MAKE, MetadataChange.NONE))
              .orElseThrow()
              .id());
      store.createDirectory("/d");
      store.rename("/t", "/d/moved");
      store.symbolicLink("/t", "d/moved");
      assertEquals(List.of("a=1"), all(store, "/t"));
      assertEquals(
          List.of("moved"), store.list("/d", 9).entries().stream().map(FileInfo::name).toList());
      store.setMetadata(
          "/d/moved", LinkPolicy.NO_FOLLOW, MetadataChange.NONE.withAttribute("x", new byte[] {1}));
      assertArrayEquals(new byte[] {1}, store.stat("/d/moved").attributes().get("x"));
      store.setExpiry("/d/moved", new Expiry.At(1));
      assertFalse(store.exists("/d/moved"));
      failure(Failure.NotFound.class, () -> count(store));
      store.ask(new TableRequest.CreateTable("/d/moved"));
      assertEquals(0, count(store));
      store.deleteTree("/d");
      sound(store);
    }
  }

  @ParameterizedTest
  @EachEngine
  void aDeletedTable_isGoneAtOnce_andItsEntriesSoon(Engine engine) {
    try (Upcall store = create(engine)) {
      fill(store, MANY);
      store.ask(new TableRequest.CreateTable("/other"));
      store.ask(new TableRequest.PutEntry("/other", key("a"), key("1")));
      store.batch(List.of(put("x", "1", Expect.ANY), new FileRequest.Delete("/t")));
      failure(Failure.NotFound.class, () -> count(store));
      store.ask(new TableRequest.CreateTable("/t"));
      assertEquals(List.of(), all(store, "/t"));
      sound(store);
      store.batch(
          List.of(
              new TableRequest.CreateTable("/short"),
              new TableRequest.PutEntry("/short", key("a"), key("1")),
              new FileRequest.Delete("/short")));
    }
    try (Upcall store = Upcall.open(volume(), config(engine))) {
      assertEquals(List.of(), all(store, "/t"));
      assertEquals(List.of("a=1"), all(store, "/other"));
      sound(store);
    }
  }

  @ParameterizedTest
  @EachEngine
  void aTable_isNoFile(Engine engine) {
    try (Upcall store = create(engine)) {
      store.write("/f", new byte[3]);
      store.createDirectory("/d");
      failure(Failure.Invalid.class, () -> store.readAllBytes("/t"));
      failure(Failure.Invalid.class, () -> store.read("/t", 0, 10));
      failure(Failure.Invalid.class, () -> store.read("/t").close());
      failure(Failure.Invalid.class, () -> store.write("/t", new byte[1]));
      failure(Failure.Invalid.class, () -> store.append("/t", new byte[1]));
      failure(Failure.Invalid.class, () -> store.open("/t", OpenMode.CREATE).close());
      failure(Failure.Invalid.class, () -> store.cloneFile("/t", "/copy"));
      failure(Failure.Invalid.class, () -> store.cloneFile("/f", "/t", Existence.ANY));
      failure(Failure.Invalid.class, () -> store.insert("/t", 0, new byte[1]));
      failure(Failure.Invalid.class, () -> store.rename("/f", "/t", Existence.ANY));
      failure(Failure.Invalid.class, () -> store.rename("/t", "/f", Existence.ANY));
      failure(Failure.NotADirectory.class, () -> store.stat("/t/a"));
      failure(Failure.NotADirectory.class, () -> store.list("/t", 1));
      failure(Failure.Invalid.class, () -> store.ask(new Look.EntryCount("/f")));
      failure(Failure.IsADirectory.class, () -> store.ask(new Look.Entry("/d", key("a"))));
      failure(
          Failure.Invalid.class,
          () -> store.ask(new TableRequest.PutEntry("/f", key("a"), key("1"))));
      failure(
          Failure.NotFound.class,
          () -> store.ask(new TableRequest.PutEntry("/none", key("a"), key("1"))));
    }
  }

  @Test
  void requests_outOfBounds_cannotBeMade() {
    byte[] longest = new byte[TableRequest.MAX_KEY_BYTES];
    byte[] largest = new byte[TableRequest.MAX_VALUE_BYTES];
    assertEquals("put an entry of /t", new TableRequest.PutEntry("/t", longest, largest).purpose());
    refused(() -> new TableRequest.PutEntry("/t", new byte[0], largest));
    refused(() -> new TableRequest.PutEntry("/t", new byte[longest.length + 1], largest));
    refused(() -> new TableRequest.PutEntry("/t", longest, new byte[largest.length + 1]));
    refused(() -> new Look.Entry("/t", new byte[0]));
    refused(() -> KeyRange.from(new byte[longest.length + 2]));
    refused(() -> new Look.Entries("/t", KeyRange.ALL, up(), 0));
    refused(() -> new Look.Entries("/t", KeyRange.ALL, up(), 513));
    refused(() -> new TableRequest.RemoveRange("/t", KeyRange.ALL, 4097));
  }

  private static void refused(Executable request) {
    assertThrows(UpcallException.class, request);
  }

  // ------------------------------------------------------------------ transactions

  @Test
  void snapshots_stayAsTheyWere() {
    try (FsmUpcall store = create(Engine.FSM).fsm()) {
      put(store, "b", "2");
      put(store, "a", "one");
      put(store, "c", "");
      try (UpcallSnapshot snapshot = store.snapshot()) {
        remove(store, "a");
        put(store, "d", "4");
        check(snapshot);
        store.createSnapshot("named");
        store.delete("/t");
        check(snapshot);
      }
      sound(store);
      try (UpcallSnapshot named = store.snapshot("named")) {
        assertEquals(List.of("b=2", "c=", "d=4"), all(named, "/t"));
        assertEquals(3, count(named));
      }
      sound(store);
    }
  }

  @Test
  void transactions_seeTheirOwn_andCommitTogether() {
    try (FsmUpcall store = create(Engine.FSM).fsm()) {
      put(store, "a", "1");
      try (UpcallTransaction transaction = store.begin()) {
        transaction.ask(put("b", "2", Expect.ABSENT));
        transaction.ask(new TableRequest.RemoveEntry("/t", key("a")));
        transaction.write("/f", new byte[3]);
        failure(Failure.AlreadyExists.class, () -> transaction.ask(put("b", "3", Expect.ABSENT)));
        put(store, "c", "3");
        assertEquals(List.of("b=2"), all(transaction, "/t"));
        assertEquals(1, count(transaction));
        assertEquals(List.of("a=1", "c=3"), all(store, "/t"));
        transaction.commit();
      }
      assertEquals(List.of("b=2", "c=3"), all(store, "/t"));
      assertEquals(2, count(store));
      assertTrue(store.exists("/f"));
      try (UpcallTransaction transaction = store.begin()) {
        transaction.ask(put("d", "4", Expect.ANY));
        transaction.rollback();
      }
      assertEquals(2, count(store));
    }
  }

  @Test
  void transactions_conflict_byKeyAndNotByTable() {
    try (FsmUpcall store = create(Engine.FSM).fsm()) {
      put(store, "a", "1");
      try (UpcallTransaction one = store.begin();
          UpcallTransaction other = store.begin()) {
        one.ask(put("a", "2", Expect.ANY));
        other.ask(put("b", "2", Expect.ANY));
        one.commit();
        other.commit();
      }
      assertEquals(2, count(store));
      try (UpcallTransaction late = store.begin()) {
        put(store, "a", "3");
        failure(Failure.Conflict.class, () -> late.ask(put("a", "4", Expect.ANY)));
      }
      try (UpcallTransaction ranged = store.begin()) {
        ranged.ask(new Change.Batch(List.of(new TableRequest.RemoveRange("/t", KeyRange.ALL))));
        put(store, "aa", "1");
        failure(Failure.Conflict.class, ranged::commit);
      }
      try (UpcallTransaction writer = store.begin()) {
        writer.ask(put("z", "1", Expect.ANY));
        store.delete("/t");
        failure(Failure.Conflict.class, writer::commit);
      }
      try (UpcallTransaction writer = store.begin()) {
        failure(Failure.NotFound.class, () -> writer.ask(put("z", "1", Expect.ANY)));
      }
    }
  }

  // ------------------------------------------------------------------ helpers

  private static void fill(Upcall store, int entries) {
    List<FileRequest> batch = new ArrayList<>();
    for (int i = 0; i < entries; i++) {
      batch.add(new TableRequest.PutEntry("/t", number(i), number(i)));
      if (batch.size() == 100) {
        store.ask(new Change.Batch(batch, Durability.ASYNC));
        batch.clear();
      }
    }
    store.batch(batch);
  }

  private static BatchResult.Removal removed(Upcall store, TableRequest.RemoveRange request) {
    return store.batch(List.of(request)).removals().getFirst();
  }

  private static void sound(Upcall store) {
    VerifyReport report =
        UpcallException.value(
            ((EngineUpcall) store)
                .amongMachines(
                    (files, port) ->
                        files.store().verify(new VerifyOptions(true), (_, _) -> true, port)));
    assertTrue(report.isSound(), report::toString);
  }

  private static void put(Upcall store, String key, String value) {
    FileInfo table = store.ask(put(key, value, Expect.ANY)).orElseThrow();
    assertTrue(table.isTable());
  }

  private static TableRequest put(String key, String value, Expect expect) {
    return new TableRequest.PutEntry("/t", key(key), key(value), expect);
  }

  private static void remove(Upcall store, String key) {
    store.ask(new TableRequest.RemoveEntry("/t", key(key)));
  }

  private static long count(UpcallReads store) {
    return store.ask(new Look.EntryCount("/t"));
  }

  private static Optional<String> value(UpcallReads store, String key) {
    return store.ask(new Look.Entry("/t", key(key))).map(TablesTest::text);
  }

  private static List<String> all(UpcallReads store, String table) {
    return entries(store, new Look.Entries(table, KeyRange.ALL, up(), 512));
  }

  private static List<String> entries(UpcallReads store, Look.Entries first) {
    List<String> all = new ArrayList<>();
    for (Optional<Look.Entries> next = Optional.of(first); next.isPresent(); ) {
      TablePage page = store.ask(next.get());
      page.entries().forEach(entry -> all.add(text(entry.key()) + "=" + text(entry.value())));
      next = next.get().next(page);
    }
    return all;
  }

  private static Listing.Direction up() {
    return Listing.Direction.ASCENDING;
  }

  private static Listing.Direction down() {
    return Listing.Direction.DESCENDING;
  }

  private static byte[] number(int number) {
    return key("%06d".formatted(number));
  }

  private static byte[] key(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
