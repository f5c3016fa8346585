package dev.upcall.bench.ecommerce.machine;

import dev.upcall.fsm.Dispatcher;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Commits that go into a log together: those of ten milliseconds, or of 64 KiB. One group is
 * written at a time.
 */
public final class GroupCommit {
  private static final long GROUP_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final int GROUP_BYTES = 64 << 10;

  private final Dispatcher dispatcher;
  private final Writer writer;
  private final ArrayDeque<Commit> waiting = new ArrayDeque<>();
  private int waitingBytes;
  private boolean isWriting;

  /** Where groups are written. */
  public interface Writer {
    /**
     * Writes one.
     *
     * @param durable runs when it is there
     */
    void write(int bytes, Runnable durable);
  }

  /** A transaction that waits for the log. */
  private record Commit(int bytes, long dueNanos, Runnable durable) {}

  /** Nothing waits. */
  public GroupCommit(Dispatcher dispatcher, Writer writer) {
    this.dispatcher = dispatcher;
    this.writer = writer;
  }

  /** A transaction ends: {@code durable} runs when the log has it. */
  public void commit(int bytes, Runnable durable) {
    waiting.addLast(new Commit(bytes, dispatcher.clock().monotonicNanos() + GROUP_NANOS, durable));
    waitingBytes += bytes;
    if (waiting.size() == 1) {
      dispatcher.schedule(GROUP_NANOS, this::write);
    } else if (waitingBytes >= GROUP_BYTES) {
      write();
    }
  }

  /** Writes the next group if it is old or large enough. */
  private void write() {
    Commit oldest = waiting.peekFirst();
    if (isWriting || oldest == null) {
      return;
    }
    long restNanos = oldest.dueNanos - dispatcher.clock().monotonicNanos();
    if (restNanos > 0 && waitingBytes < GROUP_BYTES) {
      dispatcher.schedule(restNanos, this::write);
      return;
    }
    List<Commit> group = nextGroup();
    isWriting = true;
    writer.write(group.stream().mapToInt(Commit::bytes).sum(), () -> durable(group));
  }

  /** As many as fit, one at least. */
  private List<Commit> nextGroup() {
    List<Commit> group = new ArrayList<>();
    int bytes = 0;
    while (!waiting.isEmpty() && (group.isEmpty() || bytes < GROUP_BYTES)) {
      Commit next = waiting.removeFirst();
      bytes += next.bytes;
      group.add(next);
    }
    waitingBytes -= bytes;
    return group;
  }

  private void durable(List<Commit> group) {
    isWriting = false;
    group.forEach(commit -> commit.durable.run());
    write();
  }
}
