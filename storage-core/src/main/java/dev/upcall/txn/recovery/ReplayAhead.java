package dev.upcall.txn.recovery;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.tree.PageCache;
import dev.upcall.tree.PageMissing;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.log.LogRecord;
import dev.upcall.txn.log.LogScan;
import dev.upcall.txn.log.LogState;
import dev.upcall.txn.state.Op;
import dev.upcall.txn.state.RecordCodec;
import dev.upcall.txn.state.StoreContext;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Replays a log: its records are applied in their order, a few in an upcall, and read ahead of
 * that, so that the tree pages which the next records need are on their way, many at once, when
 * their turn comes. Otherwise a log of small changes all over a large store would take one latency
 * of the device for each page that it touches.
 *
 * <p>To ask early for a page changes nothing, and may fail: whoever needs it asks again.
 */
final class ReplayAhead {
  /**
   * Records with so many steps are kept ahead as long as there are any, and twice as many at most.
   */
  private static final int STEPS_AHEAD = 1024;

  /** Each step may need a page, which must not be evicted before: a quarter of their memory. */
  private static final int PART_OF_PAGES = 4;

  /** Records of this many bytes are far enough ahead. */
  private static final long BYTES_AHEAD = 1 << 20;

  /**
   * So many records are read, and so many applied, in one upcall: at a microsecond or so each it
   * stays short, and what an upcall costs is shared.
   */
  private static final int RECORDS_PER_UPCALL = 16;

  private final StoreContext context;
  private final LogScan scan;
  private final Replay replay;
  private final CompletionPort<LogState> port;
  private final ArrayDeque<Ahead> ahead = new ArrayDeque<>();
  private final long mostStepsAhead;
  private long bytesAhead;
  private long stepsAhead;
  private int loading;
  private boolean asking;
  private boolean applying;
  private boolean inStep;
  private boolean posted;
  private boolean over;
  private @Nullable LogState end;
  private @Nullable Failure failure;
  private @Nullable Failure stoppedBy;

  /** A record that was read and not yet applied. */
  private record Ahead(long scn, List<Op> ops, long bytes) {
    long steps() {
      return Math.max(1, ops.size());
    }
  }

  /**
   * A replay.
   *
   * @param replay applies each record
   * @param port receives where the log goes on, or {@code Corrupt}, {@code Device}, or {@code
   *     Invalid} for a record that is none; nothing of it is under way any more then
   */
  ReplayAhead(StoreContext context, LogScan scan, Replay replay, CompletionPort<LogState> port) {
    this.context = context;
    this.scan = scan;
    this.replay = replay;
    this.port = port;
    PageCache pages = context.state().pages();
    long budgetPages = pages.budgetBytes() / context.state().treeConfig().pageBytes();
    this.mostStepsAhead =
        Math.clamp(budgetPages / PART_OF_PAGES, pages.pagesTogether(), STEPS_AHEAD);
  }

  /** Why what is behind some record was left out, by a replay to read only; else null. */
  @Nullable Failure stoppedBy() {
    return stoppedBy;
  }

  /** How many leaves of entries are lost, and with them what the log says of them. */
  int lostLeaves() {
    return replay.lostLeaves();
  }

  /** Takes the next steps. Must itself run as an upcall. */
  void next() {
    posted = false;
    inStep = true;
    for (int i = 0; i < RECORDS_PER_UPCALL && mayApply(); i++) {
      apply(ahead.removeFirst());
    }
    inStep = false;
    if (failure == null && end == null && !asking && !isFarAhead(2)) {
      asking = true;
      scan.next(this::read);
    }
    if (mayApply()) {
      goOn();
    }
    endIfDone();
  }

  private boolean mayApply() {
    return failure == null && !applying && !ahead.isEmpty() && (end != null || isFarAhead(1));
  }

  private void goOn() {
    if (!posted) {
      posted = true;
      context.dispatcher().post(this::next);
    }
  }

  private boolean isFarAhead(int times) {
    return stepsAhead >= times * mostStepsAhead || bytesAhead >= times * BYTES_AHEAD;
  }

  private void read(Completion<LogScan.Step> completion) {
    asking = false;
    switch (completion) {
      case Completion.Failed<LogScan.Step> failed -> fail(failed.failure());
      case Completion.Done<LogScan.Step>(LogScan.Step.Replay step) -> keepSome(step.record());
      case Completion.Done<LogScan.Step>(LogScan.Step.End step) -> end = step.state();
    }
    next();
  }

  private void keepSome(LogRecord first) {
    LogRecord record = first;
    for (int i = 1; record != null && failure == null; i++) {
      keep(record);
      record = i < RECORDS_PER_UPCALL && !isFarAhead(2) ? scan.poll() : null;
    }
  }

  private void keep(LogRecord record) {
    if (stoppedBy != null) {
      return;
    }
    long bytes = record.bytes().remaining();
    List<Op> ops;
    try {
      ops = RecordCodec.decode(record.bytes());
    } catch (IllegalArgumentException e) {
      fail(new Failure.Invalid(context.disk().name() + ": " + e.getMessage()));
      return;
    }
    Ahead read = new Ahead(record.scn(), ops, bytes);
    ahead.addLast(read);
    bytesAhead += bytes;
    stepsAhead += read.steps();
    for (Op op : ops) {
      switch (op) {
        case Op.Put put -> load(put.tree(), put.key());
        case Op.Remove remove -> load(remove.tree(), remove.key());
        case Op.OverlayWrite write -> load(StoreTree.INODES, TreeKeys.of(write.segment()));
        case Op.OverlayDrop _, Op.OverlayCopy _, Op.Allocate _, Op.Free _, Op.Unchanged _ -> {}
      }
    }
  }

  /** Brings the pages on the way to a key into memory, one after the other. */
  private void load(StoreTree tree, byte[] key) {
    try {
      context.state().tree(tree).prepare(key);
    } catch (PageMissing missing) {
      loading++;
      context.loader().load(missing.page(), completion -> loaded(completion, tree, key));
    }
  }

  private void loaded(Completion<Unit> completion, StoreTree tree, byte[] key) {
    loading--;
    Invariants.check(loading >= 0, "pages that came twice", loading);
    if (failure == null && completion instanceof Completion.Done<Unit>) {
      load(tree, key);
    }
    endIfDone();
  }

  private void apply(Ahead record) {
    Invariants.check(!applying, "two records at once", record.scn());
    bytesAhead -= record.bytes();
    stepsAhead -= record.steps();
    Invariants.check(bytesAhead >= 0, "bytes that were read ahead", bytesAhead);
    applying = true;
    replay.apply(record.scn(), record.ops(), this::applied);
  }

  private void applied(Completion<Unit> completion) {
    applying = false;
    if (completion instanceof Completion.Failed<Unit>(Failure why)) {
      if (replay.isUntouched()) {
        stoppedBy = why;
        ahead.clear();
        bytesAhead = 0;
        stepsAhead = 0;
      } else {
        fail(why);
      }
    }
    if (!inStep) {
      goOn();
    }
  }

  private LogState upTo(LogState whole) {
    return new LogState(
        whole.next(), context.state().scn(), whole.trimmedPosition(), whole.marked());
  }

  private void fail(Failure why) {
    failure = failure == null ? why : failure;
  }

  private void endIfDone() {
    // Also after a failure: what is still under way would touch a state that has been given up.
    if (over || asking || applying || loading > 0) {
      return;
    }
    Failure why = failure;
    LogState state = end;
    if (why != null) {
      over = true;
      port.complete(Completion.failed(why));
    } else if (state != null && ahead.isEmpty()) {
      Invariants.check(bytesAhead == 0, "bytes of records that are not there", bytesAhead);
      over = true;
      port.complete(Completion.done(stoppedBy == null ? state : upTo(state)));
    }
  }
}
