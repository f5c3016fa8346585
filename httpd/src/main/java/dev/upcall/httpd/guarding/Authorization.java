package dev.upcall.httpd.guarding;

import dev.upcall.guard.Credentials;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The Authorization field (RFC 9110, section 11.6.2): a token as Bearer (RFC 6750) or as the
 * password of Basic (RFC 7617), whose user name does not count.
 */
public final class Authorization {
  private static final String BEARER = "Bearer ";
  private static final String BASIC = "Basic ";

  /** The secret in a field that cannot be read: nobody has it. */
  private static final String NOBODYS = "";

  private Authorization() {}

  /** The field as it came; null without one. Of several it is a text that nobody has. */
  public static @Nullable String field(HttpHeaders headers) {
    if (!headers.contains(HttpHeaderNames.AUTHORIZATION)) {
      return null;
    }
    List<String> fields = headers.getAll(HttpHeaderNames.AUTHORIZATION);
    return fields.size() == 1 ? fields.getFirst() : NOBODYS;
  }

  /** The credentials in a field. */
  public static Credentials read(String field) {
    if (startsWith(field, BEARER)) {
      return Credentials.ofSecret(field.substring(BEARER.length()).strip());
    }
    return Credentials.ofSecret(startsWith(field, BASIC) ? password(field) : NOBODYS);
  }

  private static boolean startsWith(String field, String scheme) {
    return field.regionMatches(/* ignoreCase= */ true, 0, scheme, 0, scheme.length());
  }

  private static String password(String field) {
    try {
      byte[] pair = Base64.getDecoder().decode(field.substring(BASIC.length()).strip());
      String text = new String(pair, StandardCharsets.UTF_8);
      return text.substring(text.indexOf(':') + 1);
    } catch (IllegalArgumentException broken) {
      return NOBODYS;
    }
  }
}
