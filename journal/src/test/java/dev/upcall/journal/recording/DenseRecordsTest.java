package dev.upcall.journal.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Records in few bytes come back as they were. */
class DenseRecordsTest {
  private static final int WORDS = RecordingEntry.RECORD_BYTES / Long.BYTES;
  private static final long[] EDGES = {
    0, 1, -1, 0xff, 0x100, 1L << 32, 1L << 62, Long.MAX_VALUE, Long.MIN_VALUE
  };

  private final DenseRecords dense = new DenseRecords();
  private final Random random = new Random(23);

  @Test
  void anyRecordsComeBack() {
    for (int round = 0; round < 2000; round++) {
      ByteBuffer records = records(1 + random.nextInt(40));
      byte[] packed = packed(records);
      assertTrue(packed.length <= count(records) * DenseRecords.MAX_BYTES, "round " + round);
      assertEquals(records, unpacked(packed, count(records)), "round " + round);
    }
  }

  @Test
  void theLargestRecordsHaveTheMostBytes() {
    ByteBuffer records = room(2);
    // The second one's differences to the first need all bits, too.
    records.putLong(Long.MIN_VALUE).putLong(1L << 61).putLong(-1);
    records.putLong(-1).putLong(-1).putLong(-1);
    records.putLong(0).putLong(0).putLong(-1).putLong(-1).putLong(-1).putLong(-1);
    assertEquals(2 * DenseRecords.MAX_BYTES, packed(records.flip()).length);
    assertEquals(records, unpacked(packed(records), 2));
  }

  @Test
  void ofWhatIsAsBeforeNothingIsWritten() {
    ByteBuffer records = room(100);
    long background = 1L << 62;
    for (int number = 0; number < 100; number++) {
      long request = (number % 2 == 0 ? background : 0) + 1_000_000 + number;
      records
          .putLong(1L << 50)
          .putLong(request)
          .putLong(number % 2 == 0 ? 0x7060005000401L : 0x50902L);
      records.putLong(0).putLong(0).putLong(0);
    }
    // Lengths and one byte of the request; in the first ones more of time, request and heads.
    assertEquals(100 * 4 + 7 + 2 + 7 + 3 + 7, packed(records.flip()).length);
    assertEquals(records, unpacked(packed(records), 100));
  }

  @Test
  void whatIsNoWholeNumberOfRecordsIsRefused() {
    ByteBuffer records = records(9);
    byte[] packed = packed(records);
    for (int length = 0; length < packed.length; length++) {
      assertFalse(unpacks(Arrays.copyOf(packed, length), 9), "of " + length);
    }
    assertFalse(unpacks(Arrays.copyOf(packed, packed.length + 1), 9));
    assertFalse(unpacks(Arrays.copyOf(packed, packed.length + 3), 9));
    assertFalse(unpacks(packed, 8));
    assertFalse(unpacks(packed, 10));
  }

  @Test
  void aWordOfMoreThanEightBytesIsRefused() {
    byte[] packed = new byte[20];
    for (int lengths = 9; lengths < 16; lengths++) {
      for (int nibble = 0; nibble < WORDS; nibble++) {
        byte[] bytes = packed.clone();
        bytes[nibble / 2] = (byte) (lengths << nibble % 2 * 4);
        assertFalse(unpacks(Arrays.copyOf(bytes, 3 + lengths), 1), lengths + " at " + nibble);
      }
    }
  }

  @Test
  void nothingIsLeftOfTheRecordsBefore() {
    ByteBuffer records = records(40);
    byte[] first = packed(records);
    packed(records(40));
    assertTrue(Arrays.equals(first, packed(records)));
  }

  /** Records like those before them, and of edges and noise. */
  private ByteBuffer records(int count) {
    long[] words = new long[WORDS];
    ByteBuffer records = room(count);
    for (int number = 0; number < count * WORDS; number++) {
      int word = number % WORDS;
      words[word] =
          switch (random.nextInt(5)) {
            case 0 -> EDGES[random.nextInt(EDGES.length)];
            case 1 -> words[word] + random.nextInt(2000) - 1000;
            case 2 -> random.nextLong() >>> random.nextInt(64);
            default -> words[word];
          };
      records.putLong(words[word]);
    }
    return records.flip();
  }

  private static ByteBuffer room(int count) {
    return ByteBuffer.allocate(count * RecordingEntry.RECORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static int count(ByteBuffer records) {
    return records.limit() / RecordingEntry.RECORD_BYTES;
  }

  /** Packed behind some other bytes, with just as much room as has to be there. */
  private byte[] packed(ByteBuffer records) {
    int most = count(records) * DenseRecords.MAX_BYTES + DenseRecords.SPARE_BYTES;
    byte[] room = new byte[5 + most];
    Arrays.fill(room, (byte) 0x55);
    ByteBuffer to = ByteBuffer.wrap(room).order(ByteOrder.LITTLE_ENDIAN);
    int end = dense.pack(records, count(records), to, 5);
    assertEquals(0x55, room[4]);
    return Arrays.copyOfRange(room, 5, end);
  }

  private ByteBuffer unpacked(byte[] packed, int count) {
    ByteBuffer records = room(count);
    assertTrue(dense.unpack(ByteBuffer.wrap(packed), records));
    return records.flip();
  }

  private boolean unpacks(byte[] packed, int count) {
    return dense.unpack(ByteBuffer.wrap(packed), room(count));
  }
}
