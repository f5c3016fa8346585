package dev.upcall.io.replay;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.io.AskingPort;
import dev.upcall.io.trace.TraceEntry;

/** An entry at the disk, as one request or, where it is too large for that, as several. */
final class PlayedEntry implements AskingPort {
  private final TraceReplay replay;
  private final TraceEntry entry;
  private final long number;
  private final long sentNanos;
  private int left;
  private String failure = "";

  PlayedEntry(TraceReplay replay, TraceEntry entry, long number, long sentNanos, int requests) {
    this.replay = replay;
    this.entry = entry;
    this.number = number;
    this.sentNanos = sentNanos;
    this.left = requests;
  }

  TraceEntry entry() {
    return entry;
  }

  /** How many were sent up to this one. */
  long number() {
    return number;
  }

  long sentNanos() {
    return sentNanos;
  }

  /** The first failure of its requests; empty if there is none. */
  String failure() {
    return failure;
  }

  @Override
  public int asker() {
    return entry.source().asker();
  }

  @Override
  public void complete(Completion<Unit> completion) {
    if (completion instanceof Completion.Failed<Unit> failed && failure.isEmpty()) {
      failure = failed.failure().message();
    }
    left--;
    if (left == 0) {
      replay.answered(this);
    }
  }
}
