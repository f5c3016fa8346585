package dev.upcall.httpd.message;

import dev.upcall.Existence;
import dev.upcall.Expiry;
import dev.upcall.FileCondition;
import dev.upcall.FileVersion;
import dev.upcall.LinkPolicy;
import dev.upcall.MediaTypes;
import dev.upcall.MetadataChange;
import dev.upcall.Parents;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.completion.Failure;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.Status;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a PUT, PATCH or DELETE says besides its path.
 *
 * @param sizeBytes of the body, or {@link #UNKNOWN_SIZE}
 * @param bodyIsSmall whether a refused body is read over instead of closing the connection
 * @param expectsContinue whether the client waits for 100 before it sends the body
 * @param mediaType what the client says the content is, or null
 * @param expiry when the file is to be gone by itself
 * @param condition what must hold of what is there
 * @param patch what the body of a PATCH is written in; null for all else
 * @param digests what the body must have
 */
public record ChangeRequest(
    long sizeBytes,
    boolean bodyIsSmall,
    boolean expectsContinue,
    @Nullable String mediaType,
    Expiry expiry,
    FileCondition condition,
    @Nullable PatchType patch,
    List<DigestFields.Expected> digests) {
  /** The size of a chunked body. */
  static final long UNKNOWN_SIZE = -1;

  /** As much as common types with their parameters need; the store keeps it with the file. */
  static final int MAX_MEDIA_TYPE_LENGTH = 127;

  /** How many seconds the file that a PUT makes is to live. */
  static final AsciiString EXPIRES_IN = AsciiString.cached("upcall-expires-in");

  private static final int MAX_EXPIRES_IN_DIGITS = 10;
  private static final long NANOS_IN_SECOND = 1_000_000_000L;
  private static final long FIRST_SECOND = Long.MIN_VALUE / NANOS_IN_SECOND;
  private static final long LAST_SECOND = Long.MAX_VALUE / NANOS_IN_SECOND - 1;

  static final Refusal CODED =
      new Refusal(Status.UNSUPPORTED_MEDIA_TYPE, "a body is taken without Content-Encoding");

  private static final Refusal NO_VERSION =
      new Refusal(
          Status.PRECONDITION_REQUIRED,
          "a PATCH names the version that it is made for: If-Match with its entity tag");

  private static final Refusal NO_MEDIA_TYPE =
      new Refusal(
          Status.BAD_REQUEST,
          "Content-Type is type/subtype, of at most " + MAX_MEDIA_TYPE_LENGTH + " characters");

  /** Reads the header fields. */
  static ChangeRequest of(HttpHeaders headers, long sizeBytes, boolean small, boolean http11) {
    List<String> ifMatch = headers.getAll(HttpHeaderNames.IF_MATCH);
    List<String> ifNoneMatch = headers.getAll(HttpHeaderNames.IF_NONE_MATCH);
    boolean anything = isStar(ifMatch);
    boolean nothing = isStar(ifNoneMatch);
    Optional<List<FileVersion>> anyOf = Optional.empty();
    OptionalLong unmodifiedSince = OptionalLong.empty();
    if (ifMatch.isEmpty()) {
      unmodifiedSince = unmodifiedSince(headers.get(HttpHeaderNames.IF_UNMODIFIED_SINCE));
    } else if (!anything || nothing) {
      anyOf = Optional.of(anything ? List.of() : versions(ifMatch, false));
    }
    return new ChangeRequest(
        sizeBytes,
        small,
        http11 && headers.contains(HttpHeaderNames.EXPECT),
        headers.get(HttpHeaderNames.CONTENT_TYPE),
        Objects.requireNonNullElse(expiry(headers), Expiry.NEVER),
        new FileCondition(
            nothing ? Existence.MUST_NOT_EXIST : anything ? Existence.MUST_EXIST : Existence.ANY,
            anyOf,
            nothing ? List.of() : versions(ifNoneMatch, true),
            unmodifiedSince,
            false),
        null,
        Objects.requireNonNullElse(DigestFields.of(headers), List.of()));
  }

  /** The same as a PATCH. */
  ChangeRequest asPatch() {
    return new ChangeRequest(
        sizeBytes,
        bodyIsSmall,
        expectsContinue,
        mediaType,
        expiry,
        condition,
        PatchType.of(mediaType),
        digests);
  }

  /** The same of what must be a directory. */
  ChangeRequest ofDirectory() {
    return new ChangeRequest(
        sizeBytes,
        bodyIsSmall,
        expectsContinue,
        mediaType,
        expiry,
        condition.ofDirectory(),
        patch,
        digests);
  }

  /** Why a body cannot be stored, whatever it is; null if it can. */
  static @Nullable Refusal whatIsWrong(HttpHeaders headers) {
    if (headers.contains(HttpHeaderNames.CONTENT_RANGE)) {
      // RFC 9110, section 9.3.4: no half files
      return new Refusal(Status.BAD_REQUEST, "PUT takes whole files: no Content-Range");
    }
    if (isCoded(headers)) {
      // a later GET could not say that it is coded
      return CODED;
    }
    if (expiry(headers) == null) {
      // rather than a file that stays
      return new Refusal(
          Status.BAD_REQUEST, "Upcall-Expires-In is a number of seconds of at most 10 digits");
    }
    String type = headers.get(HttpHeaderNames.CONTENT_TYPE);
    return type == null || isMediaType(type) ? DigestFields.whatIsWrong(headers) : NO_MEDIA_TYPE;
  }

  /** Why a PATCH cannot be done, whatever is there; null if it can. */
  static @Nullable Refusal whatIsWrongWithPatch(HttpHeaders headers) {
    if (isCoded(headers)) {
      return CODED;
    }
    if (PatchType.of(headers.get(HttpHeaderNames.CONTENT_TYPE)) == null) {
      return new Refusal(
          Status.UNSUPPORTED_MEDIA_TYPE, "the body of a PATCH is one of " + PatchType.ACCEPTED);
    }
    List<String> ifMatch = headers.getAll(HttpHeaderNames.IF_MATCH);
    return ifMatch.isEmpty() || isStar(ifMatch) ? NO_VERSION : DigestFields.whatIsWrong(headers);
  }

  /** Whether the content of a body comes in another form than its own. */
  static boolean isCoded(HttpHeaders headers) {
    for (String line : headers.getAll(HttpHeaderNames.CONTENT_ENCODING)) {
      for (String coding : line.split(",", -1)) {
        if (!coding.isBlank() && !coding.strip().equalsIgnoreCase("identity")) {
          return true;
        }
      }
    }
    return false;
  }

  /** How the store is to make the file; parents are made, links followed. */
  public PutOptions putOptions() {
    byte[] type = mediaType == null ? new byte[0] : mediaType.getBytes(StandardCharsets.US_ASCII);
    return new PutOptions(
        condition,
        Parents.MAKE,
        LinkPolicy.FOLLOW,
        MetadataChange.NONE.withAttribute(MediaTypes.ATTRIBUTE, type).withExpiry(expiry));
  }

  /** What to say when the store refuses to make the file. */
  public Refusal putRefused(Failure failure) {
    return putRefused(condition, failure);
  }

  /** The same of a file that is made under a condition. */
  public static Refusal putRefused(FileCondition condition, Failure failure) {
    return Refusal.of(putStatus(condition, failure), failure);
  }

  private static Status putStatus(FileCondition condition, Failure failure) {
    return switch (failure) {
      case Failure.AlreadyExists f when forbidsExistence(condition) -> Status.PRECONDITION_FAILED;
      case Failure.NotFound f when needsExistence(condition) -> Status.PRECONDITION_FAILED;
      case Failure.NotFound f -> Status.CONFLICT;
      case Failure.NotADirectory f -> Status.CONFLICT;
      case Failure.LinkLoop f -> Status.CONFLICT;
      default -> Status.of(failure);
    };
  }

  /** What to say when the store refuses to delete. */
  public Refusal deleteRefused(StorePath path, Failure failure) {
    return Refusal.of(deleteStatus(path, failure), failure);
  }

  private Status deleteStatus(StorePath path, Failure failure) {
    return switch (failure) {
      case Failure.NotADirectory(String what) when what.equals(path.toString()) ->
          Status.CONFLICT; // a file was named like a directory
      case Failure.NotFound f when needsExistence(condition) -> Status.PRECONDITION_FAILED;
      case Failure.NotADirectory f when needsExistence(condition) -> Status.PRECONDITION_FAILED;
      case Failure.Invalid f -> Status.CONFLICT; // the root
      default -> Status.of(failure);
    };
  }

  /** Whether nothing may be there. */
  public boolean forbidsExistence() {
    return forbidsExistence(condition);
  }

  private static boolean forbidsExistence(FileCondition condition) {
    return condition.existence() == Existence.MUST_NOT_EXIST;
  }

  private static boolean needsExistence(FileCondition condition) {
    return condition.existence() == Existence.MUST_EXIST || condition.anyOf().isPresent();
  }

  /** What the field says; null when it cannot be meant. */
  private static @Nullable Expiry expiry(HttpHeaders headers) {
    List<String> fields = headers.getAll(EXPIRES_IN);
    if (fields.isEmpty()) {
      return Expiry.NEVER;
    }
    String seconds = fields.getFirst().strip();
    boolean digits = seconds.chars().allMatch(c -> c >= '0' && c <= '9');
    if (fields.size() > 1
        || !digits
        || seconds.isEmpty()
        || seconds.length() > MAX_EXPIRES_IN_DIGITS) {
      return null;
    }
    Duration live = Duration.ofSeconds(Long.parseLong(seconds));
    return live.isZero() ? null : Expiry.after(live);
  }

  private static boolean isStar(List<String> fields) {
    return fields.size() == 1 && EntityTags.isAny(fields.getFirst());
  }

  /** The second of Last-Modified holds all changes within it; no file's time is out of range. */
  private static OptionalLong unmodifiedSince(@Nullable String date) {
    long second = date == null ? HttpDate.NONE : HttpDate.parse(date);
    if (second == HttpDate.NONE) {
      return OptionalLong.empty();
    }
    long inRange = Math.clamp(second, FIRST_SECOND, LAST_SECOND);
    return OptionalLong.of(inRange * NANOS_IN_SECOND + NANOS_IN_SECOND - 1);
  }

  /** The states of ours that lists of entity tags name; tags of others match nothing. */
  private static List<FileVersion> versions(List<String> fields, boolean weak) {
    List<FileVersion> versions = new ArrayList<>(fields.size());
    for (String tag : EntityTags.parse(String.join(",", fields), weak)) {
      FileVersion.parse(tag).ifPresent(versions::add);
    }
    return versions;
  }

  private static boolean isMediaType(String type) {
    int slash = type.indexOf('/');
    if (slash < 1 || slash == type.length() - 1 || type.length() > MAX_MEDIA_TYPE_LENGTH) {
      return false;
    }
    for (int i = 0; i < type.length(); i++) {
      if (type.charAt(i) < ' ' || type.charAt(i) > '~') {
        return false;
      }
    }
    return true;
  }
}
