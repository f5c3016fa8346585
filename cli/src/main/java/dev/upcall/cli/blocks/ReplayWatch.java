package dev.upcall.cli.blocks;

import dev.upcall.base.ThreadEnd;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.replay.ReplayCounts;
import dev.upcall.io.replay.TraceReplay;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Says how far a replay is, and ends it when the user asks for that; on a thread of its own. */
final class ReplayWatch implements AutoCloseable {
  private static final long LOOK_MILLIS = 100;
  private static final int LOOKS_A_LINE = 50;

  private final BlocksCommand.Surroundings around;
  private final Dispatcher dispatcher;
  private final TraceReplay replay;
  private final long entries;
  private final CountDownLatch over = new CountDownLatch(1);
  private final Thread thread;
  private volatile boolean isStopped;

  ReplayWatch(
      BlocksCommand.Surroundings around,
      Dispatcher dispatcher,
      TraceReplay replay,
      TraceOutline outline) {
    this.around = around;
    this.dispatcher = dispatcher;
    this.replay = replay;
    this.entries = outline.entries();
    this.thread = Thread.ofPlatform().daemon().name("upcall replay watch").unstarted(this::run);
    thread.start();
  }

  /** Whether the user has asked for the end. */
  boolean isStopped() {
    return isStopped;
  }

  private void run() {
    try {
      for (int looks = 1; !over.await(LOOK_MILLIS, TimeUnit.MILLISECONDS); looks++) {
        if (around.stop().test(0)) {
          isStopped = true;
          dispatcher.execute(replay::stop);
          return;
        }
        if (looks % LOOKS_A_LINE == 0) {
          dispatcher.execute(this::say);
        }
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
  }

  /** On the replay's thread, which has time for a line each five seconds. */
  private void say() {
    ReplayCounts counts = replay.counts();
    around.say(
        String.format(
            Locale.ROOT,
            "replay: %d of %d requests, %.0f s",
            counts.played() + counts.skipped(),
            entries,
            counts.tookNanos() / 1e9));
  }

  @Override
  public void close() {
    over.countDown();
    ThreadEnd.await(thread);
  }
}
