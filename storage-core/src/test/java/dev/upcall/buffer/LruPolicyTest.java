package dev.upcall.buffer;

class LruPolicyTest extends ReplacementPolicyContract {
  @Override
  ReplacementPolicy make(int capacityBlocks) {
    return new LruPolicy(capacityBlocks);
  }
}
