package dev.upcall.journal.entry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.house.Golden;
import dev.upcall.house.Mutator;
import dev.upcall.journal.entry.Decoded.Reason;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Entries that are none: each rule refuses by its name. */
class EntryCodecTest {
  private static final byte[] GOOD = EntryCodec.encode(Samples.first(Samples.put("/a/b", "xxx")));

  @Test
  void theFormIsFixed() {
    Golden.check("entry", GOOD);
  }

  @Test
  void bytesThatAreNoEntry() {
    assertRefused(Reason.NO_ENTRY, new byte[0]);
    assertRefused(Reason.NO_ENTRY, Arrays.copyOf(GOOD, EntryCodec.HEAD_BYTES - 1));
    assertRefused(Reason.NO_ENTRY, with(0, 0));
  }

  @Test
  void anotherVersionIsNotRead() {
    assertRefused(Reason.VERSION, with(4, 1));
    assertRefused(Reason.VERSION, summed(with(4, 1)));
  }

  @Test
  void anEntryThatIsTooLarge() {
    assertRefused(Reason.TOO_LARGE, Arrays.copyOf(GOOD, EntryCodec.MAX_ENTRY_BYTES + 1));
  }

  @Test
  void anEntryThatIsTorn() {
    assertRefused(Reason.LENGTH, Arrays.copyOf(GOOD, GOOD.length - 1));
    assertRefused(Reason.LENGTH, Arrays.copyOf(GOOD, GOOD.length + 1));
    byte[] zeros = GOOD.clone();
    Arrays.fill(zeros, EntryCodec.HEAD_BYTES, zeros.length, (byte) 0);
    assertRefused(Reason.CHECKSUM, zeros);
  }

  @Test
  void eachFlippedBitIsNoticed() {
    for (int bit = 0; bit < GOOD.length * 8; bit++) {
      byte[] flipped = GOOD.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      assertInstanceOf(Decoded.Refused.class, EntryCodec.decode(flipped), "bit " + bit);
    }
  }

  @Test
  void aHeadThatNobodyWrites() {
    assertRefused(Reason.HEAD, summed(with(6, 0)));
    assertRefused(Reason.HEAD, summed(with(6, 99)));
    assertRefused(Reason.HEAD, summed(with(7, 1)));
    assertRefused(Reason.HEAD, summed(with(64, 1)));
    assertRefused(Reason.HEAD, summed(with(68, 0)));
    assertRefused(Reason.HEAD, summed(with(68, 2)));
  }

  @Test
  void damagedEntriesWithARightChecksumAreValuesOrRefused() {
    Mutator mutator = new Mutator(23, 300, List.of(GOOD));
    mutator.run(
        20_000,
        bytes -> {
          byte[] input = bytes.length < EntryCodec.HEAD_BYTES ? bytes : summed(bytes);
          if (EntryCodec.decode(input) instanceof Decoded.Value<Entry>(Entry entry)) {
            assertArrayEquals(input, EntryCodec.encode(entry));
          } else {
            throw new IllegalArgumentException("refused");
          }
        });
    assertTrue(mutator.accepted() > 500, () -> mutator.accepted() + " taken");
    assertTrue(mutator.refused() > 500, () -> mutator.refused() + " refused");
  }

  @Test
  void noOtherPartsCanBeMade() {
    assertThrows(IllegalArgumentException.class, () -> part(0, 0, 1));
    assertThrows(IllegalArgumentException.class, () -> part(1, 1, 1));
    assertThrows(IllegalArgumentException.class, () -> part(0, 2, 1));
    assertThrows(IllegalArgumentException.class, () -> part(1, 2, 0));
    assertThrows(IllegalArgumentException.class, () -> part(0, 1, Entry.MAX_BODY_BYTES + 1));
    assertEquals(1, Entry.partsOf(0));
    assertEquals(1, Entry.partsOf(Entry.MAX_BODY_BYTES));
    assertEquals(2, Entry.partsOf(Entry.MAX_BODY_BYTES + 1));
    assertThrows(
        IllegalArgumentException.class,
        () -> Entry.partsOf((long) Entry.MAX_PARTS * Entry.MAX_BODY_BYTES + 1));
  }

  private static Entry part(int part, int parts, int bodyBytes) {
    return new Entry(Samples.ORIGIN, EntryKind.REQUEST, part, parts, new byte[bodyBytes]);
  }

  private static byte[] with(int at, int value) {
    byte[] changed = GOOD.clone();
    changed[at] = (byte) value;
    return changed;
  }

  /** The same with a checksum that is right. */
  static byte[] summed(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, 84);
    crc.update(bytes, 88, bytes.length - 88);
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(84, (int) crc.getValue());
    return bytes;
  }

  private static void assertRefused(Reason reason, byte[] bytes) {
    assertEquals(
        reason,
        assertInstanceOf(Decoded.Refused.class, EntryCodec.decode(bytes)).reason(),
        () -> EntryCodec.decode(bytes).toString());
  }
}
