package dev.upcall.bench.proxy.finite;

import dev.upcall.buffer.replacement.ReplacementPolicy;

/** One of the store's own policies; each slot is a frame of one block. */
final class StoreReplacement implements Replacement {
  private final ReplacementPolicy policy;

  StoreReplacement(ReplacementPolicy policy) {
    this.policy = policy;
  }

  @Override
  public void added(int slot, int object) {
    policy.admit(slot, object, 1);
  }

  @Override
  public void hit(int slot) {
    policy.touch(slot);
  }

  @Override
  public int victim() {
    int slot = policy.victim(frame -> true);
    if (slot == ReplacementPolicy.NONE) {
      throw new IllegalStateException("a policy found no victim among frames that may all go");
    }
    return slot;
  }

  @Override
  public void replaced(int slot, int object) {
    policy.admit(slot, object, 1);
  }
}
