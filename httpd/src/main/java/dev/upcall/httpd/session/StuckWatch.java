package dev.upcall.httpd.session;

import dev.upcall.httpd.HttpConfig;

/**
 * Notices that a session waits for its client for too long. It is only looked at by the server's
 * sweep, so that nothing of it costs the requests themselves; its precision is the interval of the
 * sweep.
 */
final class StuckWatch {
  private final HttpConfig.Timeouts limits;
  private HttpSessionState state = HttpSessionState.DONE;
  private boolean inHead;
  private long progress;
  private long sinceNanos;

  StuckWatch(HttpConfig.Timeouts limits) {
    this.limits = limits;
  }

  /**
   * Whether nothing has changed for as long as the limit of the state.
   *
   * @param nowState where the session stands
   * @param nowInHead whether a part of a request has come, and all before it was answered
   * @param nowProgress a number that grows whenever the session gets on; the bytes of a head do not
   *     count
   * @param pressed whether the client holds what others wait for
   */
  boolean isStuck(
      HttpSessionState nowState,
      boolean nowInHead,
      long nowProgress,
      long nowNanos,
      boolean pressed) {
    if (nowState != state || nowInHead != inHead || nowProgress != progress) {
      state = nowState;
      inHead = nowInHead;
      progress = nowProgress;
      sinceNanos = nowNanos;
      return false;
    }
    return nowNanos - sinceNanos >= (pressed ? limits.sending().pressedNanos() : limitNanos());
  }

  private long limitNanos() {
    return switch (state) {
      case AWAITING_REQUEST ->
          inHead ? limits.receiving().headNanos() : limits.receiving().idleNanos();
      case SENDING, FINISHING -> limits.sending().stuckNanos();
      case RECEIVING -> limits.receiving().bodyIdleNanos();
      case LINGERING -> limits.sending().lingerNanos();
      // The store answers every request, and a transport every close.
      case OPENING, READING, LISTING, PREPARING, STORING, COMMITTING -> Long.MAX_VALUE;
      case CLOSE_AND_STORE_PENDING, CLOSE_PENDING, STORE_PENDING, DONE -> Long.MAX_VALUE;
      case HELD -> Long.MAX_VALUE; // ends by the clock
    };
  }
}
