package dev.upcall.journal.recording;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A store's recorder for tests: what it is told, of which it keeps the last ones. Any thread. */
public final class ModelRecorder implements RecordSource {
  private final int kept;
  private final List<byte[]> records = new ArrayList<>();
  private final List<String> names = new ArrayList<>(List.of("", "others"));
  private long clockNanos;
  private long epochNanos = 1_800_000_000_000_000_000L;

  public ModelRecorder(int kept) {
    this.kept = kept;
  }

  /** Moves the clocks. */
  public synchronized ModelRecorder pass(long nanos) {
    clockNanos += nanos;
    epochNanos += nanos;
    return this;
  }

  /** The number of a name. */
  public synchronized int name(String name) {
    if (!names.contains(name)) {
      names.add(name);
    }
    return names.indexOf(name);
  }

  /** A record of now. */
  public synchronized void write(
      int kind, long request, int[] numbers, long number, long... others) {
    ByteBuffer bytes =
        ByteBuffer.allocate(RecordingEntry.RECORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    long head = kind;
    for (int at = 0; at < numbers.length; at++) {
      head |= (long) numbers[at] << (16 * (at + 1));
    }
    bytes.putLong(clockNanos).putLong(request).putLong(head).putLong(number);
    for (long other : others) {
      bytes.putLong(other);
    }
    records.add(bytes.array());
  }

  /** So many records of some kind. */
  public void fill(int count) {
    for (int at = 0; at < count; at++) {
      write(8, at, new int[] {name("a stage")}, at);
    }
  }

  /** So many records of which nothing can be guessed. */
  public void fillWithNoise(int count) {
    Random random = new Random(count);
    for (int at = 0; at < count; at++) {
      int[] name = {name("noise")};
      write(8, random.nextLong(), name, random.nextLong(), random.nextLong(), random.nextLong());
    }
  }

  @Override
  public synchronized long copySince(long sequence, ByteBuffer to) {
    long at = Math.max(sequence, records.size() - (long) kept);
    while (at < records.size() && to.remaining() >= RecordingEntry.RECORD_BYTES) {
      to.put(records.get((int) at++));
    }
    return at;
  }

  @Override
  public int recordsKept() {
    return kept;
  }

  @Override
  public synchronized List<String> names() {
    return List.copyOf(names);
  }

  @Override
  public synchronized long clockNanos() {
    return clockNanos;
  }

  @Override
  public synchronized long epochNanos() {
    return epochNanos;
  }
}
