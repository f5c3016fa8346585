package dev.upcall.guard;

import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Refused;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Access rules, as a text has them: a line each, words with blanks between them; {@code #} begins a
 * comment, and a word between double quotes may have blanks, with a backslash before a quote or a
 * backslash.
 *
 * <pre>
 * token NAME sha256:HEX [expires DATE]   who has this token is NAME
 * cert NAME SAN                          who has a client certificate for SAN is NAME
 * group NAME MEMBER...                   names of tokens and certificates
 * allow RIGHT[,RIGHT...] PATH WHO...     list, read, write; below PATH, and for PATH itself
 * </pre>
 *
 * <p>WHO is a name, a group, {@code anyone}, {@code known} (whoever has a name) or {@code nobody}.
 * For each right the rule with the longest path decides, alone; several with the same path count
 * together. Without a rule there is no access. A token whose date, in UTC, has begun is none any
 * more; one name may have several tokens, so that one can be replaced.
 */
public final class AccessRules implements Access {
  private final List<Token> tokens;
  private final Map<Long, Token> byDigest;
  private final Map<String, String> byCertificate;
  private final Set<String> names;
  private final Set<String> groups;
  private final List<Rule> rules;
  private final RuleTree tree;

  /**
   * A token.
   *
   * @param digest SHA-256 of it
   * @param untilEpochNanos see {@link Caller#untilEpochNanos}
   * @param line where it stands
   */
  record Token(String name, ByteBuffer digest, long untilEpochNanos, int line) {
    /** A part of the digest by which tokens are found, before the whole is compared. */
    long key() {
      return digest.getLong(0);
    }
  }

  /**
   * A line that allows something.
   *
   * @param who as it was written
   * @param line where it stands
   */
  public record Rule(Set<Right> rights, StorePath path, List<String> who, int line) {
    /** Copies the lists. */
    public Rule {
      Objects.requireNonNull(rights, "rights");
      Set<Right> copy = EnumSet.noneOf(Right.class);
      copy.addAll(rights);
      rights = Collections.unmodifiableSet(copy);
      Objects.requireNonNull(path, "path");
      who = List.copyOf(Objects.requireNonNull(who, "who"));
    }
  }

  /**
   * A name that callers may have.
   *
   * @param untilEpochNanos the latest end of its tokens; {@code Long.MAX_VALUE} for none
   */
  public record Name(String name, int tokens, int certificates, long untilEpochNanos) {
    /** Checks that nothing is missing. */
    public Name {
      Objects.requireNonNull(name, "name");
    }
  }

  AccessRules(
      List<Token> tokens,
      Map<String, String> certificates,
      Set<String> groups,
      List<Rule> rules,
      RuleTree tree) {
    this.tree = tree;
    this.tokens = List.copyOf(tokens);
    this.byCertificate = new LinkedHashMap<>(certificates);
    this.groups = new TreeSet<>(groups);
    this.rules = List.copyOf(rules);
    this.byDigest = new LinkedHashMap<>();
    this.names = new TreeSet<>(certificates.values());
    for (Token token : tokens) {
      byDigest.put(token.key(), token);
      names.add(token.name());
    }
  }

  /**
   * Reads rules.
   *
   * @param source what they are called, for messages
   * @return {@code Invalid} with source, line and reason for what is none
   */
  public static Completion<AccessRules> parse(String source, String text) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(text, "text");
    return Refused.catching(() -> new RuleParser(source).parse(text));
  }

  /** All lines that allow something, in their order. */
  public List<Rule> rules() {
    return rules;
  }

  /** All names, in the order of the alphabet. */
  public List<Name> names() {
    return names.stream().map(this::named).toList();
  }

  private Name named(String name) {
    List<Token> own = tokens.stream().filter(token -> token.name().equals(name)).toList();
    long certificates = byCertificate.values().stream().filter(name::equals).count();
    long until = own.stream().mapToLong(Token::untilEpochNanos).max().orElse(Long.MAX_VALUE);
    return new Name(name, own.size(), (int) certificates, until);
  }

  /** The caller of a name, as if it had shown its token; nothing for a name that nobody has. */
  public Optional<Caller> caller(String name) {
    Objects.requireNonNull(name, "name");
    if (name.equals(RuleParser.ANYONE)) {
      return Optional.of(Caller.ANONYMOUS);
    }
    return names.contains(name) ? Optional.of(new Caller(name, Long.MAX_VALUE)) : Optional.empty();
  }

  /** Whether a name is that of a group. */
  public boolean isGroup(String name) {
    return groups.contains(Objects.requireNonNull(name, "name"));
  }

  @Override
  public Optional<Caller> identify(Credentials shown, long epochNanos) {
    Objects.requireNonNull(shown, "shown");
    if (shown.secret().isPresent()) {
      byte[] digest = AccessSecret.digest(shown.secret().get());
      Token token = byDigest.get(ByteBuffer.wrap(digest).getLong(0));
      if (token == null
          || !MessageDigest.isEqual(token.digest().array(), digest)
          || epochNanos >= token.untilEpochNanos()) {
        return Optional.empty();
      }
      return Optional.of(new Caller(token.name(), token.untilEpochNanos()));
    }
    for (String name : shown.certificateNames()) {
      String caller = byCertificate.get(name);
      if (caller != null) {
        return Optional.of(new Caller(caller, Long.MAX_VALUE));
      }
    }
    return Optional.of(Caller.ANONYMOUS);
  }

  @Override
  public boolean decide(Caller caller, Right right, StorePath path) {
    Objects.requireNonNull(caller, "caller");
    Objects.requireNonNull(right, "right");
    Objects.requireNonNull(path, "path");
    return path.directoryId() == StorePath.ROOT.directoryId() && tree.of(right, path).has(caller);
  }

  @Override
  public boolean isUniformBelow(StorePath directory) {
    return tree.isUniformBelow(Objects.requireNonNull(directory, "directory"));
  }
}
