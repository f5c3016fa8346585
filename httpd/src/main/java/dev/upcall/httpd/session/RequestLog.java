package dev.upcall.httpd.session;

import dev.upcall.fsm.Dispatcher;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.HttpCounters;
import dev.upcall.httpd.Status;
import dev.upcall.httpd.log.AccessLog;
import dev.upcall.httpd.log.LogLine;
import dev.upcall.httpd.log.LogRing;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import org.jspecify.annotations.Nullable;

/**
 * The lines of one connection in the access log: one for each response, when it was written whole
 * or cut off. Nothing that a client logs in with is in them. Dispatcher's thread only.
 */
final class RequestLog {
  /** The status that nginx writes for a client that is gone before it was answered. */
  private static final int NO_ANSWER = 499;

  /** How long the difference of the clocks is taken for the same: the other may be set. */
  private static final long COMPARED_NANOS = 100_000_000L;

  private final Shared shared;
  private final Origin origin;
  private final @Nullable Guard guard;
  private @Nullable HttpRequest request;
  private long beganNanos;
  private int status;
  private long bytes;

  /** The parts that all connections of a dispatcher share. */
  static final class Shared {
    private final Dispatcher dispatcher;
    private final HttpCounters counters;
    private final LogRing ring;
    private final LogLine line;
    private long comparedNanos;
    private long epochBehindNanos;

    Shared(Dispatcher dispatcher, HttpCounters counters, AccessLog log) {
      this.dispatcher = dispatcher;
      this.counters = counters;
      this.ring = log.newRing();
      this.line = new LogLine(log.format());
      compare();
    }

    private void compare() {
      comparedNanos = dispatcher.clock().monotonicNanos();
      epochBehindNanos = dispatcher.clock().epochNanos() - comparedNanos;
    }

    /** The time of day. Reading that clock for each line would be a tenth of what a log costs. */
    private long epochNanos(long monotonicNanos) {
      if (monotonicNanos - comparedNanos >= COMPARED_NANOS) {
        compare();
      }
      return monotonicNanos + epochBehindNanos;
    }

    private void write(LogLine.Response response) {
      line.write(response);
      if (!ring.offer(line.bytes(), line.length())) {
        counters.add(HttpCount.DROPPED_LOG_LINES);
      }
    }
  }

  RequestLog(Shared shared, Origin origin, @Nullable Guard guard) {
    this.shared = shared;
    this.origin = origin;
    this.guard = guard;
    this.beganNanos = shared.dispatcher.upcallNanos();
  }

  /** A request has come. */
  void arrived(HttpRequest asked) {
    request = asked;
    beganNanos = shared.dispatcher.upcallNanos();
  }

  /** A response has begun, or an interim one was written. */
  void answers(Status answer) {
    status = answer == Status.CONTINUE ? status : answer.code();
  }

  /** Bytes of it were written. */
  void written(int more) {
    bytes += more;
  }

  /** It was written whole. */
  void ended() {
    HttpRequest asked = request;
    long took = shared.dispatcher.clock().monotonicNanos() - beganNanos;
    shared.write(
        new LogLine.Response(
            origin.address(),
            guard == null ? "" : guard.name(),
            asked == null ? null : asked.method().name(),
            asked == null ? "" : asked.uri(),
            asked == null ? "" : asked.protocolVersion().text(),
            status == 0 ? NO_ANSWER : status,
            bytes,
            asked == null ? null : asked.headers().get(HttpHeaderNames.REFERER),
            asked == null ? null : asked.headers().get(HttpHeaderNames.USER_AGENT),
            shared.epochNanos(beganNanos),
            took));
    request = null;
    status = 0;
    bytes = 0;
  }

  /** The connection is gone; a response that was under way was not written whole. */
  void closed() {
    if (request != null) {
      ended();
    }
  }
}
