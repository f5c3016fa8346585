package dev.upcall.buffer.replacement;

class S3FifoPolicyTest extends ReplacementPolicyContract {
  @Override
  ReplacementPolicy make(int capacityBlocks) {
    return new S3FifoPolicy(capacityBlocks);
  }
}
