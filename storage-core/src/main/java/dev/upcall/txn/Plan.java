package dev.upcall.txn;

import dev.upcall.fsm.Completion;
import dev.upcall.fsm.Invariants;
import dev.upcall.space.Reserve;
import dev.upcall.txn.log.NamedExtent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * What a change would do to the state that it was planned on: the first of its two phases, for an
 * engine that applies under locks of its own. Valid as long as nothing else is applied.
 */
public final class Plan<T> {
  private final Completion<T> outcome;
  private final MutationBuffer out;

  private Plan(Completion<T> outcome, MutationBuffer out) {
    this.outcome = outcome;
    this.out = out;
  }

  /** Plans, and finds the pages that applying needs; may throw {@code PageMissing}. */
  static <T> Plan<T> of(SegmentChange<T> change, View view, StoreState state) {
    MutationBuffer out = new MutationBuffer(view, state.nextSegmentId(), state.faults());
    Completion<T> outcome = change.plan(view, out);
    if (outcome instanceof Completion.Done<T>) {
      out.finish();
      for (Op op : out.ops()) {
        state.prepare(op);
      }
    }
    return new Plan<>(outcome, out);
  }

  /** What to answer: at once if there is {@link #nothingToApply}, else when it is durable. */
  public Completion<T> outcome() {
    return outcome;
  }

  /** Whether it was refused or changes nothing. */
  public boolean nothingToApply() {
    return outcome instanceof Completion.Failed<T> || out.ops().isEmpty();
  }

  /** How long its log record is. */
  public long recordBytes() {
    return RecordCodec.sizeBytes(out.ops());
  }

  /** Its log record. */
  public ByteBuffer record() {
    ByteBuffer record =
        ByteBuffer.allocate(Math.toIntExact(recordBytes())).order(ByteOrder.LITTLE_ENDIAN);
    RecordCodec.encode(out.ops(), record);
    Invariants.check(!record.hasRemaining(), "size of a log record", record.position());
    return record.flip();
  }

  /** The extents on which the record stands. */
  public List<NamedExtent> named() {
    return out.named();
  }

  /** Whether it adds unplaced content. */
  public boolean addsContent() {
    return out.addsContent();
  }

  /** Whether it leaves content to be freed in the background. */
  public boolean leavesOrphan() {
    return out.leavesOrphan();
  }

  /** Whence the blocks that it makes the next checkpoint need. */
  public Reserve reserve() {
    return out.mayUseEmergencySpace() ? Reserve.EMERGENCY : Reserve.NORMAL;
  }

  List<Op> ops() {
    return out.ops();
  }

  void runApplied() {
    out.runApplied();
  }
}
