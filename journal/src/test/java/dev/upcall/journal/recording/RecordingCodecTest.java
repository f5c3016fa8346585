package dev.upcall.journal.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.house.Golden;
import dev.upcall.house.Mutator;
import dev.upcall.journal.recording.RecordingEntry.Names;
import dev.upcall.journal.recording.RecordingEntry.Origin;
import dev.upcall.journal.recording.RecordingEntry.Records;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The bytes of a recording. */
class RecordingCodecTest {
  private static final Origin ORIGIN = new Origin(new UUID(0x0123, 0x4567), 0x89ab, 0xcdef);
  private static final byte[] RECORDS =
      RecordingCodec.encode(new Records(ORIGIN, 4711, ByteBuffer.wrap(numbered(96))));
  private static final byte[] NAMES =
      RecordingCodec.encode(new Names(ORIGIN, 2, List.of("", "GET", "größer")));

  @Test
  void theFormIsFixed() {
    Golden.check("recording-records", RECORDS);
    Golden.check("recording-names", NAMES);
    ByteBuffer alike = ByteBuffer.allocate(4 * 48).order(ByteOrder.LITTLE_ENDIAN);
    for (int number = 0; number < 4; number++) {
      alike.putLong(1_000_000 - number).putLong((1L << 62) * (number % 2) + 300 - number);
      alike.putLong(0x0003_0002_0001_0003L).putLong(number).putLong(0).putLong(-number);
    }
    Golden.check("recording-alike", RecordingCodec.encode(new Records(ORIGIN, 0, alike.flip())));
  }

  /** As the simulator writes them, and as all were written once. */
  @Test
  void theFirstVersionIsRead() {
    byte[] records = ofTheFirstVersion(RECORDS, numbered(96));
    Golden.check("recording-records-1", records);
    assertEquals(decode(RECORDS), decode(records));
    byte[] names = ofTheFirstVersion(NAMES, Arrays.copyOfRange(NAMES, 64, NAMES.length));
    Golden.check("recording-names-1", names);
    assertEquals(decode(NAMES), decode(names));
    assertNull(decode(ofTheFirstVersion(RECORDS, numbered(95))));
    byte[] later = records.clone();
    later[4] = RecordingCodec.VERSION + 1;
    assertNull(decode(summed(later)));
  }

  private static byte[] ofTheFirstVersion(byte[] entry, byte[] body) {
    ByteBuffer bytes = ByteBuffer.allocate(64 + body.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(entry, 0, 64).put(body);
    bytes.putShort(4, (short) 1).putInt(52, body.length);
    return summed(bytes.array());
  }

  @Test
  void whatIsEncodedComesBack() {
    Records records = (Records) decode(RECORDS);
    assertEquals(ORIGIN, records.origin());
    assertEquals(4711, records.first());
    assertEquals(2, records.count());
    assertEquals(ByteBuffer.wrap(numbered(96)), records.bytes());
    assertEquals(new Names(ORIGIN, 2, List.of("", "GET", "größer")), decode(NAMES));
  }

  @Test
  void aNameThatIsTooLongIsCutBetweenCharacters() {
    Names cut =
        (Names) decode(RecordingCodec.encode(new Names(ORIGIN, 0, List.of("ö".repeat(40)))));
    assertEquals(List.of("ö".repeat(31)), cut.names());
  }

  @Test
  void eachFlippedBitIsNoticed() {
    for (byte[] good : List.of(RECORDS, NAMES)) {
      for (int bit = 0; bit < good.length * 8; bit++) {
        byte[] flipped = good.clone();
        flipped[bit / 8] ^= (byte) (1 << bit % 8);
        assertNull(decode(flipped), "bit " + bit);
      }
    }
  }

  @Test
  void anEntryThatIsTornIsNone() {
    for (int length = 0; length < RECORDS.length; length++) {
      assertNull(decode(Arrays.copyOf(RECORDS, length)), "of " + length);
    }
  }

  @Test
  void damagedEntriesWithARightChecksumAreValuesOrNone() {
    byte[] plain = ofTheFirstVersion(RECORDS, numbered(96));
    Mutator mutator = new Mutator(29, 400, List.of(RECORDS, NAMES, plain));
    mutator.run(
        20_000,
        bytes -> {
          RecordingEntry entry = decode(bytes.length < 64 ? bytes : summed(bytes));
          if (entry == null) {
            throw new IllegalArgumentException("none");
          }
          byte[] again = RecordingCodec.encode(entry);
          assertEquals(entry, decode(again));
        });
    assertTrue(mutator.accepted() > 500, () -> mutator.accepted() + " taken");
    assertTrue(mutator.refused() > 500, () -> mutator.refused() + " refused");
  }

  @Test
  void noOthersCanBeMade() {
    assertThrows(IllegalArgumentException.class, () -> records(0));
    assertThrows(IllegalArgumentException.class, () -> records(47));
    assertThrows(IllegalArgumentException.class, () -> records(48 * 4097));
    assertThrows(IllegalArgumentException.class, () -> new Names(ORIGIN, 0, List.of()));
    assertThrows(IllegalArgumentException.class, () -> new Names(ORIGIN, -1, List.of("a")));
    assertNotNull(records(48 * 4096));
  }

  private static Records records(int bytes) {
    return new Records(ORIGIN, 0, ByteBuffer.allocate(bytes));
  }

  private static @Nullable RecordingEntry decode(byte[] bytes) {
    return RecordingCodec.decode(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN), 0);
  }

  /** The same with a checksum that is right, where the length is. */
  private static byte[] summed(byte[] bytes) {
    ByteBuffer head = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int length = head.getInt(52);
    if (length >= 0 && length <= bytes.length - 64) {
      CRC32C crc = new CRC32C();
      crc.update(bytes, 0, 56);
      crc.update(bytes, 64, length);
      head.putInt(56, (int) crc.getValue());
    }
    return bytes;
  }

  private static byte[] numbered(int length) {
    byte[] bytes = new byte[length];
    for (int at = 0; at < length; at++) {
      bytes[at] = (byte) at;
    }
    return bytes;
  }
}
