package dev.upcall.journal.recording;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Records in few bytes: of each only what cannot be guessed from those before it in its entry. In
 * memory a record is six longs, most of whose bytes are zero or as they were in the record before.
 *
 * <pre>
 *   0  lengths of six words, 0 to 8 bytes each: four bits for each, those of the first lowest (3)
 *   3  the words one behind the other, lowest byte first, without the zeros at their upper end
 * </pre>
 *
 * <table>
 * <caption>The words of a record; before the first record there is one of zeros</caption>
 * <tr><th>time<td>its difference to the record before, doubled; of one below zero the complement
 * <tr><th>request<td>the same of the id rotated left by two bits, where the mark of background work
 *     is low
 * <tr><th>head<td>XOR the head that stood last behind one of the same {@link #place} as the head
 *     before, 0 where there was none
 * <tr><th>number, extra, more<td>as they are
 * </table>
 *
 * <p>The writer may share its processor with the store's thread, so a record must cost less than
 * the pages that it saves: no word has a branch. One thread at a time.
 */
final class DenseRecords {
  private static final int LENGTHS_BYTES = 3;

  /** The most bytes of a record. */
  static final int MAX_BYTES = LENGTHS_BYTES + RecordingEntry.RECORD_BYTES;

  /** What may be overwritten behind the last record. */
  static final int SPARE_BYTES = Long.BYTES;

  private static final int LENGTH_BITS = 4;
  private static final int WORDS = RecordingEntry.RECORD_BYTES / Long.BYTES;
  private static final int TIME = 0;
  private static final int REQUEST = 1;
  private static final int HEAD = 2;
  private static final int NUMBER = 3;
  private static final int EXTRA = 4;
  private static final int MORE = 5;
  private static final int PLACE_BITS = 8;
  private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

  /** The head that stood last behind one of each place. */
  private final long[] followers = new long[1 << PLACE_BITS];

  private int placeBefore;
  private int at;
  private int lengths;

  /**
   * Packs records.
   *
   * @param records little-endian, from byte 0 on
   * @param to little-endian; has {@link #MAX_BYTES} for each of them, and {@link #SPARE_BYTES}
   * @param position where the first one goes
   * @return the position behind the last one
   */
  int pack(ByteBuffer records, int count, ByteBuffer to, int position) {
    begin();
    at = position;
    long timeBefore = 0;
    long requestBefore = 0;
    for (int number = 0; number < count; number++) {
      int from = number * RecordingEntry.RECORD_BYTES;
      long time = records.getLong(from);
      long request = Long.rotateLeft(records.getLong(from + REQUEST * Long.BYTES), 2);
      long head = records.getLong(from + HEAD * Long.BYTES);
      int lengthsAt = at;
      at += LENGTHS_BYTES;
      lengths = 0;
      put(to, TIME, folded(time - timeBefore));
      put(to, REQUEST, folded(request - requestBefore));
      put(to, HEAD, head ^ followers[placeBefore]);
      put(to, NUMBER, records.getLong(from + NUMBER * Long.BYTES));
      put(to, EXTRA, records.getLong(from + EXTRA * Long.BYTES));
      put(to, MORE, records.getLong(from + MORE * Long.BYTES));
      to.putShort(lengthsAt, (short) lengths);
      to.put(lengthsAt + Short.BYTES, (byte) (lengths >>> Short.SIZE));
      timeBefore = time;
      requestBefore = request;
      follow(head);
    }
    return at;
  }

  private void put(ByteBuffer to, int word, long value) {
    int length = (Long.SIZE + Byte.SIZE - 1 - Long.numberOfLeadingZeros(value)) / Byte.SIZE;
    to.putLong(at, value);
    at += length;
    lengths |= length << word * LENGTH_BITS;
  }

  /**
   * Unpacks records.
   *
   * @param from all from its position to its limit
   * @param to little-endian; the records go to its position
   * @return whether they were as many as fit there, and nothing else
   */
  boolean unpack(ByteBuffer from, ByteBuffer to) {
    begin();
    long time = 0;
    long request = 0;
    while (to.hasRemaining() && from.remaining() >= LENGTHS_BYTES) {
      lengths = (int) get(from, LENGTHS_BYTES);
      if (!isWhole(from.remaining())) {
        return false;
      }
      time += unfolded(get(from, length(TIME)));
      request += unfolded(get(from, length(REQUEST)));
      long head = get(from, length(HEAD)) ^ followers[placeBefore];
      to.putLong(time).putLong(Long.rotateRight(request, 2)).putLong(head);
      to.putLong(get(from, length(NUMBER)));
      to.putLong(get(from, length(EXTRA)));
      to.putLong(get(from, length(MORE)));
      follow(head);
    }
    return !to.hasRemaining() && !from.hasRemaining();
  }

  private boolean isWhole(int remaining) {
    int sum = 0;
    for (int word = 0; word < WORDS; word++) {
      if (length(word) > Long.BYTES) {
        return false;
      }
      sum += length(word);
    }
    return sum <= remaining;
  }

  private int length(int word) {
    return lengths >>> word * LENGTH_BITS & (1 << LENGTH_BITS) - 1;
  }

  private static long get(ByteBuffer from, int length) {
    long value = 0;
    for (int number = 0; number < length; number++) {
      value |= (from.get() & 0xffL) << number * Byte.SIZE;
    }
    return value;
  }

  private void begin() {
    Arrays.fill(followers, 0);
    placeBefore = place(0);
  }

  private void follow(long head) {
    followers[placeBefore] = head;
    placeBefore = place(head);
  }

  /** The upper bits of the head times the golden ratio. */
  private static int place(long head) {
    return (int) (head * GOLDEN_RATIO >>> Long.SIZE - PLACE_BITS);
  }

  /** Numbers around zero as small ones. */
  private static long folded(long difference) {
    return difference << 1 ^ difference >> Long.SIZE - 1;
  }

  private static long unfolded(long word) {
    return word >>> 1 ^ -(word & 1);
  }
}
