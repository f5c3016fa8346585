package dev.upcall.buffer;

class SievePolicyTest extends ReplacementPolicyContract {
  @Override
  ReplacementPolicy make(int capacityBlocks) {
    return new SievePolicy(capacityBlocks);
  }
}
