package dev.upcall.txn.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.access.TableEdits;
import dev.upcall.access.TableView;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.content.Kind;
import dev.upcall.content.Times;
import dev.upcall.fsm.Faults;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.Layout;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.Durability;
import dev.upcall.store.StoreFixture;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;
import dev.upcall.txn.Change;
import dev.upcall.txn.Mutations;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.TableEntries;
import dev.upcall.txn.View;
import dev.upcall.txn.volume.StoreFeature;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A verification notices what is wrong with tables; and what is left of one goes in pieces. */
class CheckedTablesTest {
  private static final long TABLE = 16;
  private static final int MANY = 300;
  private static final int SOME = 20;

  private final SimWorld world = SimWorld.ofBlocks(3, StoreFixture.tinyLayout().maxBlocks());
  private Store store;

  @BeforeEach
  void open() {
    StoreFixture.format(world);
    store = StoreFixture.recovered(world.closesUnchecked("what is in it is unsound")).store();
  }

  @Test
  void theFirstEntry_hasTheVolumeSayThatItHasTables() {
    assertFalse(store.access().features().uses(StoreFeature.TABLES));
    change((view, out) -> out.put(StoreTree.PROPERTIES, new byte[] {1}, new byte[0]));
    assertFalse(store.access().features().uses(StoreFeature.TABLES));
    make(3);
    assertTrue(store.access().features().uses(StoreFeature.TABLES));
  }

  @Test
  void whatWasMade_isSound() {
    make(3);
    assertEquals("[]", problems());
  }

  @Test
  void anotherNumber_isFound() {
    make(3);
    change(
        (view, out) ->
            out.put(StoreTree.ENTRIES, TableEntries.countKey(TABLE), TableEntries.storedCount(4)));
    assertTrue(problems().contains("table 16 has 3 entries and says 4"), problems());
  }

  @Test
  void noNumber_isFound() {
    make(3);
    change((view, out) -> out.remove(StoreTree.ENTRIES, TableEntries.countKey(TABLE)));
    assertTrue(problems().contains("table 16 does not say how many entries it has"), problems());
  }

  @Test
  void entriesOfNoTable_areFound() {
    make(3);
    change(
        (view, out) ->
            out.put(
                StoreTree.ENTRIES,
                TableEntries.key(77, new byte[] {1}),
                TableEntries.stored(new byte[0])));
    assertTrue(problems().contains("entries of table 77, which does not exist"), problems());
  }

  @Test
  void aTableThatIsAnOrphanToo_isFound() {
    make(3);
    change((view, out) -> out.put(StoreTree.ORPHANS, TreeKeys.of(TABLE), TableEntries.orphan()));
    assertTrue(problems().contains("table 16 is there and deleted"), problems());
  }

  @Test
  void aValueOfAnUnknownForm_isFound() {
    make(3);
    change(
        (view, out) ->
            out.put(StoreTree.ENTRIES, TableEntries.key(TABLE, key(1)), new byte[] {2, 0}));
    assertTrue(problems().contains("an entry whose value has an unknown form"), problems());
  }

  @Test
  void theFirstLargeValue_hasTheVolumeSayThatItHasSome() {
    make(3);
    assertFalse(store.access().features().uses(StoreFeature.LARGE_VALUES));
    change((view, out) -> large(out, 1, 9));
    assertTrue(store.access().features().uses(StoreFeature.LARGE_VALUES));
    assertEquals("[]", problems());
  }

  @Test
  void aLargeValueWithoutItsContent_isFound() {
    make(3);
    change(
        (view, out) ->
            out.put(StoreTree.ENTRIES, TableEntries.key(TABLE, key(1)), leadingTo(77, 5)));
    assertTrue(
        problems()
            .contains(
                "the value under key 0x0000000000000001 of table 16 leads to segment 77, which is"
                    + " not a value of it of 5 bytes"),
        problems());
  }

  @Test
  void contentOfAnotherSize_isFound() {
    make(3);
    change((view, out) -> large(out, 1, 9));
    change(
        (view, out) ->
            out.put(StoreTree.ENTRIES, TableEntries.key(TABLE, key(1)), leadingTo(17, 8)));
    assertTrue(problems().contains("not a value of it of 8 bytes"), problems());
  }

  @Test
  void contentToWhichTwoEntriesLead_isFound() {
    make(3);
    change((view, out) -> large(out, 1, 9));
    change(
        (view, out) ->
            out.put(StoreTree.ENTRIES, TableEntries.key(TABLE, key(2)), leadingTo(17, 9)));
    assertTrue(problems().contains("key 0x0000000000000002 of table 16 leads"), problems());
  }

  @Test
  void contentToWhichNoEntryLeads_isFound() {
    make(3);
    change((view, out) -> large(out, 1, 9));
    change(
        (view, out) ->
            out.put(
                StoreTree.ENTRIES,
                TableEntries.key(TABLE, key(1)),
                TableEntries.stored(new byte[1])));
    assertTrue(
        problems().contains("segment 17 is a value of table 16, and no entry leads to it"),
        problems());
  }

  /** Pages that contradict each other: what is behind the lost one comes before it. */
  @Test
  void aLostPageWhoseKeysDescend_isFound() {
    BlockLedger ledger =
        new BlockLedger(new BlockLedger.Committed(block -> true, 10, 9), 1, block -> {});
    CheckedTables tables = new CheckedTables(ledger);
    tables.table(TABLE);
    assertTrue(tables.lost(TreeKeys.of(TABLE), TreeKeys.of(3)).endsWith(" are lost"));
    assertTrue(tables.lost(new byte[] {0}, new byte[] {-1}).endsWith(" are lost"));
    assertEquals(
        List.of("entries of table 16 are lost with a page"),
        ledger.problems().stream().map(VerifyReport.Problem::what).toList());
  }

  /** A value whose content is inside of its inode, so that nothing has to be brought. */
  private static void large(Mutations out, int number, int sizeBytes) {
    long id = out.newSegmentId();
    assertEquals(TABLE + 1, id);
    out.putInode(
        inode(id, Kind.FILE, TABLE).withContent(sizeBytes, new Layout.Inline(new byte[sizeBytes])));
    out.put(StoreTree.ENTRIES, TableEntries.key(TABLE, key(number)), leadingTo(id, sizeBytes));
  }

  private static byte[] leadingTo(long segment, long sizeBytes) {
    return TableEntries.stored(new TableEntries.Value.Content(segment, sizeBytes));
  }

  static Inode inode(long id, Kind kind, long parent) {
    return new Inode(
        id,
        kind,
        kind == Kind.TABLE ? 1 : 0,
        0644,
        0,
        parent,
        new Times(1, 1, 1),
        0,
        1,
        Collections.emptySortedMap(),
        Layout.EMPTY);
  }

  @Test
  void aDeletedTable_isTakenApartInPieces() {
    make(0);
    for (int from = 0; from < MANY; from += SOME) {
      add(from, from + SOME);
    }
    change((view, out) -> out.removeSegment(view.inode(TABLE)));
    int most = entries();
    assertTrue(most > 0, "entries are gone at once");
    // A look takes turns, in which entries go: so one a time.
    world.runUntil(
        () -> {
          int left = entries();
          return left < most && left > 0;
        });
    assertEquals("[]", problems());
    world.runUntil(() -> entries() == 0);
    assertEquals("[]", problems());
  }

  private int entries() {
    return world.<Integer>get(
        port ->
            store.query(
                view -> {
                  int count = 0;
                  View.Scan scan = view.from(StoreTree.ENTRIES, new byte[0]);
                  while (scan.next()) {
                    count++;
                  }
                  return Completion.done(count);
                },
                port));
  }

  private void make(int entries) {
    change(
        (view, out) -> {
          TableEdits edits = new TableEdits(view, Faults.NONE);
          long id = out.newSegmentId();
          assertEquals(TABLE, id);
          out.putInode(inode(id, Kind.TABLE, 0));
          edits.make(id);
          for (int i = 0; i < entries; i++) {
            edits.at(id, key(i)).put(new byte[20]);
          }
          edits.emit(out, table -> true);
        });
    assertEquals(
        entries,
        world.<Long>get(
            port ->
                store.query(view -> Completion.done(new TableView(view, TABLE).count()), port)));
  }

  private void add(int from, int to) {
    change(
        (view, out) -> {
          TableEdits edits = new TableEdits(view, Faults.NONE);
          for (int i = from; i < to; i++) {
            edits.at(TABLE, key(i)).put(new byte[20]);
          }
          edits.emit(out, table -> true);
        });
  }

  private static byte[] key(int number) {
    return TreeKeys.of(number);
  }

  private void change(BiConsumer<View, Mutations> does) {
    Change<Unit> change =
        (view, out) -> {
          does.accept(view, out);
          return Completion.done();
        };
    world.<Unit>get(port -> store.change(change, Durability.SYNC, port));
  }

  private String problems() {
    VerifyReport report =
        world.get(port -> store.verify(new VerifyOptions(true), (at, of) -> true, port));
    return report.problems().toString();
  }
}
