package dev.upcall.httpd.guarding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileManager;
import dev.upcall.FileManagerConfig;
import dev.upcall.UpcallException;
import dev.upcall.completion.Unit;
import dev.upcall.guard.AccessRules;
import dev.upcall.guard.AccessSecret;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpPolicy;
import dev.upcall.httpd.Responses.Response;
import dev.upcall.httpd.SessionWorld;
import dev.upcall.httpd.Site;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.StoreFixture;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Drawn rules, trees of files and links, callers and requests, judged by {@link NaiveGuard}: what
 * is allowed is answered as a server without rules answers it, but for entries of listings; of all
 * else the answer is 401 or 403 and the same whatever is there.
 */
class AccessCasesTest {
  private static final int SEEDS = 10;
  private static final int RULE_SETS = 4;
  private static final int CASES_OF_RULES = 10;
  private static final List<String> CALLERS = List.of("", "alice", "bob");
  private static final Pattern NAME = Pattern.compile("\"name\":\"([^\"]+)\"");

  private SplittableRandom random = new SplittableRandom(0);
  private int allowed;
  private int denied;
  private DrawnTree tree = new DrawnTree(random);

  @Test
  void aSecondReadingOfTheRulesComesToTheSame() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      judgeTree(seed);
    }
    assertTrue(allowed >= 80 && denied >= 80, allowed + " allowed, " + denied + " denied");
  }

  private void judgeTree(long seed) {
    random = new SplittableRandom(seed);
    tree = new DrawnTree(random);
    SimWorld machine = SimWorld.ofBlocks(seed, StoreFixture.tinyLayout().maxBlocks());
    StoreFixture.format(machine);
    StoreFixture store = StoreFixture.open(machine);
    FileManager files =
        machine.get(port -> FileManager.open(store.store(), FileManagerConfig.DEFAULT, port));
    tree.plant(machine, files);
    HttpConfig open = HttpConfig.defaults().withWritable(true);
    SessionWorld without = new SessionWorld(machine, open, Site.of(files));
    for (int round = 0; round < RULE_SETS; round++) {
      List<String> rules = tree.rules();
      SessionWorld with = new SessionWorld(machine, open.withPolicy(policy(rules)), Site.of(files));
      for (int i = 0; i < CASES_OF_RULES; i++) {
        boolean may = judge(with, without, rules);
        allowed += may ? 1 : 0;
        denied += may ? 0 : 1;
      }
      with.close();
    }
    without.close();
    machine.<Unit>get(files::close);
    store.end();
  }

  private static String secret(String name) {
    return "upcall_" + name;
  }

  private static HttpPolicy policy(List<String> rules) {
    StringBuilder text = new StringBuilder();
    for (String name : List.of("alice", "bob")) {
      String hex = HexFormat.of().formatHex(AccessSecret.digest(secret(name)));
      text.append("token %s sha256:%s%n".formatted(name, hex));
    }
    rules.forEach(rule -> text.append("allow ").append(rule).append('\n'));
    return HttpPolicy.OPEN.withAccess(
        UpcallException.value(AccessRules.parse("rules", text.toString())));
  }

  private boolean judge(SessionWorld with, SessionWorld without, List<String> rules) {
    String caller = tree.drawn(CALLERS);
    String method = tree.drawn(List.of("GET", "GET", "GET", "HEAD", "PUT", "DELETE", "PATCH"));
    boolean reads = method.equals("GET") || method.equals("HEAD");
    String path = tree.path();
    String target = path + (reads && random.nextBoolean() ? "/" : "");
    boolean listing = target.endsWith("/");
    String fields =
        switch (method) {
          // of a version that never was: so nothing is changed
          case "PUT" -> "If-Match: \"ffff-1\"\r\nContent-Length: 0\r\n";
          case "DELETE" -> "If-Match: \"ffff-1\"\r\n";
          case "PATCH" ->
              "If-Match: \"ffff-1\"\r\nContent-Type: application/vnd.upcall.edits\r\n"
                  + "Content-Length: 0\r\n";
          default -> random.nextBoolean() ? "Accept: application/json\r\n" : "";
        };
    boolean json = fields.startsWith("Accept");
    String head = method + " " + target + " HTTP/1.1\r\nHost: a\r\n" + fields;
    String login = caller.isEmpty() ? "" : "Authorization: Bearer " + secret(caller) + "\r\n";
    Response guarded = with.exchange(head + login + "\r\n").getFirst();
    Response plain = without.exchange(head + "\r\n").getFirst();
    NaiveGuard naive = new NaiveGuard(tree.entries(), rules, caller);
    String what = "%s of \"%s\", rules %s, tree %s".formatted(head, caller, rules, tree.entries());
    if (!naive.answers(method, path, listing, json)) {
      assertEquals(caller.isEmpty() ? 401 : 403, guarded.status(), what);
      return false;
    }
    boolean isPage = listing && guarded.status() == 200 && !naive.isIndex(path, json);
    if (isPage) {
      comparePages(guarded, json, method, naive, path, what);
    } else {
      assertEquals(plain.status(), guarded.status(), what);
      assertEquals(plain.text(), guarded.text(), what);
    }
    return true;
  }

  private void comparePages(
      Response guarded, boolean json, String method, NaiveGuard naive, String path, String what) {
    if (!json || method.equals("HEAD")) {
      return;
    }
    TreeSet<String> shown = new TreeSet<>();
    Matcher names = NAME.matcher(new String(guarded.body(), StandardCharsets.UTF_8));
    while (names.find()) {
      shown.add(names.group(1));
    }
    assertEquals(naive.page(path), shown, what);
  }
}
