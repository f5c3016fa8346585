package dev.upcall.httpd.guarding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.UpcallException;
import dev.upcall.guard.AccessRules;
import dev.upcall.guard.AccessSecret;
import dev.upcall.httpd.BufferLeakCheck;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpPolicy;
import dev.upcall.httpd.SessionWorld;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Logins that are changed in some way: each is the right one, or nobody's, or no request. */
@ExtendWith(BufferLeakCheck.class)
class LoginFuzzTest {
  private static final int ROUNDS = 3_000;
  private static final String SECRET = "upcall_AAAAAAAAAAAAAAAAAAAAAAAAAAA";

  private final SplittableRandom random = new SplittableRandom(1);

  @Test
  void aChangedLoginIsNobodys() {
    String digest = HexFormat.of().formatHex(AccessSecret.digest(SECRET));
    String rules = "token alice sha256:" + digest + "\nallow read / alice\n";
    HttpPolicy policy =
        HttpPolicy.OPEN.withAccess(UpcallException.value(AccessRules.parse("rules", rules)));
    SessionWorld world = new SessionWorld(1, HttpConfig.defaults().withPolicy(policy));
    world.site.file("/a", "content");
    int[] right = new int[2];
    for (int round = 0; round < ROUNDS; round++) {
      boolean basic = random.nextBoolean();
      String field = basic ? "Basic " + base64("x:" + SECRET) : "Bearer " + SECRET;
      String changed = changed(field);
      int status =
          world
              .exchange("GET /a HTTP/1.1\r\nHost: a\r\nAuthorization: " + changed + "\r\n\r\n")
              .getFirst()
              .status();
      boolean isRight = basic ? isBasic(changed) : isBearer(changed);
      right[isRight ? 0 : 1]++;
      boolean isNoRequest = status == 400 || status == 431;
      assertEquals(isRight ? 200 : isNoRequest ? status : 401, status, changed);
    }
    assertTrue(right[0] > ROUNDS / 20 && right[1] > ROUNDS / 2, right[0] + " right ones");
    world.close();
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static boolean isBearer(String field) {
    return field.trim().matches("(?i:bearer) +" + SECRET);
  }

  /** The name in front of the colon does not count. */
  private static boolean isBasic(String field) {
    String[] words = field.trim().split(" +");
    if (words.length != 2 || !words[0].equalsIgnoreCase("basic")) {
      return false;
    }
    try {
      byte[] pair = Base64.getDecoder().decode(words[1]);
      return new String(pair, StandardCharsets.ISO_8859_1).matches("(?s)[^:]*:" + SECRET);
    } catch (IllegalArgumentException broken) {
      return false;
    }
  }

  private String changed(String field) {
    StringBuilder changed = new StringBuilder(field);
    for (int i = random.nextInt(3); i > 0; i--) {
      int at = random.nextInt(changed.length());
      switch (random.nextInt(6)) {
        case 0 -> changed.setCharAt(at, (char) random.nextInt(32, 127));
        case 1 -> changed.setCharAt(at, (char) random.nextInt(128, 256));
        case 2 -> changed.deleteCharAt(at);
        case 3 -> changed.insert(at, changed.charAt(at));
        case 4 -> changed.setLength(at + 1);
        default -> changed.insert(at, "A".repeat(random.nextInt(20_000)));
      }
    }
    return changed.toString();
  }
}
