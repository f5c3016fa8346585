package dev.upcall.httpd.message;

import dev.upcall.FileInfo;
import dev.upcall.httpd.web.WebRules;
import dev.upcall.httpd.web.WebSection;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.AsciiString;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A request before the {@link WebRules} that are in force when it comes.
 *
 * @param section what they say at its path
 * @param method in capitals
 * @param origin of the page whose script asks; empty for none
 * @param encodings the Accept-Encoding field; empty for none
 * @param wantedMethod what a script asks whether it may; empty where it does not ask
 * @param wantedFields the fields that it would send, as it names them
 * @param wantsRepr whether it asks for the digest of a file
 * @param wantsContent whether it asks for that of what is sent
 */
public record WebAsk(
    WebSection section,
    String method,
    String origin,
    String encodings,
    String wantedMethod,
    String wantedFields,
    boolean wantsRepr,
    boolean wantsContent) {
  private static final AsciiString WANT_REPR = AsciiString.cached("want-repr-digest");
  private static final AsciiString WANT_CONTENT = AsciiString.cached("want-content-digest");
  private static final Pattern NAMES = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~, \t-]{1,1024}");
  private static final Pattern ORIGIN = Pattern.compile("[!-~]{1,300}");
  private static final Set<String> OF_EXPIRING = Set.of("cache-control");
  private static final Set<String> OF_PAGES =
      Set.of("content-security-policy", "x-content-type-options");

  /** Reads the header fields. */
  static WebAsk of(WebRules rules, RequestTarget target, HttpRequest request) {
    HttpHeaders headers = request.headers();
    String origin = Objects.requireNonNullElse(headers.get(HttpHeaderNames.ORIGIN), "");
    String encodings = Conditions.joined(headers, HttpHeaderNames.ACCEPT_ENCODING);
    boolean options = request.method().equals(HttpMethod.OPTIONS);
    String wanted = options ? headers.get(HttpHeaderNames.ACCESS_CONTROL_REQUEST_METHOD) : null;
    String fields =
        options ? Conditions.joined(headers, HttpHeaderNames.ACCESS_CONTROL_REQUEST_HEADERS) : null;
    WebSection section = rules.at(target.path());
    return new WebAsk(
        section,
        request.method().name(),
        ORIGIN.matcher(origin).matches() ? origin : "",
        Objects.requireNonNullElse(encodings, ""),
        Objects.requireNonNullElse(wanted, ""),
        fields == null || !NAMES.matcher(fields).matches() ? "" : fields,
        section.digests() && DigestFields.wants(Conditions.joined(headers, WANT_REPR)),
        section.digests() && DigestFields.wants(Conditions.joined(headers, WANT_CONTENT)));
  }

  /** Whether it asks for a digest. */
  public boolean wantsDigest() {
    return wantsRepr || wantsContent;
  }

  /** Whether it asks what may be asked. */
  public boolean isOptions() {
    return method.equals("OPTIONS");
  }

  /** The codings in which a neighbour may stand for the file, the first that is there. */
  public List<ContentCoding> codingsFor(FileInfo file) {
    return encodings.isEmpty() || !varies(file) ? List.of() : ContentCoding.accepted(encodings);
  }

  /** Whether other clients may get the file in another coding. */
  public boolean varies(FileInfo file) {
    return section.isPrecompressed(file.mediaType());
  }

  /** The field lines of a file. */
  public String fileLines(FileInfo file) {
    // A file that ends has a Cache-Control of its own.
    return section.fieldLines(file.times().hasExpiry() ? OF_EXPIRING : Set.of());
  }

  /** The field lines of a page about a directory, which has some of its own. */
  public String pageLines() {
    return section.fieldLines(OF_PAGES);
  }

  /** The field lines about the page whose script asks, of each answer. */
  public String originLines() {
    WebSection.Cors cors = section.cors().orElse(null);
    if (cors == null) {
      return "";
    }
    return isOptions()
        ? cors.preflight(wantedMethod, origin, wantedFields)
        : cors.lines(method, origin);
  }
}
