package dev.upcall.bench.proxy.finite;

import dev.upcall.bench.ecommerce.machine.LruList;

/** The least recently referenced object goes. */
final class LruReplacement implements Replacement {
  private final LruList lru;

  LruReplacement(int slots) {
    lru = new LruList(slots);
  }

  @Override
  public void added(int slot, int object) {
    lru.addFirst(slot);
  }

  @Override
  public void hit(int slot) {
    lru.remove(slot);
    lru.addFirst(slot);
  }

  @Override
  public int victim() {
    return lru.last();
  }

  @Override
  public void replaced(int slot, int object) {
    hit(slot);
  }
}
