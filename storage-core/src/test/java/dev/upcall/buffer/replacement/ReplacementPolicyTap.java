package dev.upcall.buffer.replacement;

import java.util.function.IntPredicate;

/** Hands everything to another policy; a test overrides what it wants to see. */
public class ReplacementPolicyTap implements ReplacementPolicy {
  private final ReplacementPolicy policy;

  public ReplacementPolicyTap(ReplacementPolicy policy) {
    this.policy = policy;
  }

  @Override
  public void admit(int frame, long block, int blocks) {
    policy.admit(frame, block, blocks);
  }

  @Override
  public void touch(int frame) {
    policy.touch(frame);
  }

  @Override
  public int victim(IntPredicate evictable) {
    return policy.victim(evictable);
  }

  @Override
  public void remove(int frame) {
    policy.remove(frame);
  }
}
