package dev.upcall.feed;

import dev.upcall.FileManager;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.feed.answer.FailureKind;
import dev.upcall.feed.answer.Settled;
import dev.upcall.feed.answer.SettledPort;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * What becomes of requests behind their change: it is made durable, then whoever wants to know
 * hears of it, then their entries may go. Changes do not wait for that: while one group becomes
 * durable the next ones are done, and all that came meanwhile becomes durable together.
 */
final class Settlement {
  /** When the store has been too busy to say what is durable. */
  private static final long RETRY_NANOS = 1_000_000;

  private final FileManager files;
  private final FeedFlight flight;
  private final SettledPort port;
  private final Listener listener;
  private final ArrayDeque<Group> applied = new ArrayDeque<>();
  private final ArrayDeque<Group> durable = new ArrayDeque<>();
  private boolean isFlushing;
  private boolean isHearing;
  private int unsettled;

  private record Group(List<Settled> requests, Position upTo) {}

  /** Whose requests they are. */
  interface Listener {
    /** All know of them. */
    void settled(List<Settled> requests, Position upTo);

    /** Nobody can say what is durable. */
    void failed(Failure why);

    /** Whether nobody is to hear anything more. */
    boolean isOver();
  }

  Settlement(FileManager files, FeedFlight flight, SettledPort port, Listener listener) {
    this.files = files;
    this.flight = flight;
    this.port = port;
    this.listener = listener;
  }

  /** Whether it waits for the store to make them durable. */
  boolean isFlushing() {
    return isFlushing;
  }

  /** Requests that are done, and of which not all know. */
  int unsettled() {
    return unsettled;
  }

  /**
   * A group is done.
   *
   * @param upTo what was noted with it
   */
  void applied(List<Ended> group, Position upTo) {
    unsettled += group.size();
    applied.add(new Group(group.stream().map(Ended::settled).toList(), upTo));
    flush();
  }

  private void flush() {
    if (isFlushing || applied.isEmpty() || listener.isOver()) {
      return;
    }
    isFlushing = true;
    int groups = applied.size();
    flight.begin("flush", files::flush, flushed -> flushed(groups, flushed));
  }

  private void flushed(int groups, Completion<Unit> flushed) {
    isFlushing = false;
    if (listener.isOver()) {
      return;
    }
    if (flushed instanceof Completion.Failed<Unit>(Failure why)) {
      if (FailureKind.of(why) == FailureKind.FOR_NOW) {
        files.dispatcher().schedule(RETRY_NANOS, this::flush);
      } else {
        listener.failed(why);
      }
      return;
    }
    for (int i = 0; i < groups; i++) {
      durable.add(applied.removeFirst());
    }
    flush();
    tell();
  }

  private void tell() {
    if (isHearing || durable.isEmpty() || listener.isOver()) {
      return;
    }
    isHearing = true;
    List<Settled> requests = new ArrayList<>();
    durable.forEach(group -> requests.addAll(group.requests()));
    Position upTo = durable.getLast().upTo();
    durable.clear();
    port.settled(List.copyOf(requests), () -> heard(requests, upTo));
  }

  private void heard(List<Settled> requests, Position upTo) {
    isHearing = false;
    unsettled -= requests.size();
    if (!listener.isOver()) {
      listener.settled(requests, upTo);
      tell();
    }
  }
}
