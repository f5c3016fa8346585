package dev.upcall.guard;

import dev.upcall.StorePath;
import dev.upcall.base.LineWords;
import dev.upcall.base.Printable;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Reads the text of {@link AccessRules} once; {@link Refused} for the first fault. */
final class RuleParser {
  static final String ANYONE = "anyone";
  private static final String KNOWN = "known";
  private static final String NOBODY = "nobody";
  private static final Set<String> RESERVED = new TreeSet<>(List.of(ANYONE, KNOWN, NOBODY));
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,63}");
  private static final String DIGEST = "sha256:";
  private static final int DIGEST_BYTES = 32;
  private static final long NANOS_IN_SECOND = 1_000_000_000L;

  private final String source;
  private final List<AccessRules.Token> tokens = new ArrayList<>();
  private final Map<String, String> certificates = new LinkedHashMap<>();
  private final Map<String, Group> groups = new LinkedHashMap<>();
  private final List<AccessRules.Rule> allowing = new ArrayList<>();
  private final Set<String> names = new TreeSet<>();
  private int line;

  private record Group(List<String> members, int line) {}

  RuleParser(String source) {
    this.source = source;
  }

  AccessRules parse(String text) {
    for (String next : text.split("\r?\n", -1)) {
      line++;
      List<String> words = words(next);
      if (!words.isEmpty()) {
        statement(words);
      }
    }
    groups.forEach(this::check);
    RuleTree tree = new RuleTree();
    for (AccessRules.Rule rule : allowing) {
      line = rule.line();
      Who who = callers(rule);
      rule.rights().forEach(right -> tree.add(right, rule.path(), who));
    }
    return new AccessRules(tokens, certificates, groups.keySet(), allowing, tree);
  }

  private List<String> words(String text) {
    try {
      return LineWords.of(text);
    } catch (IllegalArgumentException none) {
      throw refused(String.valueOf(none.getMessage()));
    }
  }

  private void statement(List<String> words) {
    switch (words.getFirst()) {
      case "token" -> token(words);
      case "cert" -> certificate(words);
      case "group" -> group(words);
      case "allow" -> allow(words);
      default ->
          throw refused(
              "a line begins with token, cert, group or allow, not with \""
                  + shown(words.getFirst())
                  + "\"");
    }
  }

  private void token(List<String> words) {
    boolean expires = words.size() == 5 && words.get(3).equals("expires");
    if (words.size() != 3 && !expires) {
      throw refused("token NAME sha256:HEX [expires DATE]");
    }
    String name = name(words.get(1));
    ByteBuffer digest = digest(words.get(2));
    long until = expires ? untilNanos(words.get(4)) : Long.MAX_VALUE;
    AccessRules.Token token = new AccessRules.Token(name, digest, until, line);
    for (AccessRules.Token other : tokens) {
      if (other.key() == token.key()) {
        throw refused("the same token stands in line " + other.line());
      }
    }
    names.add(name);
    tokens.add(token);
  }

  private ByteBuffer digest(String word) {
    // Never shown: somebody may have put the token itself here.
    if (!word.startsWith(DIGEST) || word.length() != DIGEST.length() + 2 * DIGEST_BYTES) {
      throw refused(
          "behind the name stands sha256: and 64 hexadecimal digits, as upcall access new prints"
              + " them");
    }
    try {
      return ByteBuffer.wrap(HexFormat.of().parseHex(word, DIGEST.length(), word.length()));
    } catch (IllegalArgumentException noDigit) {
      throw refused("behind sha256: stand 64 hexadecimal digits");
    }
  }

  private long untilNanos(String date) {
    try {
      Instant until =
          date.indexOf('T') < 0
              ? LocalDate.parse(date).atStartOfDay(ZoneOffset.UTC).toInstant()
              : Instant.parse(date);
      return Math.addExact(
          Math.multiplyExact(until.getEpochSecond(), NANOS_IN_SECOND), until.getNano());
    } catch (DateTimeException | ArithmeticException none) {
      throw refused(
          "\"" + shown(date) + "\" is no date such as 2027-01-31 or 2027-01-31T12:00:00Z");
    }
  }

  private void certificate(List<String> words) {
    if (words.size() != 3) {
      throw refused("cert NAME SAN");
    }
    String name = name(words.get(1));
    if (certificates.putIfAbsent(words.get(2), name) != null) {
      throw refused("the certificate of " + shown(words.get(2)) + " has a name already");
    }
    names.add(name);
  }

  private void group(List<String> words) {
    if (words.size() < 2) {
      throw refused("group NAME MEMBER...");
    }
    String name = name(words.get(1));
    if (groups.putIfAbsent(name, new Group(words.subList(2, words.size()), line)) != null) {
      throw refused("group " + name + " stands twice");
    }
  }

  private void allow(List<String> words) {
    if (words.size() < 4) {
      throw refused("allow RIGHT[,RIGHT...] PATH WHO...");
    }
    Set<Right> rights = EnumSet.noneOf(Right.class);
    for (String word : words.get(1).split(",", -1)) {
      rights.add(
          Right.of(word)
              .orElseThrow(
                  () ->
                      refused("the rights are list, read and write, not \"" + shown(word) + "\"")));
    }
    switch (StorePath.parse(words.get(2))) {
      case Completion.Failed<StorePath>(Failure failure) -> throw refused(failure.message());
      case Completion.Done<StorePath>(StorePath path) ->
          allowing.add(new AccessRules.Rule(rights, path, words.subList(3, words.size()), line));
    }
  }

  private void check(String name, Group group) {
    line = group.line();
    if (names.contains(name)) {
      throw refused(name + " is the name of a token or certificate, too");
    }
    for (String member : group.members()) {
      if (groups.containsKey(member)) {
        throw refused(member + " is a group; groups have no groups in them");
      }
      if (!names.contains(member)) {
        throw refused("no token and no certificate has the name \"" + shown(member) + "\"");
      }
    }
  }

  private Who callers(AccessRules.Rule one) {
    Who all = Who.NOBODY;
    for (String who : one.who()) {
      all = all.and(callers(who));
    }
    return all;
  }

  private Who callers(String who) {
    if (who.equals(NOBODY)) {
      return Who.NOBODY;
    }
    if (RESERVED.contains(who)) {
      return new Who(who.equals(ANYONE), who.equals(KNOWN), Who.NOBODY.names());
    }
    Group group = groups.get(who);
    if (group != null) {
      return new Who(false, false, new TreeSet<>(group.members()));
    }
    if (!names.contains(who)) {
      throw refused(
          "no token, certificate or group has the name \""
              + shown(who)
              + "\"; there are anyone, known and nobody, too");
    }
    return new Who(false, false, new TreeSet<>(List.of(who)));
  }

  private String name(String word) {
    if (!NAME.matcher(word).matches()) {
      throw refused(
          "a name has up to 64 letters, digits and . _ @ -, and begins with a letter or digit");
    }
    if (RESERVED.contains(word)) {
      throw refused(word + " means something else in rules");
    }
    return word;
  }

  /** A token itself may stand anywhere by mistake, and is not shown. */
  private static String shown(String word) {
    if (word.contains(AccessSecret.PREFIX)) {
      return AccessSecret.PREFIX + "...";
    }
    String printable = Printable.of(word);
    return printable.length() > 60 ? printable.substring(0, 60) + "..." : printable;
  }

  private Refused refused(String reason) {
    return new Refused(new Failure.Invalid(source + ":" + line + ": " + reason));
  }
}
