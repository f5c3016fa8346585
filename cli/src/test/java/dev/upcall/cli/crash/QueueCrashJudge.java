package dev.upcall.cli.crash;

import dev.upcall.cli.Main;
import dev.upcall.cli.crash.QueueCrashProducer.Acknowledged;
import dev.upcall.cli.crash.QueueCrashProducer.Kind;
import dev.upcall.fileman.Upcall;
import dev.upcall.journal.entry.Decoded;
import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.entry.FailureCode;
import dev.upcall.journal.entry.Reply;
import dev.upcall.journal.entry.ReplyCodec;
import dev.upcall.journal.producer.Producer;
import dev.upcall.journal.producer.Replies;
import dev.upcall.journal.queue.ChronicleEntries;
import dev.upcall.journal.queue.DeadLetters;
import dev.upcall.journal.queue.EntryQueue;
import dev.upcall.journal.queue.QueueDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Producers and a server in processes of their own, killed at random instants, alone and together.
 * In the end nobody is killed any more, and what the store has, what was acknowledged and what was
 * replied are compared.
 */
final class QueueCrashJudge {
  private static final List<String> NAMES = List.of("one", "two");
  private static final int WAIT_SECONDS = 120;
  private static final int MOST_MILLIS = 1500;

  private final Path folder;
  private final Random random;
  private final Map<String, Process> producers = new TreeMap<>();
  private final Map<String, Integer> lives = new TreeMap<>();
  private Process server;

  /** Whom a round kills. */
  enum Victims {
    /** One of the producers. */
    PRODUCER,
    /** The process that has the store. */
    SERVER,
    /** All of them, the server first or last. */
    ALL
  }

  QueueCrashJudge(Path folder, long seed) throws IOException {
    this.folder = folder;
    this.random = new Random(seed);
    Upcall.openOrCreate(volume(), CrashWorker.CONFIG).close();
    NAMES.forEach(name -> lives.put(name, 0));
    server = serve();
    for (String name : NAMES) {
      producers.put(name, produce(name));
    }
  }

  /** Lets them work, some time, and kills; returns how many requests were acknowledged so far. */
  long round(Victims victims) throws IOException, InterruptedException {
    long before = acknowledged();
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    while (acknowledged() == before) {
      server.waitFor(10, TimeUnit.MILLISECONDS);
      Comparison.check(System.nanoTime() < until, "nothing is acknowledged: " + logs());
      checkAlive();
    }
    server.waitFor(random.nextInt(MOST_MILLIS), TimeUnit.MILLISECONDS);
    checkAlive();
    String name = NAMES.get(random.nextInt(NAMES.size()));
    switch (victims) {
      case PRODUCER -> producers.put(name, again(name));
      case SERVER -> {
        kill(server);
        server = serve();
      }
      case ALL -> {
        List<Process> all = new ArrayList<>(producers.values());
        all.add(random.nextInt(all.size() + 1), server);
        all.forEach(Process::destroyForcibly);
        kill(server);
        server = serve();
        for (String each : NAMES) {
          producers.put(each, again(each));
        }
      }
    }
    return acknowledged();
  }

  /** Waits for the end of all requests, and compares. */
  void finish() throws Exception {
    for (Process producer : producers.values()) {
      kill(producer);
    }
    for (String name : NAMES) {
      List<Acknowledged> all = acknowledged(name);
      try (Producer producer = Producer.open(queue(), name, 1L << 30);
          Replies replies = producer.replies()) {
        long last = all.getLast().sequence();
        boolean isThere = replies.await(last, Duration.ofSeconds(WAIT_SECONDS)).isPresent();
        Comparison.check(isThere, "request " + last + " of " + name + " has no reply: " + logs());
      }
    }
    kill(server);
    compare();
  }

  /** Throws when something acknowledged is lost, or anything was done twice or not as replied. */
  void compare() throws IOException {
    Map<UUID, Map<Long, Reply>> replies = replies();
    Set<String> letters = letters();
    Map<UUID, String> names = QueueDirectory.open(queue()).producerNames();
    try (Upcall store = Upcall.open(volume(), CrashWorker.CONFIG)) {
      Comparison.verify(store);
      for (Map.Entry<UUID, String> producer : names.entrySet()) {
        String name = producer.getValue();
        List<Acknowledged> all = acknowledged(name);
        log(all, new String(store.readAllBytes("/log-" + name), StandardCharsets.US_ASCII));
        large(all, store.readAllBytes("/large-" + name));
        Map<Long, Reply> told = replies.getOrDefault(producer.getKey(), new HashMap<>());
        for (Acknowledged one : all) {
          Reply reply = told.get(one.sequence());
          Comparison.check(reply != null, name + " " + one + " has no reply");
          boolean isRight =
              one.kind() == Kind.FAILING
                  ? reply.result() instanceof Reply.Failed(FailureCode code, String _)
                      && code == FailureCode.NOT_FOUND
                      && letters.contains(producer.getKey() + " " + one.sequence())
                  : reply.result() instanceof Reply.Done done && done.file() != null;
          Comparison.check(isRight, name + " " + one + " got " + reply);
        }
        lastVersion(all, told, store.stat("/log-" + name).version());
      }
    }
  }

  /** Nobody is left, whatever happened. */
  void end() throws InterruptedException {
    for (Process producer : producers.values()) {
      kill(producer);
    }
    kill(server);
  }

  /** Each acknowledged token once, in order; others, which were not acknowledged, at most once. */
  private static void log(List<Acknowledged> all, String log) {
    List<Acknowledged> expected = all.stream().filter(a -> a.kind() == Kind.APPEND).toList();
    Set<String> seen = new HashSet<>();
    int next = 0;
    int life = 0;
    int number = -1;
    for (String text : log.split(";", -1)) {
      if (text.isEmpty()) {
        continue;
      }
      Comparison.check(seen.add(text), text + " was done twice");
      String[] parts = text.split(":", -1);
      int itsLife = Integer.parseInt(parts[0]);
      int itsNumber = Integer.parseInt(parts[1]);
      boolean isLater = itsLife > life || (itsLife == life && itsNumber > number);
      Comparison.check(isLater, text + " came after " + life + ":" + number);
      life = itsLife;
      number = itsNumber;
      if (next < expected.size() && expected.get(next).token().equals(text + ";")) {
        next++;
      }
    }
    Comparison.check(
        next == expected.size(), next + " of " + expected.size() + " are there, in order");
  }

  /** The last acknowledged one, or a later one that was not acknowledged. */
  private static void large(List<Acknowledged> all, byte[] found) {
    Acknowledged last =
        all.stream().filter(a -> a.kind() == Kind.LARGE).reduce((_, b) -> b).orElseThrow();
    String token = new String(found, 0, 40, StandardCharsets.US_ASCII).split(";", 2)[0];
    String[] parts = token.split(":", -1);
    int life = Integer.parseInt(parts[0]);
    int number = Integer.parseInt(parts[1]);
    Comparison.check(
        Arrays.equals(QueueCrashProducer.large(life, number), found), token + " is not whole");
    Comparison.check(
        life > last.life() || (life == last.life() && number >= last.number()),
        token + " is older than " + last);
  }

  /** The log has the version that the reply to its last append names. */
  private static void lastVersion(List<Acknowledged> all, Map<Long, Reply> told, long version) {
    Set<Long> appends = new HashSet<>();
    all.stream().filter(a -> a.kind() == Kind.APPEND).forEach(a -> appends.add(a.sequence()));
    long newest =
        told.values().stream()
            .filter(reply -> appends.contains(reply.sequence()))
            .mapToLong(
                reply ->
                    reply.result() instanceof Reply.Done done && done.file() != null
                        ? done.file().version()
                        : 0)
            .max()
            .orElse(0);
    Comparison.check(newest <= version, "version " + newest + " was told, it is " + version);
  }

  /** All that were ever said; those that are said again must be the same. */
  private Map<UUID, Map<Long, Reply>> replies() throws IOException {
    Map<UUID, Map<Long, Reply>> all = new HashMap<>();
    try (EntryQueue queue =
        ChronicleEntries.open(
            QueueDirectory.open(queue()).replies(), Long.MAX_VALUE, System::currentTimeMillis)) {
      EntryQueue.Indexed found = queue.next(EntryQueue.NONE);
      while (found != null) {
        if (EntryCodec.decode(found.bytes()).flatMap(ReplyCodec::decodeReply)
            instanceof Decoded.Value<Reply>(Reply reply)) {
          Reply before =
              all.computeIfAbsent(reply.producer(), _ -> new HashMap<>())
                  .put(reply.sequence(), reply);
          Comparison.check(
              before == null || before.equals(reply), before + " was said, and " + reply);
        } else {
          throw new AssertionError("no reply at " + found.index());
        }
        found = queue.next(found.index());
      }
    }
    return all;
  }

  private Set<String> letters() throws IOException {
    Set<String> all = new HashSet<>();
    try (DeadLetters letters =
        new DeadLetters(
            ChronicleEntries.open(
                QueueDirectory.open(queue()).deadLetters(),
                Long.MAX_VALUE,
                System::currentTimeMillis))) {
      for (DeadLetters.Letter letter : letters.list()) {
        Comparison.check(letters.content(letter) != null, letter + " is not whole");
        all.add(letter.letter().origin().producer() + " " + letter.letter().origin().sequence());
      }
    }
    return all;
  }

  private long acknowledged() throws IOException {
    long sum = 0;
    for (String name : NAMES) {
      sum += acknowledged(name).size();
    }
    return sum;
  }

  private List<Acknowledged> acknowledged(String name) throws IOException {
    Path journal = QueueCrashProducer.journal(folder, name);
    return Files.exists(journal)
        ? Files.readAllLines(journal).stream().map(Acknowledged::of).toList()
        : List.of();
  }

  private Process again(String name) throws IOException, InterruptedException {
    kill(producers.get(name));
    return produce(name);
  }

  private Process produce(String name) throws IOException {
    int life = lives.merge(name, 1, Integer::sum);
    return Victim.start(
        folder.resolve(name + ".log"),
        QueueCrashProducer.class.getName(),
        folder.toString(),
        name,
        Integer.toString(life));
  }

  private Process serve() throws IOException {
    return Victim.start(
        folder.resolve("server.log"),
        Main.class.getName(),
        "serve",
        "--store=" + volume(),
        "--queue=" + queue(),
        "--memory=32m",
        "--port=0");
  }

  private void checkAlive() throws IOException {
    Comparison.check(server.isAlive(), "the server died by itself: " + logs());
    for (Process producer : producers.values()) {
      Comparison.check(producer.isAlive(), "a producer died by itself: " + logs());
    }
  }

  private String logs() throws IOException {
    StringBuilder all = new StringBuilder();
    for (String name : List.of("server", "one", "two")) {
      Path log = folder.resolve(name + ".log");
      all.append(name).append(": ").append(Files.exists(log) ? Files.readString(log) : "");
    }
    return all.toString();
  }

  private static void kill(Process process) throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  private Path volume() {
    return folder.resolve("s.upcall");
  }

  private Path queue() {
    return folder.resolve("queue");
  }
}
