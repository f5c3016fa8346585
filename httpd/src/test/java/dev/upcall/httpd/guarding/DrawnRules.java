package dev.upcall.httpd.guarding;

import dev.upcall.UpcallException;
import dev.upcall.guard.AccessRules;
import dev.upcall.guard.AccessSecret;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Rules for {@link NaiveGuard}, and a file of rules that says the same in other words: with a group
 * in the place of names, tokens that expire, and a name that a certificate has.
 *
 * @param plain right, path and names of callers, with blanks between them
 * @param ends when the token of a name expires, in nanoseconds since 1970; by secret
 */
record DrawnRules(List<String> plain, Map<String, Long> ends, AccessRules access) {
  static final String ALICE = "alice";
  static final String BOB = "bob";

  /** The subject alternative name in the certificates of tests. */
  static final String SAN = "localhost";

  private static final String GROUP = "pair";

  /** Draws some about a tree. */
  static DrawnRules of(DrawnTree tree, SplittableRandom random, long nowEpochNanos, long life) {
    List<String> plain = tree.rules();
    if (random.nextBoolean()) {
      hide(tree.drawn(List.copyOf(tree.entries().keySet())), plain);
    }
    long end =
        random.nextInt(3) == 0 ? nowEpochNanos + random.nextLong(-life, 2 * life) : Long.MAX_VALUE;
    StringBuilder text = new StringBuilder();
    text.append(token(ALICE, end)).append(token(BOB, Long.MAX_VALUE));
    text.append("cert %s %s%n".formatted(BOB, SAN));
    text.append("group %s %s %s%n".formatted(GROUP, ALICE, BOB));
    for (String rule : plain) {
      String grouped = rule.replace(ALICE + " " + BOB, GROUP);
      text.append("allow ").append(random.nextBoolean() ? rule : grouped).append('\n');
    }
    return new DrawnRules(
        plain,
        Map.of(secret(ALICE), end, secret(BOB), Long.MAX_VALUE),
        UpcallException.value(AccessRules.parse("rules", text.toString())));
  }

  /** An entry that nobody may know, on a page that all may see. */
  private static void hide(String entry, List<String> plain) {
    for (String right : List.of("list", "read", "write")) {
      plain.add(right + " " + entry + " nobody");
    }
    int name = entry.lastIndexOf('/');
    plain.add("list " + (name == 0 ? "/" : entry.substring(0, name)) + " anyone");
  }

  private static String token(String name, long end) {
    String hex = HexFormat.of().formatHex(AccessSecret.digest(secret(name)));
    String expires =
        end == Long.MAX_VALUE
            ? ""
            : " expires "
                + Instant.ofEpochSecond(
                    Math.floorDiv(end, 1_000_000_000L), Math.floorMod(end, 1_000_000_000L));
    return "token %s sha256:%s%s%n".formatted(name, hex, expires);
  }

  /** The token of a name. */
  static String secret(String name) {
    return "upcall_" + name;
  }
}
