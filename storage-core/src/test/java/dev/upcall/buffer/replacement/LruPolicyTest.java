package dev.upcall.buffer.replacement;

class LruPolicyTest extends ReplacementPolicyContract {
  @Override
  ReplacementPolicy make(int capacityBlocks) {
    return new LruPolicy(capacityBlocks);
  }
}
