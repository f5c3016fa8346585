package dev.upcall.bench.proxy.finite;

/**
 * Decides which slot of one segment class gets another object. Slots are numbers from 0 on, in the
 * order in which the class got them.
 */
interface Replacement {
  /** A slot is new and holds its first object. */
  void added(int slot, int object);

  /** The object in a slot was asked for. */
  void hit(int slot);

  /** Chooses the slot whose object goes. */
  int victim();

  /** A slot that was the victim has got another object. */
  void replaced(int slot, int object);
}
