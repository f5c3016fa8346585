package dev.upcall.httpd.message;

import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.Status;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How much of the body of a PUT or PATCH has come, and whether it may go on. One thread at a time.
 */
public final class BodyCheck {
  private final HttpConfig config;
  private long receivedBytes;
  private long maxBytes;
  private String kind = "";
  private long deadlineNanos;
  private List<DigestFields.Expected> digests = List.of();

  /** Nothing has come. */
  public BodyCheck(HttpConfig config) {
    this.config = config;
  }

  /** Why a body is not worth waiting for, or null; nothing of it has come. */
  public @Nullable Refusal begin(ChangeRequest change) {
    receivedBytes = 0;
    digests = change.digests();
    maxBytes = config.requests().maxBodyBytes();
    kind = "an upload";
    if (change.patch() != null) {
      maxBytes = Math.min(maxBytes, HttpConfig.MAX_PATCH_BYTES);
      kind = "a patch";
    }
    return change.sizeBytes() > maxBytes ? tooLarge() : null;
  }

  /** The client may send it from now on. */
  public void awaited(long nowNanos) {
    deadlineNanos = nowNanos + config.timeouts().receiving().bodyNanos();
  }

  /** Counts a piece; what is wrong with it, or null. */
  public @Nullable Refusal take(HttpContent piece, long nowNanos) {
    int bytes = piece.content().readableBytes();
    if (piece.decoderResult().isFailure()) {
      return Refusal.BROKEN_BODY;
    }
    if (bytes > maxBytes - receivedBytes) {
      return tooLarge();
    }
    if (isLate(nowNanos)) {
      return Refusal.LATE_BODY;
    }
    receivedBytes += bytes;
    return digests.isEmpty() || haveDigests(piece) ? null : DigestFields.OTHER_DIGEST;
  }

  /** Whether the body may still have, or with its last piece has, the digests of its request. */
  private boolean haveDigests(HttpContent piece) {
    boolean met = true;
    for (DigestFields.Expected each : digests) {
      each.take(piece.content().nioBuffer());
      met &= !(piece instanceof LastHttpContent) || each.isMet();
    }
    return met;
  }

  private Refusal tooLarge() {
    return new Refusal(
        Status.CONTENT_TOO_LARGE,
        "the body is larger than %d bytes, the limit of %s".formatted(maxBytes, kind));
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
