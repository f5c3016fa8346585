package dev.upcall.httpd.message;

import dev.upcall.FileInfo;
import dev.upcall.base.Clock;
import dev.upcall.httpd.Status;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request asks for only under conditions, and its range: the header fields of RFC 9110,
 * sections 13.1 and 14.2, as they came. A date that is none counts as absent, a broken list of tags
 * as one that ends before its first fault.
 *
 * @param ifMatch go on only if the present version is one of these
 * @param ifUnmodifiedSince go on only if nothing was changed after
 * @param ifNoneMatch go on only if the present version is none of these
 * @param ifModifiedSince go on only if something was changed after
 * @param ifRange heed the range only if the present version is this one
 * @param range which bytes
 */
public record Conditions(
    @Nullable String ifMatch,
    @Nullable String ifUnmodifiedSince,
    @Nullable String ifNoneMatch,
    @Nullable String ifModifiedSince,
    @Nullable String ifRange,
    @Nullable String range) {
  /** A request for the whole of whatever is there. */
  static final Conditions NONE = new Conditions(null, null, null, null, null, null);

  private static final long NANOS_IN_SECOND = 1_000_000_000L;

  /** The conditions among a request's header fields. */
  static Conditions of(HttpHeaders headers) {
    String ifMatch = joined(headers, HttpHeaderNames.IF_MATCH);
    String ifUnmodifiedSince = headers.get(HttpHeaderNames.IF_UNMODIFIED_SINCE);
    String ifNoneMatch = joined(headers, HttpHeaderNames.IF_NONE_MATCH);
    String ifModifiedSince = headers.get(HttpHeaderNames.IF_MODIFIED_SINCE);
    String range = joined(headers, HttpHeaderNames.RANGE);
    if (ifMatch == null
        && ifUnmodifiedSince == null
        && ifNoneMatch == null
        && ifModifiedSince == null
        && range == null) {
      return NONE; // most requests are like this
    }
    String ifRange = joined(headers, HttpHeaderNames.IF_RANGE); // two of them match nothing
    return new Conditions(ifMatch, ifUnmodifiedSince, ifNoneMatch, ifModifiedSince, ifRange, range);
  }

  /**
   * The second of the last modification; Last-Modified shows it, unless it is yet to come. A time
   * that somebody has set to a future one counts as that of setting it: it stays the same from
   * answer to answer, so that a client can name it in a condition.
   */
  public static long modifiedSeconds(FileInfo file) {
    return Math.floorDiv(file.times().contentChangedNanos(), NANOS_IN_SECOND);
  }

  /** What answers a GET or HEAD of a file instead of its content: 412, 304, or null for nothing. */
  @Nullable public Status insteadOf(FileInfo file) {
    return equals(NONE) ? null : insteadOf(file.entityTag(), modifiedSeconds(file));
  }

  /** In the order of RFC 9110, section 13.2.2. */
  private @Nullable Status insteadOf(String tag, long modifiedSeconds) {
    if (fails(tag, modifiedSeconds)) {
      return Status.PRECONDITION_FAILED;
    }
    if (ifNoneMatch != null) {
      return EntityTags.weaklyMatch(ifNoneMatch, tag) ? Status.NOT_MODIFIED : null;
    }
    long since = seconds(ifModifiedSince);
    return since != HttpDate.NONE && modifiedSeconds <= since ? Status.NOT_MODIFIED : null;
  }

  /** Whether the client works on a version that is no longer the present one. */
  private boolean fails(String tag, long modifiedSeconds) {
    if (ifMatch != null) {
      return !EntityTags.stronglyMatch(ifMatch, tag);
    }
    long since = seconds(ifUnmodifiedSince);
    return since != HttpDate.NONE && modifiedSeconds > since;
  }

  /** Whether a page about a directory is refused: it has no version that a client could name. */
  boolean failForPage() {
    return ifMatch != null && !EntityTags.isAny(ifMatch);
  }

  /**
   * Which bytes of a file answer a GET that is not answered otherwise.
   *
   * @param clock the present time: a date says which version it was only when its second is over
   */
  public ByteRange rangeOf(FileInfo file, Clock clock) {
    if (range == null || !rangeStillFits(file, clock)) {
      return ByteRange.WHOLE;
    }
    return ByteRange.parse(range, file.sizeBytes());
  }

  /** Whether several ranges may be wanted. */
  boolean asksForParts() {
    return range != null && range.indexOf(',') >= 0;
  }

  private boolean rangeStillFits(FileInfo file, Clock clock) {
    if (ifRange == null) {
      return true;
    }
    if (ifRange.startsWith("\"") || ifRange.startsWith("W/")) {
      return EntityTags.isStrong(ifRange, file.entityTag());
    }
    long modified = modifiedSeconds(file);
    return HttpDate.parse(ifRange) == modified
        && modified < Math.floorDiv(clock.epochNanos(), NANOS_IN_SECOND);
  }

  private static long seconds(@Nullable String date) {
    return date == null ? HttpDate.NONE : HttpDate.parse(date);
  }

  /** A header field whose value is a list, in one piece; null if it is absent. */
  static @Nullable String joined(HttpHeaders headers, CharSequence name) {
    if (!headers.contains(name)) {
      return null;
    }
    List<String> values = headers.getAll(name);
    return values.size() == 1 ? values.getFirst() : String.join(",", values);
  }
}
