package dev.upcall.bench.proxy.finite;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Frequency-based cyclic replacement of one class: a pointer goes through its slots in the order of
 * their addresses and passes those whose object was asked for often. So neighbours in the file are
 * replaced one after the other. Counts age together with those of all other classes.
 */
final class CyclicReplacement implements Replacement {
  private final Counts counts;
  private final Addresses addresses;

  /** Slots of this class by address. */
  private int[] order;

  private final Pointer pointer;
  private int size;
  private int[] count;

  /** The address from which the next victim is looked for. */
  static final class Pointer {
    private long address;
  }

  /** Where a slot of the class begins. */
  interface Addresses {
    long of(int slot);
  }

  /** The counts of all classes, which age together. */
  static final class Counts {
    private final int most;
    private final int mostMean;
    private final List<CyclicReplacement> classes = new ArrayList<>();
    private long objects;
    private long sum;
    private long ageings;

    /**
     * No objects.
     *
     * @param most the pointer passes objects with so many references or more (Cmax)
     * @param mostMean counts are halved when there are more for each object (Amax)
     */
    Counts(int most, int mostMean) {
      this.most = most;
      this.mostMean = mostMean;
    }

    private void add(int amount) {
      sum += amount;
      if (sum > mostMean * objects) {
        sum = 0;
        classes.forEach(CyclicReplacement::age);
        ageings++;
      }
    }

    /** The sum of all counts. */
    long sum() {
      return sum;
    }

    /** How many objects there are. */
    long objects() {
      return objects;
    }

    /** How often counts were halved. */
    long ageings() {
      return ageings;
    }
  }

  /**
   * No slots.
   *
   * @param pointer its own, or that of all classes
   */
  CyclicReplacement(Counts counts, Addresses addresses, Pointer pointer) {
    this.counts = counts;
    this.addresses = addresses;
    this.pointer = pointer;
    this.order = new int[16];
    this.count = new int[16];
    counts.classes.add(this);
  }

  @Override
  public void added(int slot, int object) {
    if (size == order.length) {
      order = Arrays.copyOf(order, 2 * size);
      count = Arrays.copyOf(count, 2 * size);
    }
    int at = size;
    while (at > 0 && addresses.of(order[at - 1]) > addresses.of(slot)) {
      order[at] = order[at - 1];
      at--;
    }
    order[at] = slot;
    size++;
    count[slot] = 1;
    counts.objects++;
    counts.add(1);
  }

  @Override
  public void hit(int slot) {
    count[slot]++;
    counts.add(1);
  }

  @Override
  public int victim() {
    int at = firstFrom(pointer.address);
    for (int passed = 0; passed < size && count[order[at]] >= counts.most; passed++) {
      at = (at + 1) % size;
    }
    pointer.address = addresses.of(order[at]) + 1;
    return order[at];
  }

  /**
   * The place of the first slot at an address or behind it; of the first of all behind the last.
   */
  private int firstFrom(long address) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (addresses.of(order[middle]) < address) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low == size ? 0 : low;
  }

  @Override
  public void replaced(int slot, int object) {
    int before = count[slot];
    count[slot] = 1;
    counts.add(1 - before);
  }

  private void age() {
    for (int slot = 0; slot < size; slot++) {
      count[slot] = (count[slot] + 1) / 2;
      counts.sum += count[slot];
    }
  }

  /** How often the object in a slot was asked for, as far as is known. */
  int count(int slot) {
    return count[slot];
  }
}
