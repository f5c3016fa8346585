package dev.upcall.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccessRulesTest {
  private static final String ALICE = "upcall_AAAAAAAAAAAAAAAAAAAAAAAAAAA";
  private static final String BOB = "upcall_BBBBBBBBBBBBBBBBBBBBBBBBBBB";
  private static final String RULES =
      """
      # who there is
      token alice %s
      token bob %s expires 2027-01-31   # and when no more
      cert ci ci.example.org
      group staff alice bob
      group none

      allow read,list /            anyone
      allow write     /            alice
      allow read      /staff       staff
      allow list      "/staff"     staff
      allow read      /staff/bob   bob
      allow read      "/a \\"b\\" c" known
      allow read,list,write /gone  nobody
      allow write     /in          anyone
      allow read      /in          none
      """
          .formatted(digest(ALICE), digest(BOB));

  private static String digest(String secret) {
    return "sha256:" + HexFormat.of().formatHex(AccessSecret.digest(secret));
  }

  private static AccessRules rules(String text) {
    return UpcallException.value(AccessRules.parse("rules", text));
  }

  private static String refusal(String text) {
    return AccessRules.parse("rules", text)
            instanceof Completion.Failed<AccessRules>(Failure.Invalid(String why))
        ? why
        : "taken";
  }

  @ParameterizedTest
  @CsvSource({
    "anyone, read,  /,                true",
    "anyone, read,  /x/y,             true",
    "anyone, write, /x/y,             false",
    "alice,  write, /x/y,             true",
    "bob,    write, /x/y,             false",
    "anyone, read,  /staff,           false",
    "anyone, read,  /staffx,          true",
    "alice,  read,  /staff/x,         true",
    "bob,    read,  /staff/bob/x,     true",
    "alice,  read,  /staff/bob/x,     false",
    "alice,  write, /staff/bob/x,     true",
    "bob,    list,  /staff/bob,       true",
    "ci,     read,  '/a \"b\" c/x', true",
    "anyone, read,  '/a \"b\" c/x', false",
    "alice,  read,  /gone/x,          false",
    "anyone, write, /in/x,            true",
    "alice,  read,  /in/x,            false",
  })
  void theLongestPathDecidesForEachRight(String who, String right, String path, boolean may) {
    AccessRules rules = rules(RULES);
    Caller caller = rules.caller(who).orElseThrow();
    assertEquals(may, rules.decide(caller, Right.of(right).orElseThrow(), StorePath.of(path)));
  }

  @Test
  void withoutARuleThereIsNoAccess() {
    AccessRules rules = rules("token alice " + digest(ALICE));
    for (Right right : Right.values()) {
      assertFalse(rules.decide(rules.caller("alice").orElseThrow(), right, StorePath.ROOT));
    }
  }

  @Test
  void aPathFromADirectoryIsNoPathOfARule() {
    AccessRules rules = rules("allow read / anyone");
    StorePath inside = UpcallException.value(StorePath.parse(7, "x"));
    assertFalse(rules.decide(Caller.ANONYMOUS, Right.READ, inside));
  }

  @Test
  void aTokenTellsItsNameUntilItExpires() {
    AccessRules rules = rules(RULES);
    long before = 1_801_353_599L * 1_000_000_000L;
    long end = 1_801_353_600L * 1_000_000_000L; // 2027-01-31
    assertEquals(
        Optional.of(new Caller("bob", end)), rules.identify(Credentials.ofSecret(BOB), before));
    assertEquals(Optional.empty(), rules.identify(Credentials.ofSecret(BOB), end));
    assertEquals("alice", rules.identify(Credentials.ofSecret(ALICE), end).orElseThrow().name());
    assertEquals(Optional.empty(), rules.identify(Credentials.ofSecret(ALICE + "x"), 0));
    assertEquals(Optional.empty(), rules.identify(Credentials.ofSecret(""), 0));
    assertEquals(
        Optional.of(Caller.ANONYMOUS),
        rules.identify(new Credentials(Optional.empty(), List.of()), 0));
    assertEquals(
        "ci",
        rules
            .identify(new Credentials(Optional.empty(), List.of("x", "ci.example.org")), 0)
            .orElseThrow()
            .name());
    assertEquals(
        Optional.of(Caller.ANONYMOUS),
        rules.identify(new Credentials(Optional.empty(), List.of("other")), 0));
  }

  @Test
  void anOldTokenAndANewOneTellTheSameName() {
    AccessRules rules =
        rules(
            "token alice "
                + digest(ALICE)
                + "\ntoken alice "
                + digest(BOB)
                + " expires 2027-01-31");
    assertEquals("alice", rules.identify(Credentials.ofSecret(ALICE), 0).orElseThrow().name());
    assertEquals("alice", rules.identify(Credentials.ofSecret(BOB), 0).orElseThrow().name());
    assertEquals(new AccessRules.Name("alice", 2, 0, Long.MAX_VALUE), rules.names().getFirst());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "permit read / anyone -> rules:1: a line begins with token, cert, group or allow, not with"
            + " \"permit\"",
        "|allow read x anyone -> rules:2: x: a path inside a store begins with /",
        "allow read /../x anyone -> rules:1: /../x: \"..\" is not a name",
        "allow see / anyone -> rules:1: the rights are list, read and write, not \"see\"",
        "allow read, / anyone -> rules:1: the rights are list, read and write, not \"\"",
        "allow read / -> rules:1: allow RIGHT[,RIGHT...] PATH WHO...",
        "allow read / carol -> rules:1: no token, certificate or group has the name \"carol\";"
            + " there are anyone, known and nobody, too",
        "||group staff carol -> rules:3: no token and no certificate has the name \"carol\"",
        "group a|group b a -> rules:2: a is a group; groups have no groups in them",
        "group a|group a -> rules:2: group a stands twice",
        "cert anyone x -> rules:1: anyone means something else in rules",
        "cert a x|cert b x -> rules:2: the certificate of x has a name already",
        "cert a x|group a -> rules:2: a is the name of a token or certificate, too",
        "cert -a x -> rules:1: a name has up to 64 letters, digits and . _ @ -, and begins with a"
            + " letter or digit",
        "token alice secret -> rules:1: behind the name stands sha256: and 64 hexadecimal digits,"
            + " as upcall access new prints them",
        "allow read \"/x anyone -> rules:1: a quote is not closed",
        "allow read \"/x\"y anyone -> rules:1: a blank has to follow a closing quote",
        "allow read \"/\\x\" anyone -> rules:1: a backslash stands before a quote or another"
            + " backslash only",
      })
  void whatIsNoRuleIsRefusedWithItsLine(String lineAndReason) {
    String[] parts = lineAndReason.split(" -> ", 2);
    assertEquals(parts[1], refusal(parts[0].replace('|', '\n')));
  }

  @Test
  void aDateThatIsNoneIsRefused() {
    assertEquals(
        "rules:1: \"tomorrow\" is no date such as 2027-01-31 or 2027-01-31T12:00:00Z",
        refusal("token alice " + digest(ALICE) + " expires tomorrow"));
    assertEquals(
        "rules:2: the same token stands in line 1",
        refusal("token alice " + digest(ALICE) + "\ntoken bob " + digest(ALICE)));
  }

  @Test
  void noTextEndsTheParser() {
    SplittableRandom random = new SplittableRandom(7);
    String[] words = {
      "token",
      "cert",
      "group",
      "allow",
      "alice",
      "anyone",
      "nobody",
      "/",
      "/a",
      "\"",
      "\\",
      "#",
      "\n",
      " ",
      "\t",
      "read",
      "read,list",
      "sha256:",
      digest(ALICE),
      "expires",
      "2027-01-31",
      "\0",
      "\ud800",
      ","
    };
    int taken = 0;
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int n = random.nextInt(12); n >= 0; n--) {
        text.append(words[random.nextInt(words.length)]).append(random.nextBoolean() ? " " : "");
      }
      String refusal = refusal(text.toString());
      taken += refusal.equals("taken") ? 1 : 0;
      assertTrue(refusal.equals("taken") || refusal.matches("(?s)rules:\\d+: .+"), refusal);
    }
    assertTrue(taken > 500, "texts that are rules: " + taken);
  }

  /** A text in the place of the digest may be the secret itself. */
  @Test
  void noMessageShowsWhatMayBeASecret() {
    assertFalse(refusal("token alice " + ALICE).contains(ALICE));
    assertFalse(refusal("token alice sha256:" + ALICE).contains(ALICE));
    assertFalse(refusal(ALICE).contains(ALICE));
    assertFalse(refusal("token " + ALICE + " sha256:00").contains(ALICE));
    assertFalse(refusal("allow read / " + ALICE).contains(ALICE));
    assertFalse(refusal("group staff " + ALICE).contains(ALICE));
    assertFalse(Credentials.ofSecret(ALICE).toString().contains(ALICE));
  }

  @Test
  void aNewTokenHas160Bits() {
    assertEquals(
        "upcall_AQEBAQEBAQEBAQEBAQEBAQEBAQE",
        AccessSecret.create((RandomGenerator) () -> 0x0101010101010101L));
  }

  @Test
  void aFileThatOthersMayReadIsRefused(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("rules");
    Files.writeString(file, "allow read / anyone\n");
    for (String mode : List.of("rw-r--r--", "rw-rw----", "rwx------", "rw-----w-")) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
      UpcallException refused = assertThrows(UpcallException.class, () -> AccessFile.read(file));
      assertEquals(
          "%s: others may use it (%s): chmod 600 %s".formatted(file, mode, file),
          refused.getMessage());
    }
    for (String mode : List.of("rw-------", "r--------")) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
      assertEquals(1, AccessFile.read(file).rules().size());
    }
  }

  @Test
  void aFileThatIsNoTextOfRulesIsRefused(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("rules");
    Files.write(file, new byte[] {(byte) 0xff});
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertEquals(file + ": its text is not UTF-8", message(file));
    Files.write(file, new byte[AccessFile.MAX_BYTES + 1]);
    assertEquals(file + ": rules have at most 1,048,576 bytes", message(file));
    Files.writeString(file, "\nallow\n");
    assertEquals(file + ":2: allow RIGHT[,RIGHT...] PATH WHO...", message(file));
    assertTrue(message(folder.resolve("none")).contains("none"));
  }

  private static String message(Path file) {
    return assertThrows(UpcallException.class, () -> AccessFile.read(file)).getMessage();
  }
}
