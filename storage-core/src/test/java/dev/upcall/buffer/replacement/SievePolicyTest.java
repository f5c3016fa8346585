package dev.upcall.buffer.replacement;

class SievePolicyTest extends ReplacementPolicyContract {
  @Override
  ReplacementPolicy make(int capacityBlocks) {
    return new SievePolicy(capacityBlocks);
  }
}
