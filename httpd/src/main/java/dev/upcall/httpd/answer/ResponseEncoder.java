package dev.upcall.httpd.answer;

import dev.upcall.FileInfo;
import dev.upcall.base.Clock;
import dev.upcall.httpd.GeneratedResponse;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.ResumableUploads;
import dev.upcall.httpd.Status;
import dev.upcall.httpd.listing.HtmlListing;
import dev.upcall.httpd.message.Acceptance;
import dev.upcall.httpd.message.Conditions;
import dev.upcall.httpd.message.ContentCoding;
import dev.upcall.httpd.message.DigestFields;
import dev.upcall.httpd.message.HttpDate;
import dev.upcall.httpd.message.PatchType;
import dev.upcall.httpd.message.Request;
import dev.upcall.httpd.message.WebAsk;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * Writes the heads of responses, from parts made beforehand, into an array; a finished head is
 * copied once into a buffer of its own. One thread at a time: all sessions of a dispatcher share
 * one, a thread with a connection has its own.
 */
@SuppressWarnings("EnumOrdinal") // tables of parts are indexed by status
public final class ResponseEncoder {
  private static final long NANOS_IN_SECOND = 1_000_000_000L;
  private static final byte[] DATE = ascii("\r\nDate: ");
  private static final byte[] CONTENT_TYPE = ascii("\r\nContent-Type: ");
  private static final byte[] CONTENT_LENGTH = ascii("\r\nContent-Length: ");
  private static final byte[] CONTENT_RANGE = ascii("\r\nContent-Range: bytes ");
  private static final byte[] ACCEPT_RANGES = ascii("\r\nAccept-Ranges: bytes");
  private static final byte[] LAST_MODIFIED = ascii("\r\nLast-Modified: ");
  private static final byte[] ETAG = ascii("\r\nETag: \"");
  private static final byte[] VARY = ascii("\r\nVary: Accept");
  private static final byte[] VARY_ENCODING = ascii("\r\nVary: Accept-Encoding");
  private static final byte[] CONTENT_ENCODING = ascii("\r\nContent-Encoding: ");
  private static final byte[] REPR_DIGEST = ascii("\r\nRepr-Digest: ");
  private static final byte[] CONTENT_DIGEST = ascii("\r\nContent-Digest: ");
  private static final byte[] OPTIONS = ascii(", OPTIONS");
  private static final byte[] NO_SNIFF = ascii("\r\nX-Content-Type-Options: nosniff");
  private static final byte[] POLICY = ascii("\r\nContent-Security-Policy: " + HtmlListing.POLICY);
  private static final byte[] LOCATION = ascii("\r\nLocation: ");
  private static final byte[] CHUNKED = ascii("\r\nTransfer-Encoding: chunked");
  private static final byte[] CLOSE = ascii("\r\nConnection: close");
  private static final byte[] KEEP_ALIVE = ascii("\r\nConnection: keep-alive");
  private static final byte[] READABLE = ascii("\r\nAllow: GET, HEAD");
  private static final byte[] WRITABLE = ascii("\r\nAllow: GET, HEAD, PUT, PATCH, DELETE");
  private static final byte[] ACCEPT_PATCH = ascii("\r\nAccept-Patch: " + PatchType.ACCEPTED);
  private static final byte[] RETRY_AFTER = ascii("\r\nRetry-After: 1");
  private static final byte[] CHALLENGE =
      ascii(
          "\r\nWWW-Authenticate: Basic realm=\"upcall\", charset=\"UTF-8\""
              + "\r\nWWW-Authenticate: Bearer realm=\"upcall\"");
  private static final byte[] NO_BYTES = ascii("\r\nContent-Length: 0");
  private static final byte[] PROCEED = ascii("HTTP/1.1 100 Continue\r\n\r\n");
  private static final byte[] EXPIRES = ascii("\r\nCache-Control: no-cache\r\nExpires: ");
  private static final byte[] CACHE_CONTROL = ascii("\r\nCache-Control: no-store");
  private static final byte[] NOTHING = {};
  private static final byte[] END = ascii("\r\n\r\n");
  private static final byte[] HEX = ascii("0123456789abcdef");
  private static final byte[][] STATUS_LINES =
      each(words -> "HTTP/1.1 " + words + "\r\nServer: upcall");
  private static final String JSON = "application/json";
  private static final String PROBLEM = "application/problem+json";
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String UNKNOWN_TYPE = "application/octet-stream";

  private final Clock clock;
  private final byte[] allow;
  private final boolean options;
  private final String uploadLimits;
  private final byte[] date = new byte[HttpDate.LENGTH];
  private long dateSecond = Long.MIN_VALUE;
  private byte[] out = new byte[1024];
  private int length;

  /** Has written nothing. */
  public ResponseEncoder(Clock clock, HttpConfig config) {
    this.clock = clock;
    this.allow = config.requests().writable() ? WRITABLE : READABLE;
    ResumableUploads uploads =
        config.requests().writable() ? config.policy().resumable().orElse(null) : null;
    this.options = config.policy().web().isPresent() || uploads != null;
    this.uploadLimits =
        uploads == null
            ? ""
            : UploadAnswer.limits(config.requests().maxBodyBytes(), uploads.maxAge().toNanos());
  }

  private static byte[][] each(Function<String, String> text) {
    byte[][] table = new byte[Status.values().length][];
    for (Status status : Status.values()) {
      table[status.ordinal()] = ascii(text.apply(status.code() + " " + status.reason()));
    }
    return table;
  }

  /** The head of a file or of a part of it, or the whole of its 304. */
  ByteBuf file(FileAnswer response, Request request, IntFunction<ByteBuf> buffers) {
    FileInfo file = response.info();
    Status status = response.status();
    WebAsk web = request.web();
    RangeParts parts = response.parts();
    begin(status);
    if (status != Status.NOT_MODIFIED) {
      bytes(CONTENT_TYPE);
      text(parts == null ? mediaType(file, request) : parts.mediaType());
      bytes(CONTENT_LENGTH);
      decimal(response.lengthBytes());
      bytes(ACCEPT_RANGES);
    }
    if (status == Status.PARTIAL_CONTENT && parts == null) {
      bytes(CONTENT_RANGE);
      decimal(response.firstByte());
      text("-");
      decimal(response.firstByte() + response.lengthBytes() - 1);
      text("/");
      decimal(file.sizeBytes());
    }
    validators(file);
    if (file.times().hasExpiry()) {
      bytes(EXPIRES);
      date(Math.floorDiv(file.times().expiresNanos(), NANOS_IN_SECOND));
    }
    if (request.asksForDirectory()) {
      bytes(VARY); // its index page is what stands for a directory only where HTML is wanted
    }
    if (web != null) {
      told(web, response, request.head());
    }
    connection(request);
    bytes(END);
    if (parts != null) {
      bytes(parts.head(0));
    }
    return copy(buffers);
  }

  /** The type told for a file. */
  static String mediaType(FileInfo file, Request request) {
    String type = headerValue(file.mediaType(), UNKNOWN_TYPE);
    WebAsk web = request.web();
    return web == null ? type : web.section().withCharset(type);
  }

  private void told(WebAsk web, FileAnswer response, boolean head) {
    ContentCoding coding = response.coding();
    if (coding != null && response.status() != Status.NOT_MODIFIED) {
      bytes(CONTENT_ENCODING);
      text(coding.token());
    }
    if (web.varies(response.info())) {
      bytes(VARY_ENCODING);
    }
    text(web.fileLines(response.info()));
    byte[] digest = response.digest();
    if (digest != null && web.wantsRepr()) {
      bytes(REPR_DIGEST);
      text(DigestFields.sha256(digest));
    }
    if (digest != null && web.wantsContent() && response.status() == Status.OK && !head) {
      bytes(CONTENT_DIGEST);
      text(DigestFields.sha256(digest));
    }
  }

  /** The whole answer to OPTIONS. */
  ByteBuf options(Request request, IntFunction<ByteBuf> buffers) {
    begin(Status.NO_CONTENT);
    allow();
    text(uploadLimits);
    return end(request, buffers);
  }

  private void allow() {
    bytes(allow);
    if (options) {
      bytes(OPTIONS);
    }
  }

  /**
   * The whole answer to a PUT or PATCH that made, replaced or changed a file.
   *
   * @param lines more header fields
   */
  ByteBuf stored(
      Status status, String lines, FileInfo file, Request request, IntFunction<ByteBuf> buffers) {
    begin(status);
    text(lines);
    if (status != Status.NO_CONTENT) {
      bytes(NO_BYTES);
    }
    validators(file);
    return end(request, buffers);
  }

  /** The interim answer to a client that waits for leave to send a body. */
  ByteBuf proceed(IntFunction<ByteBuf> buffers) {
    return buffers.apply(PROCEED.length).writeBytes(PROCEED);
  }

  /** An answer about a resumable upload. */
  ByteBuf upload(UploadAnswer answer, Request request, IntFunction<ByteBuf> buffers) {
    Status status = answer.status();
    if (status == Status.UPLOAD_RESUMPTION_SUPPORTED) {
      length = 0;
      text(answer.interim());
      return copy(buffers);
    }
    begin(status);
    text(answer.lines());
    if (answer.refusal() != null) {
      return sentence(answer.refusal(), request, buffers);
    }
    if (!answer.problem().isEmpty()) {
      bytes(CONTENT_TYPE);
      text(PROBLEM);
      bytes(CONTENT_LENGTH);
      decimal(answer.problem().length());
      connection(request);
      bytes(END);
      text(answer.problem());
      return copy(buffers);
    }
    if (status != Status.NO_CONTENT) {
      bytes(NO_BYTES);
    }
    return end(request, buffers);
  }

  private void validators(FileInfo file) {
    bytes(LAST_MODIFIED);
    // RFC 9110, 8.8.2.1: a time that is yet to come, by this clock, is told as that of the answer.
    date(Math.min(Conditions.modifiedSeconds(file), dateSecond));
    bytes(ETAG);
    hexadecimal(file.id());
    room(1);
    out[length++] = '-';
    hexadecimal(file.version());
    room(1);
    out[length++] = '"';
  }

  private void date(long second) {
    room(HttpDate.LENGTH);
    HttpDate.write(second, out, length);
    length += HttpDate.LENGTH;
  }

  /** A whole 416. */
  ByteBuf rangeRefused(long sizeBytes, Request request, IntFunction<ByteBuf> buffers) {
    begin(Status.RANGE_NOT_SATISFIABLE);
    bytes(CONTENT_RANGE);
    text("*/");
    decimal(sizeBytes);
    return sentence(
        new Refusal(
            Status.RANGE_NOT_SATISFIABLE,
            "the file has %d bytes, and none of those asked for".formatted(sizeBytes)),
        request,
        buffers);
  }

  /** The head of a page about a directory, whose length is not known yet. */
  ByteBuf page(boolean json, Request request, IntFunction<ByteBuf> buffers) {
    begin(Status.OK);
    bytes(CONTENT_TYPE);
    text(json ? JSON : "text/html; charset=utf-8");
    bytes(VARY);
    bytes(NO_SNIFF);
    if (!json) {
      bytes(POLICY);
    }
    WebAsk web = request.web();
    if (web != null) {
      text(web.pageLines());
    }
    if (request.http11()) {
      bytes(CHUNKED);
    }
    return end(request, buffers);
  }

  /** A whole page that was made for this request. */
  ByteBuf page(GeneratedResponse page, Request request, IntFunction<ByteBuf> buffers) {
    begin(page.status());
    bytes(CONTENT_TYPE);
    text(page.mediaType());
    bytes(CACHE_CONTROL);
    bytes(CONTENT_LENGTH);
    decimal(page.body().length);
    connection(request);
    bytes(END);
    byte[] body = request.head() ? NOTHING : page.body();
    return buffers.apply(length + body.length).writeBytes(out, 0, length).writeBytes(body);
  }

  /** A whole redirect. */
  ByteBuf redirect(String location, Request request, IntFunction<ByteBuf> buffers) {
    begin(Status.MOVED_PERMANENTLY);
    bytes(LOCATION);
    text(location);
    String where = "the path of a directory ends with a slash: " + location;
    return sentence(new Refusal(Status.MOVED_PERMANENTLY, where), request, buffers);
  }

  /** The whole answer to a DELETE that was done. */
  ByteBuf deleted(Request request, IntFunction<ByteBuf> buffers) {
    begin(Status.NO_CONTENT);
    return end(request, buffers);
  }

  /** A whole response that says why there is no other. */
  ByteBuf refusal(Refusal refusal, Request request, IntFunction<ByteBuf> buffers) {
    Status status = refusal.status();
    begin(status);
    if (status == Status.METHOD_NOT_ALLOWED) {
      allow();
    }
    if (status == Status.UNSUPPORTED_MEDIA_TYPE || status == Status.PRECONDITION_REQUIRED) {
      bytes(ACCEPT_PATCH);
    }
    if (status == Status.SERVICE_UNAVAILABLE) {
      bytes(RETRY_AFTER);
    }
    if (status == Status.UNAUTHORIZED) {
      bytes(CHALLENGE);
    }
    return sentence(refusal, request, buffers);
  }

  private ByteBuf sentence(Refusal refusal, Request request, IntFunction<ByteBuf> buffers) {
    boolean json = Acceptance.prefersJson(request.accept());
    byte[] body = json ? RefusalBody.json(refusal) : RefusalBody.text(refusal);
    bytes(CONTENT_TYPE);
    text(json ? JSON : TEXT);
    bytes(VARY);
    bytes(NO_SNIFF);
    bytes(CONTENT_LENGTH);
    decimal(body.length);
    connection(request);
    bytes(END);
    if (!request.head()) {
      bytes(body);
    }
    return copy(buffers);
  }

  private void begin(Status status) {
    length = 0;
    bytes(STATUS_LINES[status.ordinal()]);
    bytes(DATE);
    long second = Math.floorDiv(clock.epochNanos(), NANOS_IN_SECOND);
    if (second != dateSecond) {
      HttpDate.write(second, date, 0);
      dateSecond = second;
    }
    bytes(date);
  }

  private ByteBuf end(Request request, IntFunction<ByteBuf> buffers) {
    connection(request);
    bytes(END);
    return copy(buffers);
  }

  /** The last fields of each head. */
  private void connection(Request request) {
    WebAsk web = request.web();
    if (web != null) {
      text(web.originLines());
    }
    if (!request.keepAlive()) {
      bytes(CLOSE);
    } else if (!request.http11()) {
      bytes(KEEP_ALIVE);
    }
  }

  private ByteBuf copy(IntFunction<ByteBuf> buffers) {
    return buffers.apply(length).writeBytes(out, 0, length);
  }

  /** A value that cannot end its line, or the other. */
  private static String headerValue(String value, String otherwise) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c < ' ' || c > '~') {
        return otherwise;
      }
    }
    return value.isEmpty() ? otherwise : value;
  }

  private void bytes(byte[] part) {
    room(part.length);
    System.arraycopy(part, 0, out, length, part.length);
    length += part.length;
  }

  private void text(String ascii) {
    int size = ascii.length();
    room(size);
    for (int i = 0; i < size; i++) {
      out[length + i] = (byte) ascii.charAt(i);
    }
    length += size;
  }

  private void decimal(long number) {
    room(20);
    int digits = 1;
    for (long rest = number; rest >= 10; rest /= 10) {
      digits++;
    }
    long rest = number;
    for (int i = digits - 1; i >= 0; i--) {
      out[length + i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    length += digits;
  }

  private void hexadecimal(long number) {
    room(16);
    int digits = Math.max(1, (67 - Long.numberOfLeadingZeros(number)) / 4);
    for (int i = digits - 1; i >= 0; i--) {
      out[length++] = HEX[(int) (number >>> (4 * i)) & 15];
    }
  }

  private void room(int more) {
    if (length + more > out.length) {
      out = Arrays.copyOf(out, Math.max(out.length * 2, length + more));
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
