package dev.upcall.specweb.load;

import dev.upcall.specweb.FileSet;
import dev.upcall.specweb.draw.Draws;

/** Somebody who asks for files. All of it happens on the loop's thread. */
public abstract class Worker {
  /** After a failed request its worker rests, so that a server that is gone costs no processor. */
  static final long REST_NANOS = 10_000_000;

  private final LoadContext context;
  private final Draws draws;
  private boolean stopped;

  /** A worker that asks for the files of a sequence. */
  protected Worker(LoadContext context, Draws draws) {
    this.context = context;
    this.draws = draws;
  }

  /** Begins at a time of the loop's clock. */
  public abstract void start(long atNanos);

  /** Asks for nothing more; what is outstanding is still counted. */
  public final void stop() {
    stopped = true;
  }

  /** Hears of an answer after it was counted. */
  abstract void answered(long nowNanos, Answer answer);

  final boolean isStopped() {
    return stopped;
  }

  final LoadContext context() {
    return context;
  }

  final void at(long nanos, Runnable task) {
    context.loop().at(nanos, task);
  }

  /** Sends the next request, which should have been sent at {@code intendedNanos}. */
  final void issue(long intendedNanos, long nowNanos) {
    FileSet.Entry entry = draws.next();
    Recorder recorder = context.recorder();
    recorder.issued(nowNanos);
    context
        .requester()
        .get(
            entry,
            answer -> {
              long now = context.loop().nanoTime();
              recorder.answered(
                  new Recorder.Operation(entry, intendedNanos, nowNanos), answer, now);
              answered(now, answer);
            });
  }

  /** When the next request may follow an answer. */
  static long afterNanos(long nowNanos, Answer answer) {
    return answer.fault() == null ? nowNanos : nowNanos + REST_NANOS;
  }
}
