package dev.upcall.sim.drive;

import dev.upcall.base.Clock;
import dev.upcall.io.DiskRequest;
import dev.upcall.sim.ServiceTime;
import dev.upcall.sim.SimReactor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A drive at work: the heads do one thing at a time. What the memory can answer does not wait for
 * them. When they are free, a sync or a full cache gets every second turn, commands the others;
 * when nothing is asked for they write what the cache holds.
 */
final class Drive implements ServiceTime {
  private final DriveConfig config;
  private final SimReactor reactor;
  private final Clock clock;
  private final Mechanism mechanism;
  private final ReadSegments segments;
  private final UnwrittenBlocks unwritten;

  /** What the drive knows of, in the order of arrival. */
  private final List<Command> queue = new ArrayList<>();

  private final ArrayDeque<Command> outside = new ArrayDeque<>();

  /** Writes for which the cache has no room yet. */
  private final ArrayDeque<Command> unstored = new ArrayDeque<>();

  private boolean busy;
  private boolean wroteLast;
  private long freeSinceNanos;

  /** A request for the medium: blocks [first, end). */
  private record Command(
      boolean reads,
      long first,
      long end,
      long arrivedNanos,
      LongUnaryOperator disturbed,
      Runnable done) {}

  Drive(DriveConfig config, SimReactor reactor, Clock clock) {
    this.config = config;
    this.reactor = reactor;
    this.clock = clock;
    this.mechanism = config.geometry().mechanism();
    this.segments = new ReadSegments(config.readAhead(), mechanism);
    this.unwritten = new UnwrittenBlocks(config.cache().blocks());
  }

  @Override
  public void serve(DiskRequest request, LongUnaryOperator disturbed, Runnable done) {
    long first = request.firstBlock();
    long end = first + request.blocks();
    boolean reads = request instanceof DiskRequest.Read;
    Command command = new Command(reads, first, end, now(), disturbed, done);
    switch (request) {
      case DiskRequest.Read read -> read(command);
      case DiskRequest.Write write -> write(command);
      case DiskRequest.DurableWrite write -> toMedium(command);
      case DiskRequest.Sync sync -> sync(command);
      case DiskRequest.Discard discard -> {
        forget(first, end);
        answer(command);
      }
      case DiskRequest.Shrink shrink -> {
        forget(first, Long.MAX_VALUE);
        answer(command);
      }
      case DiskRequest.Allocate _, DiskRequest.Stat _ -> answer(command);
    }
  }

  @Override
  public boolean isRotating() {
    return true;
  }

  private void read(Command command) {
    if (unwritten.holds(command.first, command.end)
        || segments.holds(command.first, command.end, now())) {
      answer(command);
    } else {
      toMedium(command);
    }
  }

  private void write(Command command) {
    if (config.cache().blocks() == 0) {
      toMedium(command);
    } else if (unstored.isEmpty() && unwritten.take(command.first, command.end)) {
      segments.forget(command.first, command.end, now());
      answer(command);
      goOn();
    } else {
      unstored.addLast(command);
      goOn();
    }
  }

  private void sync(Command command) {
    if (unwritten.isEmpty()) {
      answer(command);
    } else {
      unwritten.flush(() -> answer(command));
      goOn();
    }
  }

  /** Done without the medium. */
  private void answer(Command command) {
    reactor.after(command.disturbed.applyAsLong(config.electronicNanos()), command.done);
  }

  private void toMedium(Command command) {
    outside.addLast(command);
    goOn();
  }

  /** Gives the heads something to do, if they are free. */
  private void goOn() {
    while (queue.size() < config.commands().depth() && !outside.isEmpty()) {
      queue.add(outside.removeFirst());
    }
    if (busy) {
      return;
    }
    boolean mustWrite = unwritten.isWanted() || !unstored.isEmpty();
    if (mustWrite && !(wroteLast && !queue.isEmpty())) {
      writeOut();
    } else if (!queue.isEmpty()) {
      wroteLast = false;
      start(next());
    } else if (!unwritten.isEmpty()) {
      writeOutWhenIdle();
    }
  }

  private Command next() {
    Command oldest = queue.getFirst();
    boolean impatient = now() - oldest.arrivedNanos > config.commands().patienceNanos();
    Command best = oldest;
    if (config.commands().order() == DriveConfig.Order.SHORTEST_ACCESS && !impatient) {
      long least = Long.MAX_VALUE;
      for (Command command : queue) {
        long nanos = mechanism.accessNanos(now(), command.first);
        if (nanos < least) {
          least = nanos;
          best = command;
        }
      }
    }
    queue.remove(best);
    return best;
  }

  private void start(Command command) {
    long coming = command.reads ? segments.comingNanos(command.first, command.end, now()) : -1;
    if (coming < 0) {
      segments.stop(now());
    }
    long nanos = coming < 0 ? mediumNanos(command.first, command.end) : coming;
    long disturbed = command.disturbed.applyAsLong(nanos);
    occupy(
        nanos,
        () -> {
          mechanism.moveTo(command.end);
          if (command.reads) {
            segments.read(command.first, command.end, now());
          } else {
            forget(command.first, command.end);
          }
        },
        disturbed > nanos ? null : command.done);
    if (disturbed > nanos) {
      reactor.after(disturbed, command.done);
    }
  }

  private void writeOut() {
    wroteLast = true;
    segments.stop(now());
    UnwrittenBlocks.Run run = unwritten.leave(mechanism.head(), config.cache().runBlocks());
    occupy(
        mediumNanos(run.first(), run.end()),
        () -> {
          mechanism.moveTo(run.end());
          unwritten.left();
          storeWhatWaits();
        },
        null);
  }

  /** The memory holds nothing of blocks [first, end) any more. */
  private void forget(long first, long end) {
    segments.forget(first, end, now());
    unwritten.forget(first, end);
    storeWhatWaits();
  }

  private void storeWhatWaits() {
    for (Command next = unstored.peekFirst();
        next != null && unwritten.take(next.first, next.end);
        next = unstored.peekFirst()) {
      unstored.removeFirst();
      segments.forget(next.first, next.end, now());
      answer(next);
    }
  }

  private void writeOutWhenIdle() {
    long idleNanos = config.cache().idleNanos();
    long since = freeSinceNanos;
    reactor.after(
        Math.max(0, since + idleNanos - now()),
        () -> {
          if (!busy && freeSinceNanos == since && !unwritten.isEmpty()) {
            writeOut();
          }
        });
  }

  private long mediumNanos(long first, long end) {
    return mechanism.accessNanos(now(), first) + mechanism.passNanos(first, end);
  }

  /** The heads have work for so long; then {@code arrived}, and who waits for it hears of it. */
  private void occupy(long nanos, Runnable arrived, @Nullable Runnable done) {
    busy = true;
    reactor.after(
        nanos,
        () -> {
          busy = false;
          freeSinceNanos = now();
          arrived.run();
          // What is asked for in answer is known before the heads choose.
          if (done != null) {
            done.run();
          }
          goOn();
        });
  }

  private long now() {
    return clock.monotonicNanos();
  }
}
