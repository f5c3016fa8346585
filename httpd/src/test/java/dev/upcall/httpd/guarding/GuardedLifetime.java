package dev.upcall.httpd.guarding;

import dev.upcall.FileManager;
import dev.upcall.FileManagerConfig;
import dev.upcall.completion.Unit;
import dev.upcall.guard.Access;
import dev.upcall.guard.ReplaceableAccess;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpPolicy;
import dev.upcall.httpd.Responses.Response;
import dev.upcall.httpd.SessionWorld;
import dev.upcall.httpd.Site;
import dev.upcall.httpd.guarding.GuardedClient.Asked;
import dev.upcall.httpd.session.SimConnection;
import dev.upcall.httpd.session.SimTlsClient;
import dev.upcall.httpd.tls.SimTls;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.StoreFixture;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Clients, some with tokens or certificates, before rules that are replaced and tokens that expire
 * while they ask, over a store on a simulated machine; some over TLS, some that go away at any
 * moment, in the handshake, too. The judge is {@link NaiveGuard}: each answer must be the one of
 * rules that were in force between the request and the answer. All of it comes from one seed.
 */
final class GuardedLifetime implements GuardedClient.World {
  private static final long LIFE_NANOS = 4_000_000;
  private static final Pattern NAME = Pattern.compile("\"name\":\"([^\"]+)\"");

  /** Content that somebody has sent, and whether that was allowed. */
  private record Sent(Asked asked, String place) {}

  private final long seed;
  private final SplittableRandom random;
  private final SimWorld machine;
  private final StoreFixture store;
  private final FileManager files;
  private final SessionWorld world;
  private final DrawnTree tree;
  private final List<DrawnRules> rules = new ArrayList<>();
  private final ReplaceableAccess access;
  private final List<GuardedClient> clients = new ArrayList<>();
  private final Map<String, Sent> sent = new HashMap<>();
  private final Set<String> refused = new TreeSet<>();
  private final Map<String, Map<String, String>> denials = new HashMap<>();
  private final boolean tls;
  private @Nullable GuardLie lie;
  private int contents;
  private int allowed;
  private int denied;

  /**
   * A machine with a tree and a server.
   *
   * @param broken what stands before the rules, and before the files; a canary's are wrong
   */
  GuardedLifetime(long seed, boolean tls, UnaryOperator<Access> broken, UnaryOperator<Site> site) {
    this.seed = seed;
    this.tls = tls;
    random = new SplittableRandom(seed);
    machine = SimWorld.ofBlocks(seed, StoreFixture.tinyLayout().maxBlocks());
    StoreFixture.format(machine);
    store = StoreFixture.open(machine);
    files = machine.get(port -> FileManager.open(store.store(), FileManagerConfig.DEFAULT, port));
    tree = new DrawnTree(random);
    tree.plant(machine, files);
    rules.add(drawnRules());
    access = new ReplaceableAccess(rules.getFirst().access());
    HttpConfig config =
        HttpConfig.defaults()
            .withWritable(true)
            .withPolicy(HttpPolicy.OPEN.withAccess(broken.apply(access)));
    world = new SessionWorld(machine, config, site.apply(Site.of(files)));
    if (tls) {
      SimTls.underForKnown(world, config, random.split());
    }
  }

  private DrawnRules drawnRules() {
    return DrawnRules.of(tree, random, machine.clock().epochNanos(), LIFE_NANOS);
  }

  /** How many requests were allowed, and how many denied. */
  int[] counts() {
    return new int[] {allowed, denied};
  }

  /**
   * Lets clients come and waits until all are gone.
   *
   * @param resetAtTurn the turn at which the first client's connection breaks; 0 for never
   * @return the number of turns until the first client was gone
   */
  int live(int resetAtTurn) {
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      clients.add(client());
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      world.reactor.after(random.nextLong(LIFE_NANOS), this::reload);
    }
    clients.forEach(GuardedClient::begin);
    SimConnection first = clients.getFirst().connection();
    int[] turns = new int[2];
    world.runUntil(
        () -> {
          turns[0]++;
          if (turns[0] == resetAtTurn) {
            first.reset();
          }
          turns[1] = first.closedReported() ? turns[1] : turns[0];
          return clients.stream().allMatch(client -> client.connection().closedReported())
              && world.sessions.size() == 0;
        });
    world.close();
    machine.<Unit>get(files::close);
    store.end();
    if (lie != null) {
      throw lie;
    }
    return turns[1];
  }

  private void reload() {
    rules.add(drawnRules());
    access.replace(rules.getLast().access());
  }

  private GuardedClient client() {
    SimConnection connection = world.connect(1 + random.nextInt(20_000));
    boolean certified = tls || random.nextInt(3) == 0;
    if (tls) {
      SimTlsClient talk = SimTls.known(random.nextBoolean() ? "TLSv1.3" : "TLSv1.2");
      talk.saysEnd = random.nextBoolean();
      connection.clientTalks(talk);
    } else if (certified) {
      connection.certificateNames = List.of(DrawnRules.SAN);
    }
    if (random.nextInt(3) == 0) {
      long handshake = tls ? 5_000_000 : 500_000;
      long most = random.nextBoolean() ? LIFE_NANOS : handshake;
      world.reactor.after(random.nextLong(most), connection::reset);
    }
    String name = certified ? DrawnRules.BOB : "";
    return new GuardedClient(this, connection, name, random.split());
  }

  @Override
  public DrawnTree tree() {
    return tree;
  }

  @Override
  public int rulesInForce() {
    return rules.size() - 1;
  }

  @Override
  public long epochNanos() {
    return machine.clock().epochNanos();
  }

  @Override
  public String newContent(int sizeBytes) {
    return "content " + contents++ + " " + "x".repeat(sizeBytes);
  }

  @Override
  public void asking(Asked asked) {
    if (asked.body() != null) {
      sent.put(asked.body(), new Sent(asked, place(asked.path())));
    }
  }

  /** The path of the file to which a path leads in the end. */
  private String place(String path) {
    List<String> led = new NaiveGuard(tree.entries(), List.of(), "").follow(path, true).led();
    return led.isEmpty() ? path : led.getLast();
  }

  /** The life goes on behind a lie, so that its end gives all back. */
  @Override
  public void answered(Asked asked, Response answer) {
    try {
      judge(asked, answer);
    } catch (GuardLie wrong) {
      lie = lie == null ? wrong : lie;
    }
  }

  private void judge(Asked asked, Response answer) {
    String wrong = "of no rules";
    for (int i = asked.fromRules(); i <= rulesInForce(); i++) {
      String found = whatIsWrong(asked, answer, rules.get(i));
      if (found == null) {
        return;
      }
      wrong = found;
    }
    throw lie(
        "%s is answered %d, %s; rules %d to %d: %s, tree %s"
            .formatted(
                asked.brief(),
                answer.status(),
                wrong,
                asked.fromRules(),
                rulesInForce(),
                rules.get(asked.fromRules()).plain(),
                tree.entries()));
  }

  private GuardLie lie(String what) {
    return new GuardLie("seed " + seed + ": " + what);
  }

  /** Why these rules do not explain an answer; null if they do. */
  private @Nullable String whatIsWrong(Asked asked, Response answer, DrawnRules by) {
    boolean mayHaveExpired =
        asked.secret() != null && by.ends().get(asked.secret()) <= epochNanos();
    boolean hadExpired =
        asked.secret() != null && by.ends().get(asked.secret()) <= asked.fromEpochNanos();
    if (mayHaveExpired && answer.status() == 401) {
      return denial(asked, answer, "expired");
    }
    if (hadExpired) {
      return "with a token that has expired";
    }
    NaiveGuard naive = new NaiveGuard(tree.entries(), by.plain(), asked.caller());
    if (!naive.answers(asked.method(), asked.path(), asked.listing(), asked.json())) {
      int right = asked.caller().isEmpty() ? 401 : 403;
      return answer.status() == right ? denial(asked, answer, "denied") : "which is forbidden";
    }
    if (answer.status() == 401 || answer.status() == 403) {
      return "which is allowed";
    }
    String wrong = whatIsWrongWithAllowed(naive, asked, answer);
    allowed += wrong == null ? 1 : 0;
    return wrong;
  }

  /** Denials differ in nothing, whatever is there. */
  private @Nullable String denial(Asked asked, Response answer, String why) {
    denied++;
    if (asked.body() != null) {
      refused.add(asked.body());
    }
    Map<String, String> said = new TreeMap<>(answer.headers());
    said.remove("date");
    said.put("body", answer.text());
    String kind = why + " " + answer.status() + " " + asked.method() + " " + asked.json();
    Map<String, String> before = denials.putIfAbsent(kind, said);
    if (before != null && !before.equals(said)) {
      throw lie("denials tell something: " + before + " and " + said);
    }
    return null;
  }

  private @Nullable String whatIsWrongWithAllowed(NaiveGuard naive, Asked asked, Response answer) {
    int status = answer.status();
    if (asked.body() != null) {
      return status == 204 ? null : "a PUT of a file that is there";
    }
    boolean reads = asked.method().equals("GET") || asked.method().equals("HEAD");
    if (!reads) {
      return status >= 400 ? null : "of a version that never was";
    }
    String path = asked.path();
    String kind = naive.follow(path, true).kind();
    if (!asked.listing()) {
      int right = kind.equals("file") ? 200 : kind.equals("directory") ? 301 : 404;
      return status != right
          ? "of what is " + kind
          : status == 200 ? whatIsWrongWithContent(asked, path, answer) : null;
    }
    if (!kind.equals("directory")) {
      return status >= 400 ? null : "a page about what is " + kind;
    }
    if (status != 200) {
      return "of a directory";
    }
    if (naive.isIndex(path, asked.json())) {
      return whatIsWrongWithContent(asked, NaiveGuard.indexOf(path), answer);
    }
    if (asked.json() && asked.method().equals("GET")) {
      Set<String> shown = new TreeSet<>();
      Matcher names = NAME.matcher(new String(answer.body(), StandardCharsets.UTF_8));
      while (names.find()) {
        shown.add(names.group(1));
      }
      return shown.equals(naive.page(path)) ? null : "with the entries " + shown;
    }
    return null;
  }

  /** A file has what it had at the beginning, or what somebody has put who might. */
  private @Nullable String whatIsWrongWithContent(Asked asked, String path, Response answer) {
    if (asked.method().equals("HEAD")) {
      return null;
    }
    String found = answer.text();
    String place = place(path);
    Sent from = sent.get(found);
    if (from == null) {
      return found.equals(place) ? null : "with the content of another file";
    }
    if (!from.place().equals(place)) {
      return "with what was put elsewhere";
    }
    if (refused.contains(found)) {
      return "with what was refused";
    }
    for (int i = from.asked().fromRules(); i <= rulesInForce(); i++) {
      NaiveGuard putter =
          new NaiveGuard(tree.entries(), rules.get(i).plain(), from.asked().caller());
      if (putter.writes(from.asked().path(), true)) {
        return null;
      }
    }
    return "with what nobody might put";
  }

  /** The server did what the rules forbid, or told what they hide. */
  static final class GuardLie extends AssertionError {
    private static final long serialVersionUID = 1;

    GuardLie(String what) {
      super(what);
    }
  }
}
