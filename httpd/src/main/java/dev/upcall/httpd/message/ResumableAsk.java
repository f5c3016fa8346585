package dev.upcall.httpd.message;

import dev.upcall.httpd.HttpVerb;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.ResumableUploads;
import dev.upcall.httpd.Status;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.AsciiString;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a request about a resumable upload. OPTIONS asks for the limits, and a PUT begins
 * one; GET, HEAD, PATCH and DELETE are about one, which is called by the path that it is for and
 * {@value #PARAMETER} in the query.
 *
 * @param verb the method
 * @param versioned whether its client knows this version of the draft, and so interim answers
 * @param id of the upload; null for one that is to begin
 * @param complete whether the upload ends with the body; null where the request does not say
 * @param offset of the body in the file
 * @param length of the whole file
 */
public record ResumableAsk(
    HttpVerb verb,
    boolean versioned,
    @Nullable String id,
    @Nullable Boolean complete,
    OptionalLong offset,
    OptionalLong length) {
  /** The parameter of the query that names an upload. */
  public static final String PARAMETER = "upload";

  private static final AsciiString COMPLETE = AsciiString.cached("upload-complete");
  private static final AsciiString OFFSET = AsciiString.cached("upload-offset");
  private static final AsciiString LENGTH = AsciiString.cached("upload-length");
  private static final AsciiString VERSION = AsciiString.cached("upload-draft-interop-version");
  private static final String MEDIA_TYPE = "application/partial-upload";

  /** An Item of RFC 9651 that is a Boolean or a number that is not negative, with parameters. */
  private static final Pattern ITEM =
      Pattern.compile(" *(\\?[01]|[0-9]{1,15})(?:; *[a-z*][a-z0-9_.*-]*(?:=[^;,]*)?)* *");

  private static final Refusal NOT_OFFERED =
      new Refusal(
          Status.BAD_REQUEST,
          "a part of a file begins a resumable upload, which is not offered here, or not in that"
              + " version of the draft, or not with a digest");
  private static final Refusal OTHER_METHOD =
      new Refusal(
          Status.METHOD_NOT_ALLOWED,
          "an upload is looked at by HEAD, appended to by PATCH and cancelled by DELETE");
  private static final Refusal OTHER_TYPE =
      new Refusal(Status.UNSUPPORTED_MEDIA_TYPE, "an upload is appended to with " + MEDIA_TYPE);
  private static final Refusal NO_OFFSET =
      new Refusal(Status.BAD_REQUEST, "an append has the fields Upload-Offset and Upload-Complete");
  private static final Refusal NO_DIGEST =
      new Refusal(
          Status.BAD_REQUEST, "no digests are checked of an upload that comes in several requests");

  /** Reads the fields; null for a request that is about no resumable upload. */
  static @Nullable ResumableAsk of(HttpRequest request, RequestTarget target) {
    HttpHeaders headers = request.headers();
    HttpVerb verb = HttpVerb.of(request.method());
    Boolean complete = truth(headers);
    boolean options = request.method().equals(HttpMethod.OPTIONS);
    String id = options ? null : target.parameter(PARAMETER);
    boolean versioned =
        number(headers, VERSION).equals(OptionalLong.of(ResumableUploads.INTEROP_VERSION));
    boolean begins =
        verb == HttpVerb.PUT
            && complete != null
            && versioned
            && !DigestFields.areIn(headers); // with them it is an upload like any other
    return id == null && !begins && !options
        ? null
        : new ResumableAsk(
            verb, versioned, id, complete, number(headers, OFFSET), number(headers, LENGTH));
  }

  /** Why a request about an upload cannot be served, whatever was uploaded; null if it can. */
  @Nullable Refusal whatIsWrong(HttpHeaders headers) {
    if (verb == HttpVerb.PUT || verb == HttpVerb.OTHER) {
      return OTHER_METHOD;
    }
    if (verb != HttpVerb.PATCH) {
      return null;
    }
    if (ChangeRequest.isCoded(headers)) {
      return ChangeRequest.CODED;
    }
    if (!MEDIA_TYPE.equalsIgnoreCase(headers.get(HttpHeaderNames.CONTENT_TYPE))) {
      return OTHER_TYPE;
    }
    if (complete == null || offset.isEmpty()) {
      return NO_OFFSET;
    }
    return DigestFields.areIn(headers) ? NO_DIGEST : null;
  }

  /** Why a request that begins no resumable upload must not be taken for all of a file. */
  static @Nullable Refusal whatIsWrongWithPart(HttpHeaders headers) {
    return Boolean.FALSE.equals(truth(headers)) ? NOT_OFFERED : null;
  }

  /** Whether it is about no upload, but about what there may be. */
  public boolean asksForLimits() {
    return verb == HttpVerb.OTHER && id == null;
  }

  /** Whether the body is the rest of the file. */
  public boolean isLast() {
    return Boolean.TRUE.equals(complete);
  }

  private static @Nullable Boolean truth(HttpHeaders headers) {
    return switch (item(headers, COMPLETE)) {
      case "?1" -> Boolean.TRUE;
      case "?0" -> Boolean.FALSE;
      default -> null;
    };
  }

  private static OptionalLong number(HttpHeaders headers, AsciiString name) {
    String value = item(headers, name);
    return value.isEmpty() || value.startsWith("?")
        ? OptionalLong.empty()
        : OptionalLong.of(Long.parseLong(value));
  }

  /** The value of a field; empty where there is none, or one that does not count. */
  private static String item(HttpHeaders headers, AsciiString name) {
    List<String> lines = headers.getAll(name);
    Matcher read = ITEM.matcher(lines.size() == 1 ? lines.getFirst() : "");
    return read.matches() ? read.group(1) : "";
  }
}
