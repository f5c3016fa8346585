package dev.upcall.httpd.session;

import dev.upcall.httpd.HttpCounters;
import dev.upcall.httpd.HttpVerb;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * How long the requests of one session take: from the upcall that takes a request out of its
 * connection's bytes until the transport has taken the last byte of its response. Responses that
 * were cut off do not count. Dispatcher's thread only; allocates nothing unless requests are
 * pipelined.
 */
final class ResponseTimes {
  private final HttpCounters counters;

  /** Responses behind the oldest that are written whole and not taken yet; null until needed. */
  private @Nullable ArrayDeque<Unsent> more;

  /** The request under way; null when what is answered is no request, such as a time-out. */
  private @Nullable HttpVerb verb;

  private long begunNanos;
  private long writtenBytes;
  private long sentBytes;

  /** The oldest response that was written whole and is not taken yet. */
  private @Nullable HttpVerb oldestVerb;

  private long oldestBegunNanos;
  private long oldestEndBytes;

  private record Unsent(HttpVerb verb, long begunNanos, long endBytes) {}

  ResponseTimes(HttpCounters counters) {
    this.counters = counters;
  }

  /** A request was taken. */
  void begun(HttpVerb asked, long nowNanos) {
    verb = asked;
    begunNanos = nowNanos;
  }

  /** Bytes of its response were written. */
  void written(int bytes) {
    writtenBytes += bytes;
  }

  /** Its response was written whole. */
  void ended() {
    HttpVerb ended = verb;
    verb = null;
    if (ended == null) {
      return;
    }
    if (oldestVerb == null) {
      oldestVerb = ended;
      oldestBegunNanos = begunNanos;
      oldestEndBytes = writtenBytes;
    } else {
      if (more == null) {
        more = new ArrayDeque<>();
      }
      more.addLast(new Unsent(ended, begunNanos, writtenBytes));
    }
  }

  /** The transport has taken so many bytes more. */
  void sent(int bytes, long nowNanos) {
    sentBytes += bytes;
    while (oldestVerb != null && oldestEndBytes <= sentBytes) {
      counters.took(oldestVerb, nowNanos - oldestBegunNanos);
      Unsent next = more == null ? null : more.pollFirst();
      oldestVerb = next == null ? null : next.verb();
      if (next != null) {
        oldestBegunNanos = next.begunNanos();
        oldestEndBytes = next.endBytes();
      }
    }
  }
}
