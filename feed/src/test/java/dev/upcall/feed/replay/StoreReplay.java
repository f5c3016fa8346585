package dev.upcall.feed.replay;

import dev.upcall.FileManager;
import dev.upcall.FileManagerConfig;
import dev.upcall.completion.Unit;
import dev.upcall.feed.FlightSource;
import dev.upcall.feed.replay.StoreInputs.DiskDone;
import dev.upcall.feed.replay.StoreInputs.Due;
import dev.upcall.feed.replay.StoreInputs.Progress;
import dev.upcall.feed.replay.StoreInputs.Turn;
import dev.upcall.feed.replay.StoreInputs.Until;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.fsm.record.FlightRecord;
import dev.upcall.io.Disk;
import dev.upcall.journal.trace.TraceRecord;
import dev.upcall.journal.trace.TraceSource;
import dev.upcall.sim.EvenTime;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreConfig;
import dev.upcall.txn.StoreOptions;
import dev.upcall.txn.engine.StoreAssembly;
import dev.upcall.txn.engine.Stores;
import dev.upcall.txn.volume.VolumeLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/**
 * Gives the calls of a recording to a new store on a simulated disk, each in its turn and at its
 * time, and lets the disk be done with requests in the recorded order. Who asks, and all else that
 * takes time, is not there: what is compared is what the machines do.
 */
final class StoreReplay {
  private static final long SEED = 1;
  private static final long MIN_LOG_BYTES = 1L << 20;
  private static final long MAX_LOG_BYTES = 64L << 20;
  private static final long INITIAL_BLOCKS = 2048;

  /** The step in which time passes while nothing comes in. */
  private static final long STEP_NANOS = 1_000_000;

  /** No checkpoint rests for more steps. */
  private static final int MOST_RESTS = 100;

  /** No end of what a recording asks takes more steps. */
  private static final int MOST_STEPS = 10_000;

  private final StoreInputs inputs;
  private final SimWorld world;
  private final HeldDisk disk;
  private final FileManager files;
  private final Caller caller;
  private final TraceSource.Cursor records;
  private final Moves moves = new Moves();
  private final List<TraceRecord> taken = new ArrayList<>();
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private int position;
  private int ended;
  private long upcalls;
  private long posted;
  private long released;
  private boolean isLooking;
  private boolean isCheckpointing;
  private boolean isHeldUp;
  private boolean isLetGoOn;

  /**
   * What is not asked yet.
   *
   * @param released how many completions of the device came before
   */
  private record Waiting(Due due, long released) {}

  private StoreReplay(StoreInputs inputs, UnaryOperator<Disk> broken) throws IOException {
    this.inputs = inputs;
    TraceRecord begin = inputs.store();
    long cap = begin.more() / Disk.BLOCK_BYTES;
    // As a new volume with such a cap has it.
    long log = Math.clamp(begin.more() / 16, MIN_LOG_BYTES, MAX_LOG_BYTES) / Disk.BLOCK_BYTES;
    VolumeLayout layout = new VolumeLayout((int) log, VolumeLayout.MAX_MAP_CHUNK_BLOCKS, cap);
    long initial = Math.min(cap, layout.dataStart() + INITIAL_BLOCKS);
    world =
        new SimWorld(
                SEED, new SimDiskConfig("replay", 0, cap, new EvenTime(1, 1), Disk.BLOCK_BYTES))
            .closesUnchecked("a replay ends where its recording does");
    Dispatcher dispatcher = world.dispatcher();
    disk = new HeldDisk(world.disk(), broken, dispatcher);
    Stores.Format format = new Stores.Format(SEED, layout, initial, cap);
    world.<Unit>get(port -> Stores.format(dispatcher, disk, format, port));
    StoreOptions options =
        new StoreOptions(StoreConfig.ofMemory(begin.number()), 0, 0, new SplittableRandom(SEED));
    Disk scheduled = StoreAssembly.scheduled(disk, dispatcher);
    Store store = world.get(port -> Stores.open(dispatcher, scheduled, options, port));
    files = world.get(port -> FileManager.open(store, FileManagerConfig.DEFAULT, port));
    if (store.info().scn() != begin.extra()) {
      throw new Refused(
          "the store was not new when its recording began: commit %d, of a new one %d"
              .formatted(begin.extra(), store.info().scn()));
    }
    caller = new Caller(files, inputs.names());
    FlightSource source = FlightSource.of(dispatcher);
    records = TraceSource.following(source, source.recordsKept());
    records.read(_ -> {});
  }

  /** Replays a recording on the store as it is. */
  static Result run(TraceSource recording) throws IOException {
    return run(recording, UnaryOperator.identity());
  }

  /**
   * The same with something between the store and its disk.
   *
   * @param broken what the store gets for the disk when the calls begin
   */
  static Result run(TraceSource recording, UnaryOperator<Disk> broken) throws IOException {
    StoreInputs inputs = StoreInputs.read(recording);
    if (inputs.isEmpty()) {
      throw new Refused(
          inputs.stop() == null
              ? "nothing was asked"
              : "nothing can be asked again: first comes " + inputs.stop());
    }
    StoreReplay replay = opened(inputs, broken);
    try {
      replay.turns();
    } catch (UncheckedIOException refused) {
      throw refused.getCause();
    }
    return Result.of(inputs, replay.moves, replay.caller);
  }

  private static StoreReplay opened(StoreInputs inputs, UnaryOperator<Disk> broken)
      throws IOException {
    try {
      return new StoreReplay(inputs, broken);
    } catch (RuntimeException | AssertionError thrown) {
      throw new Broken("%s, when it was opened".formatted(thrown), thrown);
    }
  }

  private void turns() throws IOException {
    disk.hold();
    // Expiries and conditions may name moments.
    world.clock().jumpEpoch(inputs.epochNanos() - world.clock().epochNanos());
    long shift = world.clock().monotonicNanos() - inputs.store().atNanos();
    for (Turn turn : inputs.turns()) {
      long now = world.clock().monotonicNanos();
      // What the disk has got is done at the next turn, and held until the recording says so.
      world.clock().advance(Math.max(1, turn.atNanos() + shift - now));
      world.reactor().reap(Integer.MAX_VALUE);
      comeIn(turn.events());
      int submitted = disk.submitted();
      BooleanSupplier isOver = () -> turn.isCut() && hasCome(turn.until(), submitted);
      world.reactor().submissionDue(() -> endsBehindUpcall(isOver));
      turn(turn, isOver);
    }
    if (isBehind()) {
      disk.letGo();
      for (int step = 0; step < MOST_STEPS && isBehind(); step++) {
        step();
      }
    }
  }

  /**
   * A call is not due, and nothing that could make it so is under way: here, somebody waits for
   * what goes on in the background, which takes other times than it did, or for a write that was
   * shared with others there. So time passes, and when that does not help what the device holds is
   * done before its turn. Nothing else is asked before.
   */
  private void letOthersGoOn() {
    isHeldUp = false;
    isLetGoOn = true;
    int idle = 0;
    for (int step = 0; step < MOST_STEPS && !waiting.isEmpty(); step++) {
      idle = step() ? 0 : idle + 1;
      boolean rests = idle < MOST_RESTS && (isCheckpointing || moves.isRoomAwaited());
      if (idle > 0 && !rests && !disk.releaseOldest()) {
        caller.perform(waiting.remove().due().event());
      }
      askWhatIsDue();
    }
    isLetGoOn = false;
  }

  /** Time passes, and nothing comes in. Whether there were upcalls. */
  private boolean step() {
    long before = upcalls;
    world.reactor().submissionDue(() -> endsBehindUpcall(() -> false));
    world.clock().advance(STEP_NANOS);
    world.reactor().reap(Integer.MAX_VALUE);
    world.dispatcher().turn(false);
    takeMoves();
    return upcalls > before;
  }

  /** Whether a request has not come as far as it had come in the end. */
  private boolean isBehind() {
    return caller.ids().entrySet().stream()
        .anyMatch(id -> moves.of(id.getValue()).size() < inputs.moves().of(id.getKey()).size());
  }

  private boolean endsBehindUpcall(BooleanSupplier isOver) {
    upcalls++;
    askWhatIsDue();
    return isOver.getAsBoolean();
  }

  /** What the device has done comes in upcalls; who asks waits for those before, and for moves. */
  private void comeIn(List<Due> events) {
    long before = posted;
    for (Due due : events) {
      if (due.event() instanceof DiskDone(TraceRecord done)) {
        posted++;
        world.dispatcher().post(() -> isDone(done));
      } else {
        waiting.add(new Waiting(due, due.done() == 0 ? 0 : before + due.done()));
      }
    }
  }

  private void isDone(TraceRecord done) {
    released++;
    disk.release(
        new HeldDisk.Done(
            TraceRecord.text(inputs.names(), done.name()),
            TraceRecord.text(inputs.names(), done.from()),
            done.extra(),
            done.more()),
        FlightRecord.isBackground(done.request()));
  }

  /**
   * Before the first upcall and behind each: asks, in its order, what waits until all has come as
   * far as it had come in the recording.
   */
  private void askWhatIsDue() {
    for (Waiting one = waiting.peek(); one != null && isDue(one); one = waiting.peek()) {
      caller.perform(waiting.remove().due().event());
    }
    if (!waiting.isEmpty() && !isLooking && !isHeldUp && !isLetGoOn) {
      isLooking = true;
      long before = upcalls;
      world.dispatcher().post(() -> lookAgain(before));
    }
  }

  /** Where no other upcall has run meanwhile, there is none that could bring a request further. */
  private void lookAgain(long before) {
    isLooking = false;
    isHeldUp = upcalls == before && !waiting.isEmpty() && !isLetGoOn;
  }

  private boolean isDue(Waiting one) {
    Due due = one.due();
    if (released < one.released()) {
      return false;
    }
    takeMoves();
    return hasMoved(new Progress(due.event().request(), due.moves()))
        && hasMoved(due.last())
        && haveEnded(due.ends());
  }

  /** Whether the calls that had ended first have ended, as far as they were asked. */
  private boolean haveEnded(int calls) {
    while (ended < calls && hasEnded(inputs.moves().end(ended))) {
      ended++;
    }
    return ended >= calls;
  }

  private boolean hasEnded(Moves.End end) {
    long here = caller.ids().getOrDefault(end.request(), FlightRecorder.NOBODY);
    return here == FlightRecorder.NOBODY || moves.haveEnded(here, end.calls());
  }

  private boolean hasCome(Until until, int submittedBefore) {
    if (until.requests() > 0) {
      return disk.submitted() >= submittedBefore + until.requests();
    }
    takeMoves();
    return hasMoved(until.last());
  }

  private boolean hasMoved(Progress there) {
    long here = caller.ids().getOrDefault(there.request(), FlightRecorder.NOBODY);
    return there.moves() == 0
        || here != FlightRecorder.NOBODY && moves.of(here).size() >= there.moves();
  }

  private void turn(Turn turn, BooleanSupplier isOver) throws IOException {
    try {
      upcalls++;
      askWhatIsDue();
      // Who asked first was an upcall, behind which this turn may have ended.
      if (!isOver.getAsBoolean()) {
        world.dispatcher().turn(false);
      }
      takeMoves();
      if (isHeldUp) {
        letOthersGoOn();
      }
    } catch (UncheckedIOException refused) {
      throw refused;
    } catch (RuntimeException | AssertionError thrown) {
      throw new Broken(
          "%s, in the turn of record %,d, after %,d calls"
              .formatted(thrown, turn.first() + 1, caller.calls()),
          thrown);
    }
  }

  private void takeMoves() {
    taken.clear();
    world.dispatcher().recorder().ring().publish();
    try {
      records.read(taken::add);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    if (records.missing() > 0) {
      throw new UncheckedIOException(
          new IOException("a turn with more records than the recorder keeps"));
    }
    for (TraceRecord one : taken) {
      isCheckpointing = Moves.isCheckpointing(one, records.names(), isCheckpointing);
      moves.take(position++, one, records.names());
    }
  }
}
