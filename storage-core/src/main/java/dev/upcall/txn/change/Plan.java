package dev.upcall.txn.change;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.fsm.Faults;
import dev.upcall.pressure.Scarce;
import dev.upcall.segment.layout.Staged;
import dev.upcall.space.Reserve;
import dev.upcall.tree.PageMissing;
import dev.upcall.txn.Overtaken;
import dev.upcall.txn.SegmentChange;
import dev.upcall.txn.View;
import dev.upcall.txn.lock.LockKey;
import dev.upcall.txn.lock.LockOwner;
import dev.upcall.txn.log.NamedExtent;
import dev.upcall.txn.state.Op;
import dev.upcall.txn.state.RecordCodec;
import dev.upcall.txn.state.StoreContext;
import dev.upcall.txn.state.StoreState;
import dev.upcall.txn.state.UnplacedCopies;
import dev.upcall.txn.volume.StoreFeature;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a change does to the state that it was planned on, and what it needs for that: the first of
 * its two phases. Valid as long as nothing else is applied.
 */
public final class Plan<T> {
  /** Less than any room: such a plan is never kept waiting for less unplaced content. */
  private static final long NO_CONTENT = Long.MIN_VALUE;

  private final Completion<T> outcome;
  private final MutationBuffer out;
  private final List<LockKey> changed;
  private final long recordBytes;
  private final long copiedBlocks;
  private final long blocks;

  /** What a change and the open transactions are to each other. */
  public interface Isolation {
    /** Of what the store does itself: it changes nothing, and needs no lock. */
    Isolation NONE =
        new Isolation() {
          @Override
          public List<LockKey> changed(List<Op> ops) {
            return List.of();
          }

          @Override
          public @Nullable LockKey blocking(List<Op> ops) {
            return null;
          }
        };

    /** Of a change in the name of whoever holds locks for it, or null. */
    static Isolation of(ChangeRun.Journal journal, @Nullable LockOwner owner, Faults faults) {
      return new Isolation() {
        @Override
        public List<LockKey> changed(List<Op> ops) {
          return journal.newestChanges().changed(ops, journal.view(), faults);
        }

        @Override
        public @Nullable LockKey blocking(List<Op> ops) {
          return journal.locks().isEmpty()
              ? null
              : LockKeys.blocked(journal.locks(), owner, ops, journal.view());
        }
      };
    }

    /** The keys that these steps change and of which transactions must hear. */
    List<LockKey> changed(List<Op> ops);

    /** The first thing that these steps would change and somebody else has locked, or null. */
    @Nullable LockKey blocking(List<Op> ops);
  }

  /**
   * A plan.
   *
   * @param changed keys that {@link NewestChanges} wants to hear of
   */
  Plan(
      Completion<T> outcome,
      MutationBuffer out,
      List<LockKey> changed,
      long copiedBlocks,
      long blocks) {
    this.outcome = outcome;
    this.out = out;
    this.changed = changed;
    this.recordBytes = RecordCodec.sizeBytes(out.ops());
    this.copiedBlocks = copiedBlocks;
    this.blocks = blocks;
  }

  /**
   * Plans a change on the present state, which it leaves as it is. {@code Apply} stands for "if
   * there is room": that is for {@link Verdict#of} to say.
   */
  public static <T> Verdict<T> of(
      SegmentChange<T> change,
      StoreContext context,
      ChangeRun.Journal journal,
      Isolation isolation) {
    StoreState state = context.state();
    View view = journal.view();
    try {
      MutationBuffer out = new MutationBuffer(view, state.nextSegmentId(), state.faults());
      Completion<T> outcome = change.plan(view, out);
      if (outcome instanceof Completion.Failed<T>(Failure why)) {
        return new Verdict.Refused<>(why);
      }
      out.finish();
      List<Op> ops = out.ops();
      if (ops.isEmpty()) {
        return new Verdict.Unchanged<>(outcome);
      }
      StoreFeature lacking = out.lacks(journal);
      if (lacking != null) {
        return new Verdict.Postponed<>(said -> journal.use(lacking, said));
      }
      // All that may lack a page comes first: with the last page in memory nothing of it can fail.
      PageMissing.ofAll(ops, state::prepare);
      List<LockKey> changed = isolation.changed(ops);
      LockKey locked = isolation.blocking(ops);
      if (locked != null) {
        // A put need not wait for a file that its caller does not know.
        Staged.Hashed duplicate = out.duplicateOf(locked);
        return duplicate == null
            ? new Verdict.Locked<>(locked)
            : new Verdict.Postponed<>(duplicate::copy);
      }
      long copied =
          out.addsContent() ? UnplacedCopies.committed(ops, state.segments()) : NO_CONTENT;
      Plan<T> plan = new Plan<>(outcome, out, changed, copied, state.worstCaseBlocks(ops));
      Failure tooLarge = journal.log().refuses(plan.recordBytes(), plan.named());
      if (tooLarge == null) {
        tooLarge = UnplacedCopies.refuses(ops, context.pressure().at(Scarce.UNPLACED).workAt());
      }
      return tooLarge == null ? new Verdict.Apply<>(plan) : new Verdict.Refused<>(tooLarge);
    } catch (PageMissing missing) {
      return new Verdict.PageMissing<>(missing.pages());
    } catch (Overtaken overtaken) {
      return new Verdict.Postponed<>(overtaken::catchUp);
    }
  }

  /** Bytes of the content that a crash may take, beyond what the steps say. */
  public long savedBytes() {
    return out.savedBytes();
  }

  /** What to answer when it is durable. */
  public Completion<T> outcome() {
    return outcome;
  }

  /** How long its log record is. */
  public long recordBytes() {
    return recordBytes;
  }

  /** The extents on which the record stands. */
  public List<NamedExtent> named() {
    return out.named();
  }

  /** How much unplaced content it copies; {@link #NO_CONTENT} if it brings none whatever. */
  long copiedBlocks() {
    return copiedBlocks;
  }

  /** Blocks that it may make the next checkpoint need. */
  long blocks() {
    return blocks;
  }

  /** Whence these blocks come. */
  Reserve reserve() {
    return out.reserve();
  }

  /** Whether it leaves content to be freed in the background. */
  public boolean leavesOrphan() {
    return out.leavesOrphan();
  }

  public List<Op> ops() {
    return out.ops();
  }

  /** What room there is for it. */
  public Verdict.Room room(StoreContext context, boolean inLog) {
    return new Verdict.Room(
        context.pressure().left(Scarce.PAGES) > 0,
        context.pressure().left(Scarce.UNPLACED),
        context.space().hasRoom(blocks, reserve()),
        inLog);
  }

  /** Makes it part of the state and gives its SCN; what hangs on it is {@link #runApplied}. */
  public long apply(StoreState state, NewestChanges newestChanges, ChangeFeed feed) {
    Invariants.check(!out.ops().isEmpty(), "a plan without steps");
    long scn = state.scn() + 1;
    newestChanges.note(changed, scn);
    feed.note(out.ops(), scn, state);
    // Before the steps: their frees carry this SCN, so that whoever reads at the one before keeps
    // what they free.
    state.advance(scn);
    for (Op op : out.ops()) {
      state.apply(op, /* live= */ true);
    }
    // Room was found for the worst case; what it did not need is anybody's again from here on.
    state.settlePromise();
    Invariants.check(state.scn() == scn, "another change within this one", state.scn(), scn);
    return scn;
  }

  public void runApplied() {
    out.runApplied();
  }
}
