package dev.upcall.feed;

import dev.upcall.journal.entry.Entry;
import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.entry.FailureCode;
import dev.upcall.journal.entry.Origin;
import dev.upcall.journal.entry.Samples;
import dev.upcall.journal.queue.EntryQueue;
import dev.upcall.journal.queue.QueueException;
import dev.upcall.request.codec.Submission;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A producer with numbered requests, which puts in again, in their order, all that it does not know
 * to be durable. It knows what must come of them.
 */
final class ModelProducer {
  private static final int LARGE_BYTES = Entry.MAX_BODY_BYTES + 1000;

  private final int number;
  private UUID id;
  private final QueueModel model;
  private final SplittableRandom random;
  private final List<Submission> requests = new ArrayList<>();
  private final List<byte[]> larges = new ArrayList<>();
  private final List<@Nullable FailureCode> expected = new ArrayList<>();
  private final StringBuilder log = new StringBuilder();

  /** Entries that are still to be appended, in order. */
  private final Deque<Entry> open = new ArrayDeque<>();

  /** Requests before this one are durable in the queue. */
  private int durable;

  private int lastAppend = -1;
  private String state = "";
  private boolean isAway;

  /** By the number of the request. */
  private final List<UUID> ids = new ArrayList<>();

  private long incarnation;
  private long appendedNanos;

  ModelProducer(int number, QueueModel model, SplittableRandom random) {
    this.number = number;
    this.id = new UUID(random.nextLong(), number);
    this.model = model;
    this.random = random;
    join();
    restart();
  }

  private void join() {
    UUID mine = id;
    model.join(mine, () -> retire(mine));
  }

  /** It is not open any more, if it knows all that it asked to be durable; whether that is so. */
  boolean leave() {
    isAway = open.isEmpty() && durable == requests.size() && durable > 0;
    return isAway;
  }

  /** As long as it is away it gets another id, under which it goes on. */
  private boolean retire(UUID old) {
    if (isAway && id.equals(old)) {
      id = new UUID(random.nextLong(), number);
      join();
    }
    return !id.equals(old);
  }

  /** Under which id a request was asked. */
  UUID idOf(int sequence) {
    return ids.get(sequence);
  }

  /** What it must be told of each request in the end; null where it is done. */
  List<@Nullable FailureCode> expected() {
    return expected;
  }

  /** The last request that has changed its log; negative for none. */
  int lastAppend() {
    return lastAppend;
  }

  /** What its file must hold in the end: each request once, in order. */
  String log() {
    return log.toString();
  }

  String logPath() {
    return "/log-" + number;
  }

  String largePath() {
    return "/large-" + number;
  }

  /** What is put anew again and again must be the newest in the end. */
  String state() {
    return state;
  }

  String statePath() {
    return "/state-" + number;
  }

  /** What its large file may hold, oldest first. */
  List<byte[]> larges() {
    return larges;
  }

  boolean isIdle() {
    return open.isEmpty();
  }

  /** Thinks of another request. */
  void ask() {
    int sequence = requests.size();
    isAway = false;
    ids.add(id);
    FailureCode failure = null;
    Submission request =
        switch (random.nextInt(24)) {
          case 0 -> {
            byte[] large = new byte[LARGE_BYTES + random.nextInt(500)];
            Arrays.fill(large, (byte) sequence);
            larges.add(large);
            yield Samples.put(largePath(), large);
          }
          case 1, 2 -> {
            failure = FailureCode.NOT_FOUND;
            yield Samples.delete("/nothing");
          }
          case 3 -> {
            failure = FailureCode.INVALID;
            yield Samples.delete("/");
          }
          case 4, 5, 6, 7, 8, 9 -> {
            state = Integer.toString(sequence);
            yield Samples.put(statePath(), state);
          }
          default -> {
            log.append(sequence).append(';');
            lastAppend = sequence;
            yield Samples.append(logPath(), sequence + ";");
          }
        };
    requests.add(request);
    expected.add(failure);
    cut(sequence, request);
  }

  /**
   * Appends the next entry, if it has one. Who has been slow with a part begins again: what he put
   * in may have been given up.
   */
  void append(EntryQueue queue, long nowNanos) throws QueueException {
    Entry first = open.peekFirst();
    if (first != null
        && first.part() > 0
        && nowNanos - appendedNanos >= FeedFixture.UNFINISHED_NANOS / 2) {
      restart();
    }
    appendedNanos = nowNanos;
    Entry next = open.pollFirst();
    if (next != null) {
      queue.append(EntryCodec.encode(next));
    }
  }

  /** All that was appended is durable now. */
  void synced() {
    durable = open.isEmpty() ? requests.size() : (int) open.getFirst().origin().sequence();
  }

  /** Begins anew, with what it does not know to be durable. */
  void restart() {
    incarnation = random.nextLong();
    open.clear();
    for (int sequence = durable; sequence < requests.size(); sequence++) {
      cut(sequence, requests.get(sequence));
    }
  }

  private void cut(long sequence, Submission request) {
    Origin origin = new Origin(model.id(), model.generation(), id, incarnation, sequence);
    open.addAll(Samples.entries(request, origin, 0));
  }
}
