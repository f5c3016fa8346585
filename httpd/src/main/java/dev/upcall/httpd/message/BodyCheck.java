package dev.upcall.httpd.message;

import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.Status;
import io.netty.handler.codec.http.HttpContent;
import org.jspecify.annotations.Nullable;

/** How much of the body of a PUT has come, and whether it may go on. One thread at a time. */
public final class BodyCheck {
  private final HttpConfig config;
  private long receivedBytes;
  private long deadlineNanos;

  /** Nothing has come. */
  public BodyCheck(HttpConfig config) {
    this.config = config;
  }

  /** Why a body is not worth waiting for, or null; nothing of it has come. */
  public @Nullable Status begin(ChangeRequest change) {
    receivedBytes = 0;
    return change.sizeBytes() > config.requests().maxBodyBytes() ? Status.CONTENT_TOO_LARGE : null;
  }

  /** The client may send it from now on. */
  public void awaited(long nowNanos) {
    deadlineNanos = nowNanos + config.timeouts().receiving().bodyNanos();
  }

  /** Counts a piece; what is wrong with it, or null. */
  public @Nullable Status take(HttpContent piece, long nowNanos) {
    int bytes = piece.content().readableBytes();
    if (piece.decoderResult().isFailure()) {
      return Status.BAD_REQUEST;
    }
    if (bytes > config.requests().maxBodyBytes() - receivedBytes) {
      return Status.CONTENT_TOO_LARGE;
    }
    if (isLate(nowNanos)) {
      return Status.REQUEST_TIMEOUT;
    }
    receivedBytes += bytes;
    return null;
  }

  /** How many bytes of the body have come. */
  public long receivedBytes() {
    return receivedBytes;
  }

  /** Whether the body has taken too long. */
  public boolean isLate(long nowNanos) {
    return nowNanos - deadlineNanos >= 0;
  }

  /** When it will have taken too long. */
  public long deadlineNanos() {
    return deadlineNanos;
  }
}
