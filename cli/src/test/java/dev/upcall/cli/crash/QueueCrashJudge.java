package dev.upcall.cli.crash;

import dev.upcall.FileVersion;
import dev.upcall.Upcall;
import dev.upcall.cli.Main;
import dev.upcall.cli.crash.QueueCrashProducer.Acknowledged;
import dev.upcall.cli.crash.QueueCrashProducer.Kind;
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
import dev.upcall.journal.queue.RawQueue;
import dev.upcall.request.FileRequest;
import dev.upcall.request.codec.Submission;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Producers, a server and its standby in processes of their own, killed at random instants, alone
 * and together. In the end nobody is killed any more, and what the store has, what was acknowledged
 * and what was replied are compared.
 */
final class QueueCrashJudge {
  private static final List<String> NAMES = List.of("one", "two");
  private static final int MOST_MILLIS = 1500;

  private final Path folder;
  private final Random random;
  private final CrashJudge.@Nullable Ground ground;
  private final Map<String, Process> producers = new TreeMap<>();
  private final Map<String, Integer> lives = new TreeMap<>();
  private Process server;
  private Process standby;
  private int served;

  /** Whom a round kills. */
  enum Victims {
    /** One of the producers. */
    PRODUCER,
    /** The process that has the store: the one that waits takes its place. */
    SERVER,
    /** The process that waits for the store. */
    STANDBY,
    /** A producer and the process that has the store. */
    PRODUCER_AND_SERVER,
    /** The process that has the store and the one that waits, in any order. */
    SERVERS,
    /** All of them, in any order, and who was about to begin new files of the queue. */
    ALL
  }

  /** Nothing is lost but by those who are killed. */
  QueueCrashJudge(Path folder, long seed) throws IOException, InterruptedException {
    this(folder, seed, null);
  }

  /**
   * With a ground, queue or volume lose what was not synced when all are killed; producers
   * acknowledge what they have synced.
   */
  QueueCrashJudge(Path folder, long seed, CrashJudge.@Nullable Ground ground)
      throws IOException, InterruptedException {
    this.folder = folder;
    this.random = new Random(seed);
    this.ground = ground;
    Upcall.openOrCreate(volume(), CrashWorker.CONFIG).close();
    NAMES.forEach(name -> lives.put(name, 0));
    begin();
  }

  /** Lets them work, some time, and kills; returns how many requests were acknowledged so far. */
  long round(Victims victims) throws IOException, InterruptedException {
    long before = acknowledged();
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(Victim.WAIT_SECONDS);
    while (acknowledged() == before) {
      server.waitFor(10, TimeUnit.MILLISECONDS);
      if (System.nanoTime() > until) {
        throw new AssertionError("nothing is acknowledged: " + stacks());
      }
      checkAlive();
    }
    server.waitFor(random.nextInt(MOST_MILLIS), TimeUnit.MILLISECONDS);
    checkAlive();
    String name = NAMES.get(random.nextInt(NAMES.size()));
    switch (victims) {
      case PRODUCER -> again(name);
      case SERVER -> standbyServes();
      case STANDBY -> {
        kill(standby);
        standby = serve("--standby");
      }
      case PRODUCER_AND_SERVER -> {
        List<Process> both = new ArrayList<>(List.of(producers.get(name), server));
        Collections.shuffle(both, random);
        both.forEach(Process::destroyForcibly);
        standbyServes();
        again(name);
      }
      case SERVERS -> {
        List<Process> both = new ArrayList<>(List.of(standby, server));
        Collections.shuffle(both, random);
        both.forEach(Process::destroyForcibly);
        kill(server);
        kill(standby);
        serveAnew();
      }
      case ALL -> {
        stop();
        QueueDirectory directory = QueueDirectory.open(queue());
        RawQueue.dieMaking(directory.requests());
        RawQueue.dieMaking(directory.replies());
        begin();
      }
    }
    return acknowledged();
  }

  /** Waits for the end of all requests, and compares. */
  void finish() throws Exception {
    stop();
    server = serve();
    for (String name : NAMES) {
      try (Producer producer = Producer.open(queue(), name, 1L << 30);
          Replies replies = producer.replies()) {
        // Those before it are over before it is: a producer's requests are done in order.
        long last = producer.submit(Submission.of(new FileRequest.Delete("/end"))).sequence();
        boolean isThere = replies.await(last, Duration.ofSeconds(Victim.WAIT_SECONDS)).isPresent();
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
    Map<UUID, String> names = new HashMap<>(QueueDirectory.open(queue()).producerNames());
    // The power may take the name of one that was about to begin.
    names.values().retainAll(NAMES);
    Comparison.check(names.size() == NAMES.size(), "producers: " + names);
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
          if (reply == null && ground != null) {
            continue; // The power took it: replies are not synced.
          }
          Comparison.check(reply != null, name + " " + one + " has no reply");
          boolean isRight =
              one.kind() == Kind.FAILING
                  ? reply.result() instanceof Reply.Failed(FailureCode code, String _)
                      && code == FailureCode.NOT_FOUND
                      && (ground != null
                          || letters.contains(producer.getKey() + " " + one.sequence()))
                  : reply.result() instanceof Reply.Done done && done.file().isPresent();
          Comparison.check(isRight, name + " " + one + " got " + reply);
        }
        lastVersion(all, told, store.stat("/log-" + name).version());
      }
    }
  }

  /** Nobody is left, whatever happened. */
  void end() throws InterruptedException {
    for (Process each : all()) {
      kill(each);
    }
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
                    reply.result() instanceof Reply.Done done
                        ? done.file().map(FileVersion::version).orElse(0L)
                        : 0L)
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
          Comparison.check(ground != null, "no reply at " + found.index());
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
        // After a loss of power one may be made again when its request is gone.
        Comparison.check(
            ground != null || letters.whole(letter).isPresent(), letter + " is not whole");
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

  /** Starts all; the standby when the server has the store. */
  private void begin() throws IOException, InterruptedException {
    if (ground != null) {
      ground.begin();
    }
    serveAnew();
    for (String name : NAMES) {
      producers.put(name, produce(name));
    }
  }

  private void serveAnew() throws IOException, InterruptedException {
    server = serve();
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(Victim.WAIT_SECONDS);
    while (!Files.readString(serverLog()).contains("serving on")) {
      boolean died = server.waitFor(5, TimeUnit.MILLISECONDS);
      Comparison.check(!died && System.nanoTime() < until, "the server does not serve: " + logs());
    }
    standby = serve("--standby");
  }

  /** Kills all, in any order. */
  private void stop() throws IOException, InterruptedException {
    if (ground != null) {
      ground.kill();
    }
    List<Process> all = all();
    Collections.shuffle(all, random);
    all.forEach(Process::destroyForcibly);
    end();
    if (ground != null) {
      ground.end();
    }
  }

  private List<Process> all() {
    List<Process> all = new ArrayList<>(producers.values());
    all.add(server);
    all.add(standby);
    return all;
  }

  /** The server dies, the standby goes on, and another one waits. */
  private void standbyServes() throws IOException, InterruptedException {
    kill(server);
    server = standby;
    standby = serve("--standby");
  }

  private void again(String name) throws IOException, InterruptedException {
    kill(producers.get(name));
    producers.put(name, produce(name));
  }

  private Process produce(String name) throws IOException {
    int life = lives.merge(name, 1, Integer::sum);
    return Victim.start(
        folder.resolve(name + ".log"),
        QueueCrashProducer.class.getName(),
        folder.toString(),
        name,
        Integer.toString(life),
        ground == null ? "appended" : "synced");
  }

  private Process serve(String... more) throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.add("serve");
    arguments.add("--store=" + volume());
    arguments.add("--queue=" + queue());
    arguments.add("--memory=32m");
    arguments.add("--port=0");
    arguments.addAll(List.of(more));
    served++;
    return Victim.start(serverLog(), Main.class.getName(), arguments.toArray(String[]::new));
  }

  /** Of the server that was started last; the other one has the other file. */
  private Path serverLog() {
    return folder.resolve("server" + served % 2 + ".log");
  }

  private void checkAlive() throws IOException {
    for (Process each : all()) {
      Comparison.check(each.isAlive(), "somebody died by himself: " + logs());
    }
  }

  /**
   * The logs, with what the threads of all wait for: a JVM that is asked to quit writes it there.
   */
  private String stacks() throws IOException, InterruptedException {
    for (Process each : all()) {
      new ProcessBuilder("kill", "-QUIT", Long.toString(each.pid())).start().waitFor();
    }
    server.waitFor(2, TimeUnit.SECONDS);
    return logs();
  }

  private String logs() throws IOException {
    StringBuilder all = new StringBuilder();
    for (String name : List.of("server0", "server1", "one", "two")) {
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
