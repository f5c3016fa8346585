package dev.upcall.io.replay;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.meter.Distribution;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.io.trace.TraceEntry;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Plays entries of a trace on a disk. They are fed piece by piece, so that a trace of any length
 * takes little memory; who feeds hears when more is wanted. What is read goes into one buffer and
 * is looked at by nobody; what is written is the same bytes for all.
 *
 * <p>An entry that is larger than the disk takes at once goes in parts. Entries that make room or
 * cut the end are left out: the disk stays as long as it is.
 *
 * <p>An entry that is due while as many as may be are under way waits for them. When half of those
 * are of the background, it is the background that it waits for, which becomes foreground work
 * ({@link Disk#lift}) as that of a store does: else the rests of what nobody waited for would be
 * the pace of all.
 */
public final class TraceReplay {
  /** So many entries wait at least before no more are wanted. */
  private static final int WANTED = 4096;

  private static final int MAX_BLOCKS = Disk.MAX_TRANSFER_BYTES / Disk.BLOCK_BYTES;

  /** Does not compress to nothing on a device that tries. */
  private static final long PATTERN = 0x9E37_79B9_7F4A_7C15L;

  private final Dispatcher dispatcher;
  private final Disk disk;
  private final ReplayConfig config;
  private final ByteBuffer into = Disk.newBuffer(Disk.MAX_TRANSFER_BYTES);
  private final ByteBuffer from = Disk.newBuffer(Disk.MAX_TRANSFER_BYTES);
  private final ArrayDeque<TraceEntry> waiting = new ArrayDeque<>();
  private final Distribution reads = new Distribution();
  private final Distribution writes = new Distribution();
  private final Distribution others = new Distribution();
  private final Distribution late = new Distribution();
  private @Nullable CompletionPort<Unit> feeder;
  private @Nullable CompletionPort<ReplayCounts> finisher;
  private Dispatcher.@Nullable Timer timer;
  private boolean isStopped;
  private int inFlight;

  /** Of those under way, how many are of the background and were not lifted. */
  private int resting;

  /** Entries up to this number were lifted, as far as they are of the background. */
  private long liftedUpTo;

  private long played;
  private long skipped;
  private long done;
  private long failed;
  private String failure = "";
  private long firstEntryNanos;
  private long beganNanos;
  private long endedNanos;

  /** Nothing is played yet, on a disk that stays its caller's. */
  public TraceReplay(Dispatcher dispatcher, Disk disk, ReplayConfig config) {
    this.dispatcher = dispatcher;
    this.disk = disk;
    this.config = config;
    for (int at = 0; at < from.capacity(); at += Long.BYTES) {
      from.putLong(at, PATTERN * (at + 1));
    }
  }

  /**
   * More entries, in the order of their times; completes when more are wanted. One call at a time.
   */
  public void feed(List<TraceEntry> more, CompletionPort<Unit> port) {
    dispatcher.checkOwner();
    Invariants.check(feeder == null && finisher == null, "fed twice at once, or behind its end");
    for (TraceEntry entry : more) {
      if (isPlayed(entry)) {
        waiting.addLast(entry);
      } else {
        skipped++;
      }
    }
    feeder = port;
    send();
  }

  private boolean isPlayed(TraceEntry entry) {
    return switch (entry.operation()) {
      case READ -> true;
      case WRITE, DURABLE_WRITE, SYNC, DISCARD -> config.writes();
      case ALLOCATE, SHRINK, STAT -> false;
    };
  }

  /** Nothing more comes; completes when all has been answered, with what has come of it. */
  public void finish(CompletionPort<ReplayCounts> port) {
    dispatcher.checkOwner();
    Invariants.check(feeder == null && finisher == null, "ended twice, or while it is fed");
    finisher = port;
    endIfDone();
  }

  /** What waits is not sent any more; what was sent is awaited by {@link #finish}. */
  public void stop() {
    dispatcher.checkOwner();
    isStopped = true;
    waiting.clear();
    send();
    endIfDone();
  }

  /** What has come of it so far. */
  public ReplayCounts counts() {
    long end = inFlight > 0 || endedNanos == 0 ? dispatcher.upcallNanos() : endedNanos;
    return new ReplayCounts(
        played,
        skipped,
        done,
        failed,
        failure,
        reads.snapshot(),
        writes.snapshot(),
        others.snapshot(),
        late.snapshot(),
        played == 0 ? 0 : Math.max(0, end - beganNanos));
  }

  private void send() {
    long pauseNanos = 0;
    while (pauseNanos == 0 && inFlight < config.depth() && !waiting.isEmpty()) {
      pauseNanos = untilDueNanos(waiting.getFirst());
      if (pauseNanos == 0) {
        play(waiting.removeFirst());
      }
    }
    TraceEntry next = waiting.peekFirst();
    if (next != null && inFlight >= config.depth() && 2 * resting >= config.depth()) {
      pauseNanos = Math.max(0, dueNanos(next) - dispatcher.upcallNanos());
      if (pauseNanos == 0) {
        lift();
      }
    }
    if (pauseNanos > 0 && (timer == null || !timer.isPending())) {
      timer = dispatcher.schedule(pauseNanos, this::send);
    }
    CompletionPort<Unit> hungry = feeder;
    if (hungry != null && (waiting.size() < WANTED || isStopped)) {
      feeder = null;
      dispatcher.complete(hungry, Completion.done());
    }
  }

  /** The background among those under way is waited for from now on. */
  private void lift() {
    liftedUpTo = played;
    resting = 0;
    disk.lift();
  }

  /** How long an entry still has to wait; 0 if it is due, by now. */
  private long untilDueNanos(TraceEntry entry) {
    long now = dispatcher.upcallNanos();
    if (played == 0) {
      firstEntryNanos = entry.timeNanos();
      beganNanos = now;
    }
    long due = dueNanos(entry);
    if (due > now) {
      return due - now;
    }
    if (config.speed() > 0) {
      late.record(now - due);
    }
    return 0;
  }

  /** When an entry is to be sent; at the begin, where all go as fast as they can. */
  private long dueNanos(TraceEntry entry) {
    return config.speed() == 0
        ? beganNanos
        : beganNanos + (long) ((entry.timeNanos() - firstEntryNanos) / config.speed());
  }

  private void play(TraceEntry entry) {
    played++;
    inFlight++;
    if (entry.ioClass() == IoClass.BACKGROUND) {
      resting++;
    }
    TraceEntry.Run run = config.scale().place(entry.run());
    long parts = Math.max(1, (run.blocks() + MAX_BLOCKS - 1) / MAX_BLOCKS);
    boolean isWhole =
        switch (entry.operation()) {
          case READ, WRITE, DURABLE_WRITE -> false;
          default -> true;
        };
    PlayedEntry sent =
        new PlayedEntry(
            this, entry, played, dispatcher.clock().monotonicNanos(), isWhole ? 1 : (int) parts);
    if (isWhole) {
      disk.submit(
          switch (entry.operation()) {
            case DISCARD ->
                new DiskRequest.Discard(run.block(), run.blocks(), entry.ioClass(), sent);
            default -> new DiskRequest.Sync(entry.ioClass(), sent);
          });
      return;
    }
    for (long at = run.block(); at < run.end(); at += MAX_BLOCKS) {
      disk.submit(transfer(entry, at, (int) Math.min(MAX_BLOCKS, run.end() - at), sent));
    }
  }

  private DiskRequest transfer(TraceEntry entry, long block, int blocks, PlayedEntry sent) {
    int length = blocks * Disk.BLOCK_BYTES;
    IoClass ioClass = entry.ioClass();
    return switch (entry.operation()) {
      case READ -> new DiskRequest.Read(block, List.of(into.slice(0, length)), ioClass, sent);
      case DURABLE_WRITE ->
          new DiskRequest.DurableWrite(block, List.of(from.slice(0, length)), ioClass, sent);
      default -> new DiskRequest.Write(block, List.of(from.slice(0, length)), ioClass, sent);
    };
  }

  /** The disk is done with an entry. */
  void answered(PlayedEntry entry) {
    inFlight--;
    if (entry.entry().ioClass() == IoClass.BACKGROUND && entry.number() > liftedUpTo) {
      resting--;
    }
    done++;
    endedNanos = dispatcher.upcallNanos();
    if (!entry.failure().isEmpty()) {
      failed++;
      failure = failure.isEmpty() ? entry.failure() : failure;
    }
    long took = dispatcher.clock().monotonicNanos() - entry.sentNanos();
    switch (entry.entry().operation()) {
      case READ -> reads.record(took);
      case WRITE, DURABLE_WRITE -> writes.record(took);
      default -> others.record(took);
    }
    send();
    endIfDone();
  }

  private void endIfDone() {
    CompletionPort<ReplayCounts> end = finisher;
    if (end != null && inFlight == 0 && waiting.isEmpty()) {
      finisher = null;
      dispatcher.complete(end, Completion.done(counts()));
    }
  }
}
