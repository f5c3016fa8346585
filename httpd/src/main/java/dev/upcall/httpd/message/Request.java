package dev.upcall.httpd.message;

import dev.upcall.base.Invariants;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.HttpCounters;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.Status;
import dev.upcall.httpd.web.WebRules;
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
import java.util.function.Supplier;
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
 * @param accept the media types that the client likes; null when it does not say
 * @param change what a PUT, PATCH or DELETE says; null for GET and HEAD
 * @param put whether it is a PUT
 * @param web what is told to browsers; null where nothing is, and for what was refused at once
 * @param upload what it says of a resumable upload; null for all else
 */
public record Request(
    @Nullable Refusal refusal,
    boolean head,
    boolean http11,
    boolean keepAlive,
    @Nullable RequestTarget target,
    Conditions conditions,
    @Nullable String accept,
    @Nullable ChangeRequest change,
    boolean put,
    @Nullable WebAsk web,
    @Nullable ResumableAsk upload) {

  private static final Set<String> KNOWN_BUT_NOT_ALLOWED =
      Set.of("POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT");

  private static final String CONTINUE = "100-continue";

  private static final Refusal NO_HTTP =
      new Refusal(Status.BAD_REQUEST, "the request is not what HTTP/1.1 wants it to be");
  private static final Refusal OTHER_VERSION =
      new Refusal(Status.VERSION_NOT_SUPPORTED, "this server speaks HTTP/1.1 and 1.0");
  private static final Refusal AMBIGUOUS_BODY =
      new Refusal(
          Status.BAD_REQUEST, "the end of the body can be read in two ways: Transfer-Encoding");
  private static final Refusal OTHER_CODING =
      new Refusal(Status.NOT_IMPLEMENTED, "chunked is the only Transfer-Encoding of this server");
  private static final Refusal BAD_HOST =
      new Refusal(Status.BAD_REQUEST, "one Host field has to name a host, perhaps with a port");
  private static final Refusal OTHER_HOST =
      new Refusal(Status.MISDIRECTED_REQUEST, "the request names another host than this one");
  private static final Refusal NOT_SECURED =
      new Refusal(Status.MISDIRECTED_REQUEST, "https was asked for on a connection without TLS");
  private static final Refusal OTHER_EXPECTATION =
      new Refusal(Status.EXPECTATION_FAILED, "100-continue is all that this server can fulfil");
  private static final Refusal NO_PATH =
      new Refusal(Status.BAD_REQUEST, "the target of the request can be no path of a store");
  private static final Refusal NO_LENGTH =
      new Refusal(Status.LENGTH_REQUIRED, "a body of HTTP/1.0 needs a Content-Length");

  /** Counts it, and what its head was refused for. */
  public void countIn(HttpCounters counters) {
    counters.add(HttpCount.REQUESTS);
    if (refusal != null) {
      counters.refusedHead(refusal);
    }
  }

  /**
   * Judges a request.
   *
   * @param secured whether it came over TLS, at least up to a proxy that is trusted
   */
  public static Request of(HttpRequest request, HttpConfig config, boolean secured) {
    if (request.decoderResult().isFailure()) {
      return refused(whatIsBroken(request.decoderResult().cause(), config));
    }
    HttpVersion version = request.protocolVersion();
    HttpMethod method = request.method();
    boolean head = method.equals(HttpMethod.HEAD);
    if (version.majorVersion() != 1 || !version.protocolName().equals("HTTP")) {
      return refused(OTHER_VERSION, true, false, head, null);
    }
    boolean http11 = version.minorVersion() > 0;
    HttpHeaders headers = request.headers();
    String accept = Conditions.joined(headers, HttpHeaderNames.ACCEPT);
    Refusal wrong = wrongFraming(headers, http11);
    if (wrong != null) {
      return refused(wrong, http11, false, head, accept);
    }
    if (!isMeant(request, config.policy().hosts())) {
      return refused(OTHER_HOST, http11, false, head, accept);
    }
    boolean keepsAlive = keepsAlive(request, http11);
    boolean small = bodyIsSmall(request, config);
    boolean keepAlive = keepsAlive && small;
    String expected = headers.get(HttpHeaderNames.EXPECT);
    if (http11 && expected != null && !expected.equalsIgnoreCase(CONTINUE)) {
      return refused(OTHER_EXPECTATION, true, keepAlive, head, accept);
    }
    boolean put = method.equals(HttpMethod.PUT);
    boolean patch = method.equals(HttpMethod.PATCH);
    boolean changes =
        config.requests().writable() && (put || patch || method.equals(HttpMethod.DELETE));
    Supplier<WebRules> rules = config.policy().web().orElse(null);
    boolean resumable = config.requests().writable() && config.policy().resumable().isPresent();
    boolean options = (rules != null || resumable) && method.equals(HttpMethod.OPTIONS);
    if (!head && !changes && !options && !method.equals(HttpMethod.GET)) {
      return refused(notServed(method), http11, keepAlive, false, accept);
    }
    boolean ofAll = options && request.uri().equals("*"); // RFC 9110, section 9.3.7
    RequestTarget target = RequestTarget.parse(ofAll ? "/" : request.uri());
    if (target == null) {
      return refused(NO_PATH, http11, keepAlive, head, accept);
    }
    if (!secured && RequestTarget.isHttps(request.uri())) { // RFC 9110, section 7.4
      return refused(NOT_SECURED, http11, keepAlive, head, accept);
    }
    ResumableAsk upload = resumable ? ResumableAsk.of(request, target) : null;
    if (upload != null && upload.id() != null) {
      Refusal refusal = upload.whatIsWrong(headers);
      if (refusal != null) {
        return refused(refusal, http11, keepAlive, head, accept);
      }
    }
    ChangeRequest change = null;
    if (changes) {
      long size = bodySize(request);
      Refusal refusal = put || patch ? whatIsWrong(target, request, http11, upload) : null;
      if (refusal != null) {
        return refused(refusal, http11, keepAlive, false, accept);
      }
      change = ChangeRequest.of(headers, size, small, http11);
      change = patch ? change.asPatch() : change;
      change = target.directory() ? change.ofDirectory() : change;
    }
    return new Request(
        null,
        head,
        http11,
        put || patch ? keepsAlive : keepAlive,
        target,
        Conditions.of(headers),
        accept,
        change,
        put,
        rules == null ? null : WebAsk.of(rules.get(), target, request),
        upload);
  }

  /** A request of which no more is known than why it is the last one that is answered. */
  public static Request refused(Refusal refusal) {
    return refused(refusal, true, false, false, null);
  }

  private static Request refused(
      Refusal refusal, boolean http11, boolean keepAlive, boolean head, @Nullable String accept) {
    return new Request(
        refusal, head, http11, keepAlive, null, Conditions.NONE, accept, null, false, null, null);
  }

  /** The same request as the last of its connection. */
  public Request asLast() {
    return new Request(
        refusal, head, http11, false, target, conditions, accept, change, put, web, upload);
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

  /** Whether it is a GET or HEAD that can be served and behind which its client sends no other. */
  public boolean isClientsLast() {
    return refusal == null && change == null && !keepAlive;
  }

  /** Whether a page about a directory is refused by a condition. */
  public boolean refusesPages() {
    return conditions.failForPage();
  }

  private static Refusal whatIsBroken(@Nullable Throwable cause, HttpConfig config) {
    return switch (cause) {
      case TooLongHttpLineException line ->
          new Refusal(
              Status.URI_TOO_LONG,
              "the request line is longer than %d bytes"
                  .formatted(config.requests().maxLineBytes()));
      case TooLongHttpHeaderException header ->
          new Refusal(
              Status.HEADER_FIELDS_TOO_LARGE,
              "the header section is larger than %d bytes"
                  .formatted(config.requests().maxHeaderBytes()));
      case null, default -> NO_HTTP;
    };
  }

  private static Refusal notServed(HttpMethod method) {
    return KNOWN_BUT_NOT_ALLOWED.contains(method.name())
        ? new Refusal(Status.METHOD_NOT_ALLOWED, method.name() + " is not served here")
        : new Refusal(Status.NOT_IMPLEMENTED, method.name() + " is no method of this server");
  }

  /** What makes it unsafe to say where this request ends or whom it is for. */
  private static @Nullable Refusal wrongFraming(HttpHeaders headers, boolean http11) {
    String coding = Conditions.joined(headers, HttpHeaderNames.TRANSFER_ENCODING);
    if (coding != null && (!http11 || headers.contains(HttpHeaderNames.CONTENT_LENGTH))) {
      return AMBIGUOUS_BODY;
    }
    if (coding != null && !coding.equalsIgnoreCase("chunked")) {
      return OTHER_CODING;
    }
    List<String> hosts = headers.getAll(HttpHeaderNames.HOST);
    if (hosts.isEmpty()) {
      return http11 ? BAD_HOST : null;
    }
    String host = hosts.getFirst();
    return hosts.size() == 1 && Authority.isHost(host, 0, host.length()) ? null : BAD_HOST;
  }

  /** Whether it names one of those hosts, if only some are meant; its Host field was checked. */
  private static boolean isMeant(HttpRequest request, Set<String> hosts) {
    if (hosts.isEmpty()) {
      return true;
    }
    String target = RequestTarget.authority(request.uri());
    String host = target == null ? request.headers().get(HttpHeaderNames.HOST) : target;
    return host == null || Authority.isAddress(host) || hosts.contains(Authority.name(host));
  }

  /** Why a PUT or PATCH cannot be served, whatever the store holds. */
  private static @Nullable Refusal whatIsWrong(
      RequestTarget target, HttpRequest request, boolean http11, @Nullable ResumableAsk upload) {
    HttpHeaders headers = request.headers();
    boolean put = request.method().equals(HttpMethod.PUT);
    if (target.directory()) {
      String does = put ? "PUT makes files" : "PATCH changes files";
      return new Refusal(Status.CONFLICT, target.asDirectory() + " names a directory, and " + does);
    }
    if (!http11 && !headers.contains(HttpHeaderNames.CONTENT_LENGTH)) {
      return NO_LENGTH;
    }
    if (upload != null) {
      return put ? ChangeRequest.whatIsWrong(headers) : null;
    }
    Refusal part = ResumableAsk.whatIsWrongWithPart(headers);
    if (part != null) {
      return part;
    }
    return put ? ChangeRequest.whatIsWrong(headers) : ChangeRequest.whatIsWrongWithPatch(headers);
  }

  private static long bodySize(HttpRequest request) {
    return request.headers().contains(HttpHeaderNames.TRANSFER_ENCODING)
        ? ChangeRequest.UNKNOWN_SIZE
        : HttpUtil.getContentLength(request, 0L);
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

  /** Whether content may be read twice or out of order for it. */
  public boolean readsAnew() {
    return conditions.asksForParts() || (web != null && web.wantsDigest());
  }

  /** Whether it asks what may be asked. */
  public boolean isOptions() {
    return (web != null && web.isOptions()) || (upload != null && upload.asksForLimits());
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
