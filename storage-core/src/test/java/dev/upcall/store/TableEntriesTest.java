package dev.upcall.store;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.house.Golden;
import dev.upcall.house.Mutator;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.TableEntries;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The stored form of tables. */
class TableEntriesTest {
  private static final byte[] KEY = "key".getBytes(US_ASCII);

  private static final TableEntries.Value.Content CONTENT =
      new TableEntries.Value.Content(0x3344, 1L << 40);

  @Test
  void form_isFixed() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(TableEntries.countKey(0x1122));
    all.writeBytes(TableEntries.storedCount(3));
    all.writeBytes(TableEntries.key(0x1122, KEY));
    all.writeBytes(TableEntries.stored("value".getBytes(US_ASCII)));
    all.writeBytes(TableEntries.orphan());
    all.writeBytes(TableEntries.stored(CONTENT));
    Golden.check("table-entries", all.toByteArray());
  }

  @Test
  void whatIsStored_comesBack() {
    byte[] whole = TableEntries.key(7, KEY);
    assertEquals(7, TableEntries.table(whole));
    assertArrayEquals(KEY, TableEntries.keyIn(whole));
    assertFalse(TableEntries.isCount(whole));
    assertTrue(TableEntries.isCount(TableEntries.countKey(7)));
    assertArrayEquals(KEY, again(TableEntries.stored(KEY)).bytes());
    byte[] content = TableEntries.stored(CONTENT);
    assertTrue(TableEntries.isContent(content));
    assertFalse(TableEntries.isContent(TableEntries.stored(KEY)));
    assertEquals(CONTENT, TableEntries.value(content));
    assertEquals(1L << 40, TableEntries.count(TableEntries.storedCount(1L << 40)));
  }

  @Test
  void order_theNumberIsFirst_andNoEntryOfAnotherTableBetween() {
    byte[] longest = new byte[TableEntries.MAX_KEY_BYTES];
    Arrays.fill(longest, (byte) 0xff);
    byte[] last = TableEntries.key(7, longest);
    assertTrue(
        Arrays.compareUnsigned(TableEntries.countKey(7), TableEntries.key(7, new byte[1])) < 0);
    assertTrue(Arrays.compareUnsigned(last, TableEntries.endKey(7)) < 0);
    assertEquals(0, Arrays.compareUnsigned(TableEntries.endKey(7), TableEntries.countKey(8)));
    for (long table : new long[] {1, 255, 256, 65_535, (1L << 40) - 1, Long.MAX_VALUE - 1}) {
      byte[] end = TableEntries.endKey(table);
      assertTrue(Arrays.compareUnsigned(TableEntries.key(table, longest), end) < 0);
      assertTrue(Arrays.compareUnsigned(end, TableEntries.countKey(table + 1)) <= 0);
      assertTrue(end[end.length - 1] != 0, "longer than the low key of a page may be");
    }
    assertTrue(StoreTree.ENTRIES.keyForm().fits(last));
    assertTrue(StoreTree.ENTRIES.keyForm().fits(TableEntries.countKey(7)));
    assertFalse(StoreTree.ENTRIES.keyForm().fits(Arrays.copyOf(last, last.length + 1)));
  }

  private static TableEntries.Value.Inline again(byte[] stored) {
    return assertInstanceOf(TableEntries.Value.Inline.class, TableEntries.value(stored));
  }

  @Test
  void nonsense_isRefusedOrAValue() {
    List<byte[]> good = List.of(TableEntries.stored(CONTENT), TableEntries.stored(KEY));
    Mutator mutator = new Mutator(57, TableEntries.MAX_VALUE_BYTES + 1, good);
    mutator.run(
        20_000,
        nonsense ->
            assertArrayEquals(
                nonsense,
                switch (TableEntries.value(nonsense)) {
                  case TableEntries.Value.Inline(byte[] bytes) -> TableEntries.stored(bytes);
                  case TableEntries.Value.Content content -> TableEntries.stored(content);
                }));
    assertTrue(mutator.accepted() > 100, "damage that still is a value: " + mutator.accepted());
    assertTrue(mutator.refused() > 100, "damage that is none: " + mutator.refused());
  }

  @Test
  void otherBytes_areRefused() {
    assertThrows(IllegalArgumentException.class, () -> TableEntries.value(new byte[0]));
    assertThrows(IllegalArgumentException.class, () -> TableEntries.value(new byte[] {2, 1}));
    byte[] content = TableEntries.stored(CONTENT);
    assertThrows(
        IllegalArgumentException.class,
        () -> TableEntries.value(Arrays.copyOf(content, content.length + 1)));
    byte[] nobodys = new byte[content.length];
    nobodys[0] = 2;
    assertThrows(IllegalArgumentException.class, () -> TableEntries.value(nobodys));
    assertThrows(IllegalArgumentException.class, () -> TableEntries.count(new byte[7]));
  }
}
