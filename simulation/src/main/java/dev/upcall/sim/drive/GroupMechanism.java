package dev.upcall.sim.drive;

/** Heads over {@link Geometry.Groups}. */
final class GroupMechanism implements Mechanism {
  private final Geometry.Groups geometry;
  private long head;

  GroupMechanism(Geometry.Groups geometry) {
    this.geometry = geometry;
  }

  @Override
  public long accessNanos(long nowNanos, long block) {
    if (block == head) {
      return 0;
    }
    boolean near = block / geometry.groupBlocks() == head / geometry.groupBlocks();
    return near ? geometry.nearNanos() : geometry.farNanos();
  }

  @Override
  public long passNanos(long from, long to) {
    return (to - from) * geometry.blockNanos();
  }

  @Override
  public void moveTo(long block) {
    head = block;
  }

  @Override
  public long head() {
    return head;
  }
}
