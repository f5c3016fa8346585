package dev.upcall.httpd;

import dev.upcall.fsm.Invariants;
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
 * @param refusal what to answer at once, or null for a GET or HEAD that can be served
 * @param head whether the response must have no body
 * @param http11 whether the client knows chunked coding
 * @param keepAlive whether the connection stays open after the response
 * @param target what is asked for; null only if refused
 * @param ifNoneMatch the condition, or null
 * @param ifModifiedSince the condition, or null
 */
record Request(
    @Nullable Status refusal,
    boolean head,
    boolean http11,
    boolean keepAlive,
    @Nullable RequestTarget target,
    @Nullable String ifNoneMatch,
    @Nullable String ifModifiedSince) {

  private static final Set<String> KNOWN_BUT_NOT_ALLOWED =
      Set.of("POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT");

  /** Judges a request. */
  static Request of(HttpRequest request, HttpConfig config) {
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
    boolean keepAlive = keepsAlive(request, http11) && bodyIsSmall(request, config);
    if (!head && !method.equals(HttpMethod.GET)) {
      boolean known = KNOWN_BUT_NOT_ALLOWED.contains(method.name());
      return refused(
          known ? Status.METHOD_NOT_ALLOWED : Status.NOT_IMPLEMENTED, http11, keepAlive, false);
    }
    RequestTarget target = RequestTarget.parse(request.uri());
    if (target == null) {
      return refused(Status.BAD_REQUEST, http11, keepAlive, head);
    }
    return new Request(
        null,
        head,
        http11,
        keepAlive,
        target,
        joined(headers, HttpHeaderNames.IF_NONE_MATCH),
        headers.get(HttpHeaderNames.IF_MODIFIED_SINCE));
  }

  /** A request that is answered at once. */
  static Request refused(Status status, boolean http11, boolean keepAlive, boolean head) {
    return new Request(status, head, http11, keepAlive, null, null, null);
  }

  /** The same request as the last of its connection. */
  Request asLast() {
    return new Request(refusal, head, http11, false, target, ifNoneMatch, ifModifiedSince);
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
    if (coding != null && !coding.equalsIgnoreCase("chunked")) {
      return Status.NOT_IMPLEMENTED;
    }
    if (!http11) {
      return null;
    }
    List<String> hosts = headers.getAll(HttpHeaderNames.HOST);
    return hosts.size() == 1 && isHost(hosts.getFirst()) ? null : Status.BAD_REQUEST;
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
  boolean asksForDirectory() {
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
        || (length <= config.maxDiscardedBodyBytes() && !headers.contains(HttpHeaderNames.EXPECT));
  }

  private static @Nullable String joined(HttpHeaders headers, CharSequence name) {
    if (!headers.contains(name)) {
      return null;
    }
    List<String> values = headers.getAll(name);
    return values.size() == 1 ? values.getFirst() : String.join(",", values);
  }
}
