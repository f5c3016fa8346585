package dev.upcall.journal.producer;

import dev.upcall.journal.entry.Decoded;
import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.entry.Reply;
import dev.upcall.journal.entry.ReplyCodec;
import dev.upcall.journal.queue.EntryQueue;
import dev.upcall.journal.queue.QueueException;
import java.time.Duration;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What became of a producer's requests, in the order of their numbers, each told once however often
 * it is in the queue. The oldest are removed when all replies of a queue have 1 GiB.
 *
 * <p>Any thread; who waits holds up nobody.
 */
public final class Replies implements AutoCloseable {
  /** So many of the last are known without looking at the queue again. */
  public static final int KNOWN = 1024;

  /** Nobody wakes a reader of another process: it looks again after a part of what it waits. */
  private static final int PAUSES_OF_WAIT = 16;

  private static final long MIN_PAUSE_NANOS = 20_000;
  private static final long MAX_PAUSE_NANOS = 20_000_000;

  private final UUID source;
  private final UUID producer;
  private final EntryQueue queue;
  private final NavigableMap<Long, Reply> known = new TreeMap<>();

  /** Of all below. */
  private final ReentrantLock lock = new ReentrantLock();

  /** Never signalled: who waits on it lets others in for a while. */
  private final Condition pause = lock.newCondition();

  /** Up to here the queue was read. */
  private long read = EntryQueue.NONE;

  /** The last request whose reply was found. */
  private long last = -1;

  /**
   * Takes over the queue.
   *
   * @param source the queue of the requests
   */
  Replies(UUID source, UUID producer, EntryQueue queue) {
    this.source = source;
    this.producer = producer;
    this.queue = queue;
  }

  /** The next one that has not been told, without waiting; empty when there is none yet. */
  public Optional<Reply> poll() throws QueueException {
    lock.lock();
    try {
      return Optional.ofNullable(next());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for that of one request. Those of earlier ones that come meanwhile are told to nobody who
   * polls; they are among the {@link #known} ones.
   *
   * @param sequence as its receipt has it
   * @return empty when it does not come in that time, or when that of a later one is there and its
   *     own is too old to be known
   */
  public Optional<Reply> await(long sequence, Duration atMost)
      throws QueueException, InterruptedException {
    long begin = System.nanoTime();
    lock.lockInterruptibly();
    try {
      while (last < sequence) {
        if (next() == null) {
          long waited = System.nanoTime() - begin;
          long left = atMost.toNanos() - waited;
          if (left <= 0) {
            break;
          }
          long nanos = Math.clamp(waited / PAUSES_OF_WAIT, MIN_PAUSE_NANOS, MAX_PAUSE_NANOS);
          long _ = pause.awaitNanos(Math.min(nanos, left));
        }
      }
      return Optional.ofNullable(known.get(sequence));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Those of the last requests, at most {@link #KNOWN}, oldest first; all that is there is read.
   */
  public List<Reply> known() throws QueueException {
    lock.lock();
    try {
      while (next() != null) {
        // The last ones stay.
      }
      return List.copyOf(known.values());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      queue.close();
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Reply next() throws QueueException {
    EntryQueue.Indexed found = queue.next(read);
    while (found != null) {
      read = found.index();
      Reply reply = mine(found.bytes());
      if (reply != null && reply.sequence() > last) {
        last = reply.sequence();
        known.put(last, reply);
        if (known.size() > KNOWN) {
          known.pollFirstEntry();
        }
        return reply;
      }
      found = queue.next(read);
    }
    return null;
  }

  /**
   * Others' are most of them. What is no entry is passed over: the store says it again or never.
   */
  private @Nullable Reply mine(byte[] bytes) {
    return EntryCodec.decode(bytes).flatMap(ReplyCodec::decodeReply)
                instanceof Decoded.Value<Reply>(Reply reply)
            && reply.producer().equals(producer)
            && reply.queue().equals(source)
        ? reply
        : null;
  }
}
