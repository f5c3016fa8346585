package dev.upcall.httpd.guarding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileInfo;
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
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
  private static final List<String> NAMES = List.of("a", "b", "c", "index.html");
  private static final List<String> CALLERS = List.of("", "alice", "bob");
  private static final List<String> RIGHTS = List.of("list", "read", "write");
  private static final Pattern NAME = Pattern.compile("\"name\":\"([^\"]+)\"");

  private SplittableRandom random = new SplittableRandom(0);
  private int allowed;
  private int denied;
  private final Map<String, String> entries = new LinkedHashMap<>();

  @Test
  void aSecondReadingOfTheRulesComesToTheSame() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      judgeTree(seed);
    }
    assertTrue(allowed >= 80 && denied >= 80, allowed + " allowed, " + denied + " denied");
  }

  private void judgeTree(long seed) {
    random = new SplittableRandom(seed);
    entries.clear();
    SimWorld machine = SimWorld.ofBlocks(seed, StoreFixture.tinyLayout().maxBlocks());
    StoreFixture.format(machine);
    StoreFixture store = StoreFixture.open(machine);
    FileManager files =
        machine.get(port -> FileManager.open(store.store(), FileManagerConfig.DEFAULT, port));
    plant(machine, files);
    HttpConfig open = HttpConfig.defaults().withWritable(true);
    SessionWorld without = new SessionWorld(machine, open, Site.of(files));
    for (int round = 0; round < RULE_SETS; round++) {
      List<String> rules = rules();
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

  /** Directories two deep, and files and links in them. */
  private void plant(SimWorld machine, FileManager files) {
    List<String> folders = new ArrayList<>(List.of(""));
    for (int i = 0; i < 6; i++) {
      String path = folders.get(random.nextInt(folders.size())) + "/" + drawn(NAMES);
      if (!entries.containsKey(path)) {
        entries.put(path, "/");
        folders.add(path);
        machine.<FileInfo>get(port -> files.createDirectory(path, port));
      }
    }
    for (int i = 0; i < 14; i++) {
      String path = drawn(folders) + "/" + drawn(NAMES) + (random.nextInt(3) > 0 ? "x" : "");
      if (entries.containsKey(path)) {
        continue;
      }
      if (random.nextBoolean()) {
        entries.put(path, "");
        machine.<FileInfo>get(port -> files.writeString(path, path, port));
      } else {
        String target = target();
        entries.put(path, target);
        machine.<FileInfo>get(port -> files.symbolicLink(path, target, port));
      }
    }
  }

  private String target() {
    String known = drawn(new ArrayList<>(entries.keySet()));
    return switch (random.nextInt(5)) {
      case 0 -> "../" + drawn(NAMES);
      case 1 -> drawn(NAMES) + "/" + drawn(NAMES);
      case 2 -> known + "/../" + drawn(NAMES);
      default -> known;
    };
  }

  private <T> T drawn(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private String path() {
    String known = drawn(new ArrayList<>(entries.keySet()));
    return switch (random.nextInt(6)) {
      case 0 -> "/" + drawn(NAMES);
      case 1, 2 -> known + "/" + drawn(NAMES);
      case 3 -> known + "/" + drawn(NAMES) + "/" + drawn(NAMES);
      default -> known;
    };
  }

  private List<String> rules() {
    List<String> rules = new ArrayList<>();
    if (random.nextInt(3) > 0) {
      for (String right : RIGHTS) {
        rules.add(right + " / " + who());
      }
    }
    for (int i = random.nextInt(8); i >= 0; i--) {
      rules.add(drawn(RIGHTS) + " " + path() + " " + who());
    }
    return rules;
  }

  private String who() {
    return drawn(
        List.of("anyone", "anyone", "known", "alice", "alice bob", "bob", "nobody", "known"));
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
    String caller = drawn(CALLERS);
    String method = drawn(List.of("GET", "GET", "GET", "HEAD", "PUT", "DELETE", "PATCH"));
    boolean reads = method.equals("GET") || method.equals("HEAD");
    String path = path();
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
    NaiveGuard naive = new NaiveGuard(entries, rules, caller);
    String what = "%s of \"%s\", rules %s, tree %s".formatted(head, caller, rules, entries);
    if (!may(naive, method, path, listing, json)) {
      assertEquals(caller.isEmpty() ? 401 : 403, guarded.status(), what);
      return false;
    }
    boolean isPage = listing && guarded.status() == 200 && !isIndex(naive, path, json);
    if (isPage) {
      comparePages(guarded, json, method, naive, path, what);
    } else {
      assertEquals(plain.status(), guarded.status(), what);
      assertEquals(plain.text(), guarded.text(), what);
    }
    return true;
  }

  private static boolean isIndex(NaiveGuard naive, String path, boolean json) {
    String index = path + "/index.html";
    return !json && naive.reads(index) && naive.follow(index, true).kind().equals("file");
  }

  private static boolean may(
      NaiveGuard naive, String method, String path, boolean listing, boolean json) {
    return switch (method) {
      case "PUT" -> naive.writes(path, true);
      case "DELETE", "PATCH" -> naive.writes(path, false);
      default -> listing ? isIndex(naive, path, json) || naive.lists(path) : naive.reads(path);
    };
  }

  private void comparePages(
      Response guarded, boolean json, String method, NaiveGuard naive, String path, String what) {
    if (!json || method.equals("HEAD")) {
      return;
    }
    List<String> led = naive.follow(path, true).led();
    String own = led.isEmpty() ? path : led.getLast();
    String below = own.equals("/") ? "/" : own + "/";
    TreeSet<String> expected = new TreeSet<>();
    for (String entry : entries.keySet()) {
      if (entry.startsWith(below) && entry.indexOf('/', below.length()) < 0) {
        String name = entry.substring(below.length());
        if (naive.shows(path, name)) {
          expected.add(name);
        }
      }
    }
    TreeSet<String> shown = new TreeSet<>();
    Matcher names = NAME.matcher(new String(guarded.body(), StandardCharsets.UTF_8));
    while (names.find()) {
      shown.add(names.group(1));
    }
    assertEquals(expected, shown, what);
  }
}
