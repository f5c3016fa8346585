package dev.upcall.txn.engine;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.config.PlaceConfig;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.pressure.Pressure;
import dev.upcall.pressure.Scarce;
import dev.upcall.segment.ContentReader;
import dev.upcall.segment.Overlay;
import dev.upcall.segment.StagerConfig;
import dev.upcall.segment.layout.LayoutBuilder;
import dev.upcall.segment.space.SpaceManager;
import dev.upcall.space.FreeMap;
import dev.upcall.tree.PageCache;
import dev.upcall.txn.SegmentChange;
import dev.upcall.txn.Store;
import dev.upcall.txn.View;
import dev.upcall.txn.change.AsyncCommits;
import dev.upcall.txn.change.Plan;
import dev.upcall.txn.change.RoomNeed;
import dev.upcall.txn.change.Verdict;
import dev.upcall.txn.lock.LockKey;
import dev.upcall.txn.lock.LockOwner;
import dev.upcall.txn.lock.LockTable;
import dev.upcall.txn.lock.Purpose;
import dev.upcall.txn.state.StoreContext;
import dev.upcall.txn.state.StoreState;
import java.nio.ByteBuffer;

/**
 * A store's state for an engine of threads: looking, planning and applying as plain steps, which do
 * no I/O and take no lock. What must hold while they are called is said at each. The machines of
 * the same state run in upcalls of the {@link #dispatcher}, during which nothing here may be called
 * but by the dispatcher's thread.
 */
public final class SharedState {
  private final StoreEngine engine;
  private final StoreContext context;
  private final StoreState state;
  private final View view;
  private final AsyncCommits asyncCommits;

  SharedState(StoreEngine engine) {
    this.engine = engine;
    this.context = engine.context();
    this.state = context.state();
    this.view = engine.view();
    this.asyncCommits = new AsyncCommits(context.config().loss(), context.faults());
  }

  /** The store of the machines, for its dispatcher's thread. */
  public Store store() {
    return engine;
  }

  /** Who runs the machines. Any thread. */
  public Dispatcher dispatcher() {
    return context.dispatcher();
  }

  /** What the state is. While nobody applies; its methods may throw {@code PageMissing}. */
  public View view() {
    return view;
  }

  /** What is unplaced of a segment; not retained. While nobody applies. */
  public Overlay overlay(long segment) {
    return state.segments().overlay(segment);
  }

  /** Tree pages in memory. While nobody looks or applies. */
  public PageCache pages() {
    return state.pages();
  }

  /** Finds content; extent trees while nobody applies, and one look at a time. */
  public ContentReader reader() {
    return context.reader();
  }

  /** The free-space map: one at a time. */
  public FreeMap map() {
    return state.map();
  }

  /** Finds space. The dispatcher's thread. */
  public SpaceManager space() {
    return context.space();
  }

  /** Builds layouts of large content. The dispatcher's thread. */
  public LayoutBuilder newLayout() {
    return new LayoutBuilder(engine.access().layouts());
  }

  /** The limits of new content. Any thread. */
  public StagerConfig stager() {
    return context.config().stager();
  }

  /** How much new content may be on its way at once. Any thread. */
  public int maxStagers() {
    return context.config().maxStagers();
  }

  /** How further content waits for its place. Any thread. */
  public PlaceConfig places() {
    return context.config().places();
  }

  /**
   * What planning says of a change; for room in its log and on the volume see {@link #room}. While
   * nobody applies.
   */
  public <T> Verdict<T> plan(SegmentChange<T> change) {
    return Plan.of(
        change, context, engine, Plan.Isolation.of(engine, change.lockOwner(), context.faults()));
  }

  /**
   * What room there is for a plan, as long as nobody takes blocks. One at a time, and while nobody
   * applies.
   *
   * @param inLog whether there is room in the log
   */
  public Verdict.Room room(Plan<?> plan, boolean inLog) {
    return plan.room(context, inLog);
  }

  /** The log record of a plan, until the next call. While nobody applies, and one at a time. */
  public ByteBuffer record(Plan<?> plan) {
    return context.records().encode(plan.ops());
  }

  /**
   * Applies a plan that nothing lacks; its SCN is then that of the {@link #view}. Alone: nobody
   * looks, plans, applies or uses the map.
   */
  public void apply(Plan<?> plan) {
    plan.apply(state, engine.newestChanges(), engine.feed());
    plan.runApplied();
    engine.feed().tell();
  }

  /** Whether the machines want to hear of an applied plan. While nobody applies. */
  public boolean wantsToHear(Plan<?> plan) {
    return plan.leavesOrphan()
        || engine.wantsAnyChange()
        || state.segments().unplacedBlocks() >= context.pressure().at(Scarce.UNPLACED).workAt();
  }

  /** Something was applied that the machines want to hear of. The dispatcher's thread. */
  public void applied(boolean leftOrphan) {
    engine.applied(leftOrphan);
  }

  /**
   * Completes when there may be so much more unplaced content. The dispatcher's thread.
   *
   * @param moreBlocks what the verdict said
   */
  public void whenPlaced(long moreBlocks, CompletionPort<Unit> port) {
    Pressure pressure = context.pressure();
    pressure.await(Scarce.UNPLACED, new RoomNeed.LessUnplaced(pressure, moreBlocks), port);
  }

  /** Completes when there may be more changed tree pages. The dispatcher's thread. */
  public void whenPagesAreWritten(CompletionPort<Unit> port) {
    Pressure pressure = context.pressure();
    pressure.await(Scarce.PAGES, new RoomNeed.FewerPages(pressure), port);
  }

  /**
   * Completes when a transaction that has locked a key has given it back. The dispatcher's thread.
   *
   * @param purpose what is to be changed, for messages
   */
  public void whenUnlocked(LockKey key, Purpose purpose, CompletionPort<Unit> port) {
    LockTable locks = engine.locks();
    LockOwner turn = LockOwner.standingAlone("a call");
    locks.acquire(
        turn,
        key,
        purpose,
        completion -> {
          locks.release(turn);
          port.complete(completion);
        });
  }

  /**
   * Whether a plan that was applied may be acknowledged before it is durable; if so {@link
   * #earlyIsDurable} must follow, in the order of these calls. One at a time.
   */
  public boolean acknowledgeEarly(Plan<?> plan, long nowNanos) {
    return asyncCommits.admit(plan.recordBytes() + plan.savedBytes(), plan.ops(), nowNanos);
  }

  /** The oldest of what was acknowledged early is durable. One at a time. */
  public void earlyIsDurable() {
    asyncCommits.durable();
  }
}
