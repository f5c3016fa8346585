package dev.upcall.txn.log;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Faults;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.txn.volume.LogPoint;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what the log says after a crash, and hands its records out one by one.
 *
 * <p>First it decides, before it hands out anything: it follows the chain of batches from the
 * superblock's point to the first one that fails. If any later batch of this lap carries a mark
 * past that place, the failed batch had been durable, and the log is {@code Corrupt}. Else that is
 * the tail. Batches before the highest mark are trusted. Those behind it were perhaps not
 * acknowledged: the extents that they name are read and checked, and the first batch that fails
 * ends the log. Those that hold are written once more, and one sync makes durable what was found
 * (the process may have died without the machine, and after a sync that failed).
 *
 * <p>It writes nothing but what is there already, so it may be repeated. Memory is bounded by the
 * window: a megabyte or the largest batch. Each upcall handles one batch at the most.
 */
public final class LogScan extends StateMachine<LogScan.State> {
  /** Where the scan stands. */
  public enum State {
    /** Nothing was asked yet. */
    NEW,
    /** Following the chain of batches to its end. */
    WALKING,
    /** Looking behind the end for a mark that proves that there should be more. */
    SEARCHING,
    /** Checking the extents named by batches that no mark proves durable. */
    VERIFYING,
    /** Making durable what was found. */
    SYNCING,
    /** Waiting to be asked for the next record. */
    READY,
    /** Reading the next batch to hand out. */
    READING,
    /** All was handed out. */
    ENDED,
    /** The log or the device is bad; said once, and again to every later question. */
    FAILED
  }

  /** The legal transitions. */
  public static final Transitions<State> TRANSITIONS =
      Transitions.of("LogScan", State.class, State.NEW)
          .on("first question", State.NEW, State.WALKING)
          .on("first bad batch", State.WALKING, State.SEARCHING)
          .on("read failed", State.WALKING, State.FAILED)
          .on("no later mark, or read as far as it goes", State.SEARCHING, State.VERIFYING)
          .on("later mark or read failed", State.SEARCHING, State.FAILED)
          .on("end is known", State.VERIFYING, State.SYNCING)
          .on("read failed", State.VERIFYING, State.FAILED)
          .on("synced", State.SYNCING, State.READING)
          .on("sync failed", State.SYNCING, State.FAILED)
          .on("record handed out", State.READING, State.READY)
          .on("question", State.READY, State.READING)
          .on("end handed out", State.READING, State.ENDED)
          .on("batch changed or read failed", State.READING, State.FAILED)
          .build();

  /** The answer to {@link #next}. */
  public sealed interface Step {
    /** The next record. */
    record Replay(LogRecord record) implements Step {}

    /** There are no more; the log goes on like this. */
    record End(LogState state) implements Step {}
  }

  /** A batch that no mark proves durable so far. */
  private record Suspect(LogPoint at, BatchHeader head, long scnBefore) {}

  private static final int SEARCH_BLOCKS_PER_UPCALL = 256;

  private final LogEnvironment env;
  private final Dispatcher dispatcher;
  private final LogPoint from;
  private final long afterScn;
  private final long limit;
  private final Faults faults;
  private final LogWindow window;
  private final ArrayDeque<Suspect> suspects = new ArrayDeque<>();

  private LogPoint point;
  private LogPoint end;
  private long lastScn;
  private long highestMark;
  private long searchPosition;
  private boolean marked = true;
  private Iterator<LogRecord> records = List.<LogRecord>of().iterator();
  private @Nullable CompletionPort<Step> asker;
  private @Nullable Failure failure;
  private boolean endsAtDamage;
  private boolean endsInTraces;
  private @Nullable Failure damage;

  /**
   * A scan.
   *
   * @param from the superblock's log point
   * @param afterScn the superblock's SCN: records up to it are skipped
   */
  public LogScan(LogEnvironment env, LogPoint from, long afterScn) {
    super(TRANSITIONS, env.dispatcher());
    this.env = env;
    this.faults = env.faults();
    this.dispatcher = env.dispatcher();
    this.from = from;
    this.afterScn = afterScn;
    this.limit = from.position() + env.layout().logBlocks();
    // Farther, since what a later lap has left may reach over the limit.
    this.window = new LogWindow(env, limit + env.layout().maxBatchBlocks());
    this.point = from;
    this.end = from;
    this.lastScn = afterScn;
    this.highestMark = from.position();
  }

  /**
   * For those who only want to read: damage that is not the tail ends the log like the tail, and is
   * {@link #damage}. What was committed after it is missing, and nothing is written anew.
   */
  public void endAtDamage() {
    endsAtDamage = true;
  }

  /** Whether behind the end a batch is there in part: not acknowledged, or damaged since. */
  public boolean endsInTraces() {
    return endsInTraces;
  }

  /** The damage at which the log ended, or null. */
  public @Nullable Failure damage() {
    return damage;
  }

  /**
   * Asks for the next record; one question at a time. The first answer takes as long as the
   * decision where the log ends. Failures: {@code Corrupt} (damage before the tail: open read-only
   * and salvage), {@code Device}.
   */
  public void next(CompletionPort<Step> port) {
    dispatcher.checkOwner();
    Invariants.check(asker == null, "one question at a time");
    if (failure != null) {
      dispatcher.complete(port, Completion.failed(failure));
      return;
    }
    asker = port;
    switch (state()) {
      case NEW -> {
        become(State.WALKING);
        dispatcher.post(this::walk);
      }
      case READY -> {
        become(State.READING);
        dispatcher.post(this::read);
      }
      case WALKING, SEARCHING, VERIFYING, SYNCING, READING, ENDED, FAILED ->
          throw new IllegalStateException("asked in state " + state());
    }
  }

  /**
   * The record that {@link #next} would hand out, at once, if it is in memory and nobody has asked;
   * else null. A whole batch is in memory: so a dispatcher's round trip for each of its records is
   * spared.
   */
  public @Nullable LogRecord poll() {
    dispatcher.checkOwner();
    return state() == State.READY ? nextInMemory() : null;
  }

  private @Nullable LogRecord nextInMemory() {
    while (records.hasNext()) {
      LogRecord record = records.next();
      if (record.scn() > afterScn) {
        return record;
      }
    }
    return null;
  }

  private void walk() {
    long at = point.position();
    if (at >= limit) {
      chainEnds();
      return;
    }
    if (!window.holds(at, 1)) {
      load(at, this::walk);
      return;
    }
    BatchHeader head = headAt(at);
    if (head == null || at + head.blocks() > limit || !belongsHere(head, point)) {
      chainEnds();
      return;
    }
    if (!window.holds(at, head.blocks())) {
      load(at, this::walk);
      return;
    }
    if (!checksumHolds(head, window.at(at))) {
      endsInTraces = true;
      chainEnds();
      return;
    }
    highestMark = Math.max(highestMark, head.mark());
    suspects.addLast(new Suspect(point, head, lastScn));
    while (!suspects.isEmpty() && endOf(suspects.getFirst()) <= highestMark) {
      suspects.removeFirst();
    }
    lastScn = Math.max(lastScn, head.lastScn());
    point = nextPoint(head, at);
    dispatcher.post(this::walk);
  }

  private void chainEnds() {
    Invariants.check(point.position() <= limit, "chain behind its lap", point.position(), limit);
    // Looked behind before anything is handed out: a tail and a damaged batch begin alike.
    end = point;
    searchPosition = point.position();
    become(State.SEARCHING);
    if (faults.has(LogFault.BAD_BLOCK_TAKEN_FOR_TAIL)) {
      searchPosition = limit;
    }
    search();
  }

  /** Looks for a batch that proves by its mark that the end cannot be here. */
  private void search() {
    long stop = Math.min(limit, searchPosition + SEARCH_BLOCKS_PER_UPCALL);
    while (searchPosition < stop) {
      if (!window.holds(searchPosition, 1)) {
        load(searchPosition, this::search);
        return;
      }
      BatchHeader head = headAt(searchPosition);
      if (head != null && provesMore(head)) {
        if (!window.holds(searchPosition, head.blocks())) {
          load(searchPosition, this::search);
          return;
        }
        if (head.crc() == head.computeCrc(window.at(searchPosition))) {
          reportDamage();
          return;
        }
      }
      searchPosition = window.nextHead(searchPosition + 1, stop);
    }
    if (searchPosition < limit) {
      dispatcher.post(this::search);
      return;
    }
    startVerifying();
  }

  private void startVerifying() {
    become(State.VERIFYING);
    verifyNext();
  }

  private boolean provesMore(BatchHeader head) {
    long ahead = head.at().position() - searchPosition;
    boolean thisLap = ahead == 0 && searchPosition + head.blocks() <= limit;
    // Written over what this superblock needs: there has been a newer one.
    boolean laterLap = ahead > 0 && ahead % env.layout().logBlocks() == 0;
    return head.volumeId() == env.volumeId()
        && (thisLap || laterLap)
        && head.at().sequence() > end.sequence()
        && head.mark() > end.position();
  }

  /** The failed batch is shown once more, so that the message can name what is wrong with it. */
  private void reportDamage() {
    long at = end.position();
    if (!window.holds(at, 1)) {
      load(at, this::reportDamage);
      return;
    }
    BatchHeader head = headAt(at);
    if (head != null && head.follows(end) && !window.holds(at, head.blocks())) {
      if (at + head.blocks() <= limit) {
        load(at, this::reportDamage);
        return;
      }
      head = null;
    }
    Failure found = LogDamage.of(env, end, at, window.at(at), head);
    if (endsAtDamage) {
      damage = found;
      startVerifying();
    } else {
      fail(found);
    }
  }

  private void verifyNext() {
    Suspect suspect = suspects.pollFirst();
    if (suspect == null) {
      startSync();
      return;
    }
    boolean unproven =
        suspect.head().has(BatchHeader.NAMES_EXTENTS)
            && !suspect.head().has(BatchHeader.EXTENTS_SYNCED)
            && !faults.has(LogFault.EXTENTS_NOT_COMPARED);
    if (unproven) {
      verify(suspect);
    } else {
      accept(suspect);
    }
  }

  private void accept(Suspect suspect) {
    marked = marked && suspect.head().recordCount() == 0;
    if (writesAnew()) {
      rewrite(suspect);
    } else {
      dispatcher.post(this::verifyNext);
    }
  }

  private boolean writesAnew() {
    return !endsAtDamage && !faults.has(LogFault.TAIL_NOT_WRITTEN_ANEW);
  }

  /** A sync that failed before may have given the batch up, and no later one will tell. */
  private void rewrite(Suspect suspect) {
    long at = suspect.at().position();
    int blocks = suspect.head().blocks();
    if (!window.holds(at, blocks)) {
      load(at, () -> rewrite(suspect));
      return;
    }
    ByteBuffer run = window.at(at).slice(0, blocks * Disk.BLOCK_BYTES);
    RingTransfer.start(
        env, RingTransfer.Kind.WRITE, at, run, CompletionPort.of(done -> verifyNext(), this::fail));
  }

  private void verify(Suspect suspect) {
    long at = suspect.at().position();
    if (!window.holds(at, suspect.head().blocks())) {
      load(at, () -> verify(suspect));
      return;
    }
    List<LogRecord> found = recordsOf(suspect.head(), at);
    if (found == null) {
      fail(LogDamage.of(env, end, at, window.at(at), suspect.head()));
      return;
    }
    // What the superblock contains is durable, and its extents may have been freed and used again.
    List<NamedExtent> named =
        found.stream()
            .filter(one -> one.scn() > afterScn)
            .flatMap(one -> one.named().stream())
            .toList();
    new ExtentVerifier(env, writesAnew())
        .verify(named, CompletionPort.of(intact -> onVerified(intact, suspect), this::fail));
  }

  private void onVerified(boolean intact, Suspect suspect) {
    if (intact) {
      accept(suspect);
    } else {
      // Those behind it too: they may stand on what this one changed.
      endsInTraces = true;
      end = suspect.at();
      lastScn = suspect.scnBefore();
      suspects.clear();
      startSync();
    }
  }

  private void startSync() {
    Invariants.check(end.position() >= from.position(), "log end", end.position());
    Invariants.check(lastScn >= afterScn, "SCN of the log", lastScn, afterScn);
    // Before the first record: what is shown from now on must survive the next power cut too.
    become(State.SYNCING);
    env.disk()
        .submit(new DiskRequest.Sync(IoClass.LOG, CompletionPort.of(this::readFrom, this::fail)));
  }

  private void readFrom(Unit synced) {
    point = from;
    become(State.READING);
    read();
  }

  /** Hands out the next record, from the batch in memory or else from the next batch. */
  private void read() {
    LogRecord record = nextInMemory();
    if (record != null) {
      become(State.READY);
      answer(Completion.done(new Step.Replay(record)));
      return;
    }
    long at = point.position();
    if (at >= end.position()) {
      Invariants.check(at == end.position(), "read past the log's end", at, end.position());
      become(State.ENDED);
      LogState found = new LogState(end, lastScn, from.position(), marked);
      answer(Completion.done(new Step.End(found)));
      return;
    }
    BatchHeader head = window.holds(at, 1) ? headAt(at) : null;
    if (head == null || !window.holds(at, head.blocks())) {
      load(at, this::readLoaded);
      return;
    }
    readLoaded();
  }

  /** The batch at the point is in memory; it was found good before, so it must be so again. */
  private void readLoaded() {
    long at = point.position();
    BatchHeader head = headAt(at);
    if (head == null
        || !belongsHere(head, point)
        || !window.holds(at, head.blocks())
        || !checksumHolds(head, window.at(at))) {
      fail(LogDamage.of(env, end, at, window.at(at), null));
      return;
    }
    List<LogRecord> found = recordsOf(head, at);
    if (found == null) {
      fail(LogDamage.of(env, end, at, window.at(at), head));
      return;
    }
    boolean half = faults.has(LogFault.HALF_A_BATCH_REPLAYED);
    records = half ? found.subList(0, (found.size() + 1) / 2).iterator() : found.iterator();
    point = nextPoint(head, at);
    dispatcher.post(this::read);
  }

  private @Nullable BatchHeader headAt(long at) {
    return BatchHeader.decode(window.at(at), env.layout().maxBatchBlocks());
  }

  private @Nullable List<LogRecord> recordsOf(BatchHeader head, long at) {
    ByteBuffer body = window.at(at).slice(BatchHeader.BYTES, head.bytes() - BatchHeader.BYTES);
    boolean trusted = at + head.blocks() <= highestMark;
    return LogFrames.decode(body, head.recordCount(), trusted);
  }

  private boolean belongsHere(BatchHeader head, LogPoint here) {
    return head.volumeId() == env.volumeId()
        && (head.follows(here) || faults.has(LogFault.POSITION_NOT_BOUND));
  }

  private boolean checksumHolds(BatchHeader head, ByteBuffer batch) {
    return faults.has(LogFault.CHECKSUM_NOT_CHECKED) || head.crc() == head.computeCrc(batch);
  }

  /**
   * Behind a batch is where it lies plus its size, also for a log that believes false positions.
   */
  private static LogPoint nextPoint(BatchHeader head, long at) {
    LogPoint next = head.next();
    return new LogPoint(at + head.blocks(), next.sequence(), next.incarnation(), next.chainCrc());
  }

  private static long endOf(Suspect suspect) {
    return suspect.at().position() + suspect.head().blocks();
  }

  private void load(long at, Runnable then) {
    window.load(at, CompletionPort.of(done -> then.run(), this::fail));
  }

  private void fail(Failure why) {
    become(State.FAILED);
    failure = why;
    answer(Completion.failed(why));
  }

  private void answer(Completion<Step> completion) {
    CompletionPort<Step> port = Invariants.present(asker, "somebody who asked");
    asker = null;
    dispatcher.complete(port, completion);
  }
}
