package dev.upcall.journal.queue;

import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.queue.EntryQueue.Indexed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What a model of a queue keeps, shared by its openings, without files and threads: entries, which
 * of them a loss of power cannot take, and where a file ends.
 */
public final class ModelStorage {
  private static final int CYCLE_BITS = 32;

  private final List<Indexed> entries = new ArrayList<>();
  private long cycle = 1;

  /** How many from the beginning are synced. */
  private int synced;

  /** What is appended from now on is in another file. */
  public void roll() {
    cycle++;
  }

  /** How many entries there are. */
  public int size() {
    return entries.size();
  }

  /** Of the newest entry; {@link EntryQueue#NONE} when there is none. */
  public long lastIndex() {
    return entries.isEmpty() ? EntryQueue.NONE : entries.getLast().index();
  }

  /** How many of them a loss of power may take. */
  public int unsynced() {
    return entries.size() - synced;
  }

  /** Behind the last entry there is a range of bytes that are damaged. */
  public void damage() {
    entries.add(Indexed.damaged(nextIndex(), 100));
  }

  /**
   * One of the entries up to an index is not there any more: its bytes are damaged.
   *
   * @return whether there was one
   */
  public boolean damage(long upTo, RandomGenerator random) {
    int count = (int) entries.stream().filter(entry -> entry.index() <= upTo).count();
    if (count > 0) {
      int hit = random.nextInt(count);
      entries.set(hit, Indexed.damaged(entries.get(hit).index(), 100));
    }
    return count > 0;
  }

  /**
   * Loses some of what was not synced, at its end; now and then the last entry that is left of it
   * has bytes that nobody wrote. What is appended next may have the indexes of what was lost.
   */
  public void losePower(RandomGenerator random) {
    int kept = synced + random.nextInt(unsynced() + 1);
    boolean isTorn = kept > synced && random.nextBoolean();
    entries.subList(kept, entries.size()).clear();
    if (isTorn && entries.getLast().damagedBytes() == 0) {
      Indexed last = entries.removeLast();
      entries.add(new Indexed(last.index(), torn(last.bytes(), random)));
    }
    synced = entries.size();
    cycle = entries.isEmpty() ? 1 : cycleOf(entries.getLast().index());
  }

  /** Another opening of the queue. */
  public EntryQueue open() {
    return new Opening();
  }

  private static byte[] torn(byte[] bytes, RandomGenerator random) {
    byte[] torn = bytes.clone();
    int from = random.nextInt(torn.length);
    for (int i = from; i < torn.length; i++) {
      torn[i] = 0;
    }
    if (Arrays.equals(torn, bytes)) {
      torn[from] ^= 1;
    }
    return torn;
  }

  private long nextIndex() {
    return Math.max(lastIndex() + 1, cycle << CYCLE_BITS);
  }

  private static long cycleOf(long index) {
    return index >>> CYCLE_BITS;
  }

  private final class Opening implements EntryQueue {
    @Override
    public long append(byte[] bytes) {
      if (bytes.length == 0 || bytes.length > EntryCodec.MAX_ENTRY_BYTES) {
        throw new IllegalArgumentException("an entry of " + bytes.length + " bytes");
      }
      long index = nextIndex();
      entries.add(new Indexed(index, bytes.clone()));
      return index;
    }

    @Override
    public void sync() {
      synced = entries.size();
    }

    @Override
    public byte[] read(long index) {
      return entries.stream()
          .filter(entry -> entry.index() == index && entry.damagedBytes() == 0)
          .map(entry -> entry.bytes().clone())
          .findFirst()
          .orElse(null);
    }

    @Override
    public Indexed next(long index) {
      return entries.stream()
          .filter(entry -> entry.index() > index)
          .map(entry -> new Indexed(entry.index(), entry.bytes().clone(), entry.damagedBytes()))
          .findFirst()
          .orElse(null);
    }

    @Override
    public Bounds bounds() {
      return entries.isEmpty()
          ? new Bounds(Long.MAX_VALUE, NONE)
          : new Bounds(entries.getFirst().index(), entries.getLast().index());
    }

    @Override
    public void removeBefore(long index) {
      int before = entries.size();
      entries.removeIf(entry -> index >= 0 && cycleOf(entry.index()) < cycleOf(index));
      synced = Math.max(0, synced - (before - entries.size()));
    }

    @Override
    public void keep(long bytes) {
      long size = entries.stream().mapToLong(entry -> entry.bytes().length).sum();
      while (size > bytes
          && cycleOf(entries.getFirst().index()) < cycleOf(entries.getLast().index())) {
        long oldest = cycleOf(entries.getFirst().index());
        for (Indexed entry : entries) {
          size -= cycleOf(entry.index()) == oldest ? entry.bytes().length : 0;
        }
        removeBefore((oldest + 1) << CYCLE_BITS);
      }
    }

    @Override
    public void close() {
      // Nothing is held.
    }
  }
}
