package dev.upcall.httpd.message;

import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.Status;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The fields of RFC 9530: digests of what is sent, and the wish for them. */
public final class DigestFields {
  private static final AsciiString CONTENT = AsciiString.cached("content-digest");
  private static final AsciiString REPRESENTATION = AsciiString.cached("repr-digest");
  private static final Pattern MEMBER =
      Pattern.compile("([a-z*][a-z0-9_.*-]{0,63})=(?::([A-Za-z0-9+/=]{0,512}):|([^:,\\s][^,]*))");
  private static final Pattern WISH = Pattern.compile("[ \t]*sha-256=(?:[1-9]|10)[ \t]*");

  private static final Refusal BROKEN =
      new Refusal(
          Status.BAD_REQUEST, "Content-Digest and Repr-Digest are lists such as sha-256=:BASE64:");

  /** The body is not what its sender said. */
  public static final Refusal OTHER_DIGEST =
      new Refusal(
          Status.BAD_REQUEST, "the body does not have the digest that the request names for it");

  private DigestFields() {}

  /** A digest that a body must have; counts along while it comes. */
  public static final class Expected {
    private final MessageDigest counting;
    private final byte[] wanted;

    private Expected(String algorithm, byte[] wanted) {
      this.counting = digest(algorithm);
      this.wanted = wanted;
    }

    /** Whether what has come has it; begins anew. */
    boolean isMet() {
      return MessageDigest.isEqual(counting.digest(), wanted);
    }

    /** Counts a piece. */
    void take(ByteBuffer piece) {
      counting.update(piece);
    }
  }

  /** Whether a request names a digest. */
  static boolean areIn(HttpHeaders headers) {
    return headers.contains(CONTENT) || headers.contains(REPRESENTATION);
  }

  /** Why the fields cannot be read, or null. */
  static @Nullable Refusal whatIsWrong(HttpHeaders headers) {
    return of(headers) == null ? BROKEN : null;
  }

  /**
   * The digests that a body must have. It has no coding, so both fields are about the same bytes;
   * algorithms other than SHA-256 and SHA-512 do not count.
   *
   * @return null where a field cannot be read
   */
  static @Nullable List<Expected> of(HttpHeaders headers) {
    String content = Conditions.joined(headers, CONTENT);
    String representation = Conditions.joined(headers, REPRESENTATION);
    if (content == null && representation == null) {
      return List.of();
    }
    List<Expected> all = new ArrayList<>();
    return read(content, all) && read(representation, all) ? all : null;
  }

  private static boolean read(@Nullable String field, List<Expected> all) {
    for (String member : field == null ? new String[0] : field.split(",", -1)) {
      Matcher read = MEMBER.matcher(member.strip());
      if (!read.matches()) {
        return false;
      }
      String algorithm =
          switch (read.group(1)) {
            case "sha-256" -> "SHA-256";
            case "sha-512" -> "SHA-512";
            default -> "";
          };
      if (!algorithm.isEmpty()) {
        byte[] wanted = decoded(read.group(2));
        if (wanted == null) {
          return false;
        }
        all.add(new Expected(algorithm, wanted));
      }
    }
    return true;
  }

  private static byte @Nullable [] decoded(@Nullable String base64) {
    try {
      return base64 == null ? null : Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException none) {
      return null;
    }
  }

  /** Whether a Want-Content-Digest or Want-Repr-Digest field asks for SHA-256. */
  static boolean wants(@Nullable String field) {
    for (String member : field == null ? new String[0] : field.split(",", -1)) {
      if (WISH.matcher(member).matches()) {
        return true;
      }
    }
    return false;
  }

  /** A digest of nothing yet. */
  public static MessageDigest digest(String algorithm) {
    try {
      return MessageDigest.getInstance(algorithm);
    } catch (NoSuchAlgorithmException none) {
      throw new IllegalStateException("each Java has " + algorithm, none);
    }
  }

  /** A digest as a field has it. */
  public static String sha256(byte[] digest) {
    return "sha-256=:" + Base64.getEncoder().encodeToString(digest) + ":";
  }
}
