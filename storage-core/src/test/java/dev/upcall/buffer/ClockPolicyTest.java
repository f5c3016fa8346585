package dev.upcall.buffer;

class ClockPolicyTest extends ReplacementPolicyContract {
  @Override
  ReplacementPolicy make(int capacityBlocks) {
    return new ClockPolicy(capacityBlocks);
  }
}
