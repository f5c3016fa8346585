package dev.upcall.httpd.message;

import dev.upcall.base.Invariants;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.Status;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request, read and judged by the rules of HTTP/1.1 (RFC 9110 and 9112), before the store is
 * asked anything.
 *
 * @param refusal what to answer at once, or null for a request that can be served
 * @param head whether the response must have no body
 * @param http11 whether the client knows chunked coding
 * @param keepAlive whether the connection stays open after the response
 * @param target what is asked for; null only if refused
 * @param conditions under which it is to be answered, and the range
 * @param accept the media types that the client likes; null when it does not say, and for a target
 *     that has one form only
 * @param change what a PUT or DELETE says; null for GET and HEAD
 * @param put whether it is a PUT
 */
public record Request(
    @Nullable Status refusal,
    boolean head,
    boolean http11,
    boolean keepAlive,
    @Nullable RequestTarget target,
    Conditions conditions,
    @Nullable String accept,
    @Nullable ChangeRequest change,
    boolean put) {

  private static final Set<String> KNOWN_BUT_NOT_ALLOWED =
      Set.of("POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT");

  private static final String CONTINUE = "100-continue";

  /** Judges a request. */
  public static Request of(HttpRequest request, HttpConfig config) {
    if (request.decoderResult().isFailure()) {
      return broken(request.decoderResult().cause());
    }
    HttpVersion version = request.protocolVersion();
    HttpMethod method = request.method();
    boolean head = method.equals(HttpMethod.HEAD);
    if (version.majorVersion() != 1 || !version.protocolName().equals("HTTP")) {
      return refused(Status.VERSION_NOT_SUPPORTED, true, false, head);
    }
    boolean http11 = version.minorVersion() > 0;
    HttpHeaders headers = request.headers();
    Status wrong = wrongFraming(headers, http11);
    if (wrong != null) {
      return refused(wrong, http11, false, head);
    }
    boolean keepsAlive = keepsAlive(request, http11);
    boolean small = bodyIsSmall(request, config);
    boolean keepAlive = keepsAlive && small;
    String expected = headers.get(HttpHeaderNames.EXPECT);
    if (http11 && expected != null && !expected.equalsIgnoreCase(CONTINUE)) {
      return refused(Status.EXPECTATION_FAILED, true, keepAlive, head);
    }
    boolean put = method.equals(HttpMethod.PUT);
    boolean changes = config.requests().writable() && (put || method.equals(HttpMethod.DELETE));
    if (!head && !changes && !method.equals(HttpMethod.GET)) {
      boolean known = KNOWN_BUT_NOT_ALLOWED.contains(method.name());
      return refused(
          known ? Status.METHOD_NOT_ALLOWED : Status.NOT_IMPLEMENTED, http11, keepAlive, false);
    }
    RequestTarget target = RequestTarget.parse(request.uri());
    if (target == null) {
      return refused(Status.BAD_REQUEST, http11, keepAlive, head);
    }
    ChangeRequest change = null;
    if (changes) {
      long size = bodySize(request);
      Status refusal = put ? whatIsWrong(target, headers, http11) : null;
      if (refusal != null) {
        return refused(refusal, http11, keepAlive, false);
      }
      change = ChangeRequest.of(headers, size, small, http11);
    }
    return new Request(
        null,
        head,
        http11,
        put ? keepsAlive : keepAlive,
        target,
        Conditions.of(headers),
        target.directory() ? Conditions.joined(headers, HttpHeaderNames.ACCEPT) : null,
        change,
        put);
  }

  /** A request that is answered at once. */
  public static Request refused(Status status, boolean http11, boolean keepAlive, boolean head) {
    return new Request(status, head, http11, keepAlive, null, Conditions.NONE, null, null, false);
  }

  /** The same request as the last of its connection. */
  public Request asLast() {
    return new Request(refusal, head, http11, false, target, conditions, accept, change, put);
  }

  /**
   * The same request as it is refused: a small body is read over, behind a larger one that has not
   * come whole it is the last of its connection.
   *
   * @param insideBody whether a part of its body is still to come
   */
  public Request asRefused(boolean insideBody) {
    return change == null || change.bodyIsSmall() || !insideBody ? this : asLast();
  }

  /** Whether a page about a directory is refused by a condition. */
  public boolean refusesPages() {
    return conditions.failForPage();
  }

  private static Request broken(@Nullable Throwable cause) {
    Status status =
        switch (cause) {
          case TooLongHttpLineException line -> Status.URI_TOO_LONG;
          case TooLongHttpHeaderException header -> Status.HEADER_FIELDS_TOO_LARGE;
          case null, default -> Status.BAD_REQUEST;
        };
    return refused(status, true, false, false);
  }

  /** What makes it unsafe to say where this request ends or whom it is for. */
  private static @Nullable Status wrongFraming(HttpHeaders headers, boolean http11) {
    String coding = headers.get(HttpHeaderNames.TRANSFER_ENCODING);
    if (coding != null && !http11) {
      return Status.BAD_REQUEST;
    }
    if (coding != null && headers.contains(HttpHeaderNames.CONTENT_LENGTH)) {
      return Status.BAD_REQUEST;
    }
    if (coding != null && !coding.equalsIgnoreCase("chunked")) {
      return Status.NOT_IMPLEMENTED;
    }
    if (!http11) {
      return null;
    }
    List<String> hosts = headers.getAll(HttpHeaderNames.HOST);
    return hosts.size() == 1 && isHost(hosts.getFirst()) ? null : Status.BAD_REQUEST;
  }

  /** Why a PUT cannot be served, whatever the store holds. */
  private static @Nullable Status whatIsWrong(
      RequestTarget target, HttpHeaders headers, boolean http11) {
    if (target.directory()) {
      return Status.CONFLICT; // the name of a directory
    }
    if (!http11 && !headers.contains(HttpHeaderNames.CONTENT_LENGTH)) {
      return Status.LENGTH_REQUIRED;
    }
    return ChangeRequest.whatIsWrong(headers);
  }

  private static long bodySize(HttpRequest request) {
    return request.headers().contains(HttpHeaderNames.TRANSFER_ENCODING)
        ? ChangeRequest.UNKNOWN_SIZE
        : HttpUtil.getContentLength(request, 0L);
  }

  private static boolean isHost(String host) {
    for (int i = 0; i < host.length(); i++) {
      char c = host.charAt(i);
      if (c <= ' ' || c >= 127 || "/?#@\\<>\"".indexOf(c) >= 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean keepsAlive(HttpRequest request, boolean http11) {
    HttpHeaders headers = request.headers();
    if (!headers.contains(HttpHeaderNames.CONNECTION)) {
      return http11;
    }
    return http11
        ? !headers.containsValue(HttpHeaderNames.CONNECTION, "close", true)
        : headers.containsValue(HttpHeaderNames.CONNECTION, "keep-alive", true);
  }

  /** Whether the path asked for ends with a slash. */
  public boolean asksForDirectory() {
    return Invariants.present(target, "target of a request").directory();
  }

  /** Whether it pays to read the body over instead of closing behind the response. */
  private static boolean bodyIsSmall(HttpRequest request, HttpConfig config) {
    HttpHeaders headers = request.headers();
    if (headers.contains(HttpHeaderNames.TRANSFER_ENCODING)) {
      return false;
    }
    long length = HttpUtil.getContentLength(request, 0L);
    return length == 0
        || (length <= config.requests().maxDiscardedBodyBytes()
            && !headers.contains(HttpHeaderNames.EXPECT));
  }
}
