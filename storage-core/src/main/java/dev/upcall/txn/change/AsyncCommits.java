package dev.upcall.txn.change;

import dev.upcall.base.Invariants;
import dev.upcall.fsm.Faults;
import dev.upcall.io.Disk;
import dev.upcall.store.LossBound;
import dev.upcall.txn.state.Op;
import dev.upcall.txn.state.StoreFault;
import java.util.ArrayDeque;
import java.util.List;

/** Which changes are acknowledged before they are durable, and how much of that there is. */
public final class AsyncCommits {
  private record Waiting(long bytes, long sinceNanos) {}

  private final LossBound bound;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private final Faults faults;
  private long bytes;

  public AsyncCommits(LossBound bound, Faults faults) {
    this.bound = bound;
    this.faults = faults;
  }

  /**
   * Whether a change that is being applied may be acknowledged now; if so, {@link #durable} must
   * follow, in the order of these calls.
   *
   * @param recordBytes of the record, and of content that is stored in less
   */
  public boolean admit(long recordBytes, List<Op> ops, long nowNanos) {
    boolean uncounted = faults.has(StoreFault.RANGES_NOT_COUNTED) && bringsRanges(ops);
    long more = uncounted ? 0 : recordBytes + contentBytes(ops);
    Waiting oldest = waiting.peekFirst();
    boolean late = oldest != null && nowNanos - oldest.sinceNanos() > bound.maxNanos();
    boolean beyond = late || bytes + more > bound.maxBytes();
    if (beyond && !faults.has(StoreFault.LOSS_UNBOUNDED)) {
      return false;
    }
    bytes += more;
    waiting.addLast(new Waiting(more, nowNanos));
    return true;
  }

  /** The oldest of what was acknowledged early is durable, or the log has failed. */
  public void durable() {
    bytes -= Invariants.present(waiting.pollFirst(), "what was acknowledged early").bytes();
  }

  private static boolean bringsRanges(List<Op> ops) {
    return ops.stream()
        .anyMatch(
            op ->
                op instanceof Op.OverlayWrite write && !write.fresh()
                    || op instanceof Op.OverlayDrop drop && drop.to() < Long.MAX_VALUE);
  }

  /** Content outside the record. */
  private static long contentBytes(List<Op> ops) {
    long blocks = 0;
    for (Op op : ops) {
      if (op instanceof Op.Allocate allocate) {
        blocks += allocate.extent().blocks();
      }
    }
    return blocks * Disk.BLOCK_BYTES;
  }
}
