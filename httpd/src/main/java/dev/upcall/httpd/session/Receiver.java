package dev.upcall.httpd.session;

import dev.upcall.StorePath;
import dev.upcall.base.Invariants;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.SiteChanges;
import dev.upcall.httpd.message.BodyCheck;
import dev.upcall.httpd.message.RequestDecoder;
import io.netty.handler.codec.http.HttpContent;
import org.jspecify.annotations.Nullable;

/** The part of a session that takes a body. Dispatcher's thread only. */
abstract class Receiver {
  final HttpSession session;
  final SessionContext server;
  final ResponseWriter responses;
  private final RequestDecoder decoder;
  private final BodyCheck body;

  /** Receives nothing yet. */
  Receiver(
      HttpSession session,
      SessionContext server,
      ResponseWriter responses,
      RequestDecoder decoder) {
    this.session = session;
    this.server = server;
    this.responses = responses;
    this.decoder = decoder;
    this.body = new BodyCheck(server.config());
  }

  /** Asks the store whether a body is worth waiting for. */
  final void begin(StorePath path, SiteChanges changes) {
    Refusal refusal = body.begin(session.change());
    if (refusal != null) {
      server.counters().body(refusal);
      session.refuse(refusal);
    } else {
      prepare(path, changes);
    }
  }

  /** The same of a request whose head is in order. */
  abstract void prepare(StorePath path, SiteChanges changes);

  /** The body is worth waiting for. */
  final void accept() {
    body.awaited(now());
    if (session.change().expectsContinue() && !decoder.hasInput()) {
      responses.write(responses.answers().proceed());
    }
    session.go(HttpSessionState.RECEIVING);
    receive();
  }

  /** Takes what has come of the body; the session is in {@code RECEIVING}. */
  final void receive() {
    while (session.state() == HttpSessionState.RECEIVING) {
      HttpContent next = decoder.body();
      if (next == null) {
        if (session.hasInputEnded()) {
          refuseRest(Refusal.CUT_BODY);
        }
        return;
      }
      Refusal wrong = body.take(next, now());
      if (wrong == null) {
        take(next);
      } else {
        server.counters().body(wrong);
        next.release();
        refuseRest(wrong);
      }
    }
  }

  /** Says why there is no other answer; the rest of the body is not worth waiting for. */
  private void refuseRest(Refusal refusal) {
    session.makeLast();
    session.refuse(refusal);
  }

  /** Takes a piece of the body, and releases it at some time. */
  abstract void take(HttpContent next);

  /** How many bytes of the body have come. */
  final long receivedBytes() {
    return body.receivedBytes();
  }

  /** Whether the body has taken too long. */
  final boolean isLate(long nowNanos) {
    return body.isLate(nowNanos);
  }

  /**
   * The client is gone or was given up while a piece is on its way into the store: it need not get
   * there.
   */
  abstract void cancel();

  /**
   * Leaves nothing behind but what was committed, or is to be ({@link
   * SessionContext.Owner#workBegins}). No request to the store is under way.
   */
  abstract void close();

  private long now() {
    return server.dispatcher().clock().monotonicNanos();
  }

  static <T> T present(@Nullable T value) {
    return Invariants.present(value, "body under way");
  }
}
