package dev.upcall.bench.proxy.finite;

import java.util.Arrays;

/** The segments that a file was divided into, by class, and what is in them. */
final class Slots {
  private static final int NOWHERE = -1;

  private final long[] offsets;
  private final int[] objects;

  /** The slot of each object of the class; the class follows from the object's size. */
  private final int[] slotOf;

  private int size;

  /**
   * None yet.
   *
   * @param most how many the class may get
   * @param slotOf shared by all classes
   */
  Slots(int most, int[] slotOf) {
    this.offsets = new long[most];
    this.objects = new int[most];
    this.slotOf = slotOf;
  }

  /** Where no object is. */
  static int[] nowhere(int objects) {
    int[] slots = new int[objects];
    Arrays.fill(slots, NOWHERE);
    return slots;
  }

  /** Whether an object is in the file. */
  boolean has(int object) {
    return slotOf[object] != NOWHERE;
  }

  int slot(int object) {
    return slotOf[object];
  }

  int size() {
    return size;
  }

  long offset(int slot) {
    return offsets[slot];
  }

  /** A new slot. */
  int add(long offset, int object) {
    offsets[size] = offset;
    objects[size] = object;
    slotOf[object] = size;
    return size++;
  }

  /** Another object takes a slot. */
  void replace(int slot, int object) {
    slotOf[objects[slot]] = NOWHERE;
    objects[slot] = object;
    slotOf[object] = slot;
  }
}
