package dev.upcall.buffer.replacement;

class ClockPolicyTest extends ReplacementPolicyContract {
  @Override
  ReplacementPolicy make(int capacityBlocks) {
    return new ClockPolicy(capacityBlocks);
  }
}
