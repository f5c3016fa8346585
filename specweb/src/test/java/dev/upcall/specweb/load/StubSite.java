package dev.upcall.specweb.load;

import dev.upcall.specweb.FileSet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** A server in virtual time: one request after the other, each for a fixed time; it may stall. */
final class StubSite implements Requester {
  private record Waiting(Listener listener) {}

  private final VirtualLoop loop;
  private final long serviceNanos;
  private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
  private final List<Long> sentNanos = new ArrayList<>();
  private final List<FileSet.Entry> entries = new ArrayList<>();
  private Supplier<Answer> answers;
  private boolean busy;
  private long stalledUntilNanos;
  private int most;

  StubSite(VirtualLoop loop, long serviceNanos) {
    this.loop = loop;
    this.serviceNanos = serviceNanos;
    answers = () -> Answer.right(loop.nanoTime());
  }

  /** When requests came. */
  List<Long> sentNanos() {
    return sentNanos;
  }

  /** What was asked for. */
  List<FileSet.Entry> entries() {
    return entries;
  }

  /** The most that were inside at once. */
  int most() {
    return most;
  }

  /** Answers nothing before then. */
  void stallUntil(long nanos) {
    stalledUntilNanos = nanos;
  }

  /** Answers in another way from now on. */
  void answerWith(Supplier<Answer> other) {
    answers = other;
  }

  @Override
  public void get(FileSet.Entry entry, Listener listener) {
    sentNanos.add(loop.nanoTime());
    entries.add(entry);
    queue.add(new Waiting(listener));
    most = Math.max(most, queue.size());
    serve();
  }

  private void serve() {
    if (!busy && !queue.isEmpty()) {
      busy = true;
      long end = Math.max(loop.nanoTime(), stalledUntilNanos) + serviceNanos;
      loop.at(end, this::served);
    }
  }

  private void served() {
    busy = false;
    Waiting first = queue.remove();
    first.listener().answered(answers.get());
    serve();
  }
}
