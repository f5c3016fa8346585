package dev.upcall.table;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Engine;
import dev.upcall.FsmUpcall;
import dev.upcall.Listing.Direction;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.UpcallSnapshot;
import dev.upcall.UpcallTransaction;
import dev.upcall.completion.Failure;
import dev.upcall.request.KeyRange;
import dev.upcall.request.Look;
import dev.upcall.request.TablePage;
import dev.upcall.store.Durability;
import dev.upcall.store.VerifyReport;
import dev.upcall.trees.ExportOptions;
import dev.upcall.trees.Present;
import dev.upcall.trees.TreeProblem;
import dev.upcall.trees.TreeSummary;
import dev.upcall.trees.Trees;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When the content of large values is freed, who still sees it, and what its damage costs. */
class LargeValuesFreedTest extends LargeValues {
  // ------------------------------------------------------------------ when they are freed

  @Test
  void aDeletedTable_leavesNothing() {
    try (FsmUpcall store = open(Engine.FSM).fsm()) {
      SortedTable<Integer, byte[]> table =
          store.sortedTable("/t", Codecs.INT, Codecs.BYTES).with(Durability.ASYNC);
      for (int i = 0; i < 300; i++) {
        table.put(i, bytes(i, i % 3 == 0 ? 20_000 : 20));
      }
      store.delete("/t");
    } // closing reclaims
    try (Upcall store = open(Engine.FSM)) {
      VerifyReport report = verified(store);
      assertTrue(report.isSound(), report::toString);
      assertEquals(1, report.segments(), report::toString);
    }
  }

  @Test
  void snapshots_keepWhatTheySaw() {
    byte[] large = bytes(3, 300_000);
    try (FsmUpcall store = open(Engine.FSM).fsm()) {
      SortedTable<String, byte[]> table = table(store);
      table.put("a", large);
      store.createSnapshot("named");
      try (UpcallSnapshot then = store.snapshot()) {
        SortedTable<String, byte[]> old = table.in(then);
        table.put("a", new byte[1]);
        store.checkpoint();
        assertArrayEquals(large, old.get("a").orElseThrow());
        assertArrayEquals(large, old.scan().findFirst().orElseThrow().getValue());
        assertThrows(
            UpcallException.ReadOnly.class, () -> old.write("a", new ByteArrayInputStream(large)));
        store.delete("/t");
        store.checkpoint();
        assertArrayEquals(large, old.get("a").orElseThrow());
      }
      try (UpcallSnapshot named = store.snapshot("named")) {
        assertArrayEquals(large, table.in(named).get("a").orElseThrow());
      }
      assertTrue(verified(store).isSound());
      store.dropSnapshot("named");
      assertTrue(verified(store).isSound());
    }
  }

  @Test
  void transactions_seeTheirOwn_andCommitTogether() {
    byte[] large = bytes(4, 200_000);
    byte[] other = bytes(5, 90_000);
    try (FsmUpcall store = open(Engine.FSM).fsm()) {
      SortedTable<String, byte[]> table = table(store);
      table.put("a", large);
      try (UpcallTransaction transaction = store.begin()) {
        SortedTable<String, byte[]> own = table.in(transaction);
        own.put("a", other);
        own.put("b", large);
        own.write("c", new ByteArrayInputStream(large));
        own.remove("c");
        assertArrayEquals(other, own.get("a").orElseThrow());
        assertEquals(2, own.scan().count());
        assertArrayEquals(large, table.get("a").orElseThrow());
        transaction.commit();
      }
      assertArrayEquals(other, table.get("a").orElseThrow());
      assertArrayEquals(large, table.get("b").orElseThrow());
      sound(store, 2);
      try (UpcallTransaction transaction = store.begin()) {
        table.in(transaction).put("a", large);
        table.in(transaction).removeRange(Range.all());
        transaction.rollback();
      }
      assertArrayEquals(other, table.get("a").orElseThrow());
      try (UpcallTransaction late = store.begin()) {
        assertTrue(table.in(late).get("a").isPresent());
        table.put("a", large);
        assertThrows(UpcallException.Conflict.class, () -> table.in(late).put("a", other));
      }
      sound(store, 2);
    }
  }

  // ------------------------------------------------------------------ damage

  @Test
  void damagedContent_costsThatValueOnly_andIsNamed() throws IOException {
    byte[] large = bytes(7, 64 << 10);
    try (Upcall store = open(Engine.FSM)) {
      table(store).put("a", bytes(8, 64 << 10));
      table(store).put("b", large);
      table(store).put("c", new byte[3]);
      store.checkpoint();
    }
    damage(large);
    try (Upcall store = open(Engine.FSM)) {
      SortedTable<String, byte[]> table = table(store);
      UpcallException.Corrupt corrupt =
          assertThrows(UpcallException.Corrupt.class, () -> table.get("b"));
      Failure.Corrupt.InFile where = corrupt.failure().inFile();
      assertEquals("entry 0x62 of /t", Objects.requireNonNull(where).file());
      assertArrayEquals(bytes(8, 64 << 10), table.get("a").orElseThrow());
      assertEquals(3, table.get("c").orElseThrow().length);
      assertEquals(3, table.count());
      Look.Entries all = new Look.Entries("/t", KeyRange.ALL, Direction.ASCENDING, 10);
      List<StorePath> unreadable = new ArrayList<>();
      EntryLines lines =
          new EntryLines(store, StorePath.of("/t"), (value, failed) -> unreadable.add(value));
      List<String> dumped = new ArrayList<>();
      Optional<Look.Entries> next = Optional.of(all);
      while (next.isPresent()) {
        TablePage page = store.ask(next.get());
        page.entries().forEach(entry -> dumped.add(lines.line(entry, false).orElseThrow()));
        next = next.get().next(page);
      }
      assertEquals(3, dumped.size());
      assertEquals("{\"key\":\"b\",\"leftOutBytes\":65536}", dumped.get(1));
      assertTrue(lines.problem().orElseThrow().contains("1 that cannot be read"));
      assertEquals(List.of(table.pathOf("b")), unreadable);
      String problems = verified(store).problems().toString();
      assertTrue(problems.contains("the value under key 0x62 of table"), problems);
      assertEquals(List.of(table.pathOf("b").toString()), notExported(store));
      table.put("larger", new byte[EntryLines.MAX_VALUE_BYTES + 1]);
      assertEquals(List.of(table.pathOf("b").toString(), "/t"), notExported(store));
      table.remove("larger");
      table.put("b", large);
      assertArrayEquals(large, table.get("b").orElseThrow());
      sound(store, 2);
    }
  }

  private List<String> notExported(Upcall store) throws IOException {
    ExportOptions options =
        ExportOptions.of(StorePath.ROOT, folder.resolve("out")).withPresent(Present.REPLACE);
    TreeSummary done = Trees.exporting(store, options).run();
    assertEquals(done.problems().size(), done.problemCount());
    return done.problems().stream().map(TreeProblem::path).toList();
  }

  private void damage(byte[] content) throws IOException {
    try (FileChannel file =
        FileChannel.open(volume(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      byte[] first = Arrays.copyOfRange(content, 8192, 8192 + 4096);
      ByteBuffer block = ByteBuffer.allocate(4096);
      int found = 0;
      for (long at = 0; at + 4096 <= file.size(); at += 4096) {
        file.read(block.clear(), at);
        if (Arrays.equals(block.array(), first)) {
          file.write(ByteBuffer.wrap(new byte[4096]), at);
          found++;
        }
      }
      assertTrue(found > 0, "the content is nowhere on the volume");
    }
  }
}
