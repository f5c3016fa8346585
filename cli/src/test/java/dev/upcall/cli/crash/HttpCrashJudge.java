package dev.upcall.cli.crash;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.cli.Main;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs {@code upcall serve --writable} in a process of its own, puts, changes, deletes and gets
 * from several threads here, kills the process at a random instant, opens its store and compares.
 */
final class HttpCrashJudge {
  private static final int WRITERS = 3;
  private static final int READERS = 2;
  private static final int NAMES = 24;

  /** Requests that are acknowledged before a server that serves is killed. */
  private static final int LEAST = 4;

  private static final Pattern PORT = Pattern.compile("\"port\"\\s*:\\s*(\\d+)");

  private final Path folder;
  private final long seed;
  private final Random random;

  /** For each path the contents that were ever sent to it, by hash. */
  private final Map<String, Set<Integer>> everSent = new ConcurrentHashMap<>();

  private final CrashUploads uploads;
  private final AtomicReference<Throwable> wrong = new AtomicReference<>();
  private final AtomicBoolean killing = new AtomicBoolean();
  private final AtomicLong servedWhole = new AtomicLong();

  HttpCrashJudge(Path folder, long seed) {
    this.folder = folder;
    this.seed = seed;
    this.random = new Random(seed);
    this.uploads = new CrashUploads(seed);
    Upcall.openOrCreate(volume(), CrashWorker.CONFIG).close();
  }

  private Path volume() {
    return folder.resolve("s.upcall");
  }

  /** Files that were served whole so far. */
  long servedWhole() {
    return servedWhole.get();
  }

  /** One life and death of the server; returns how many operations it acknowledged. */
  long round(boolean early, Engine engine) throws IOException, InterruptedException {
    long before = acknowledged();
    Path log = folder.resolve("server.log");
    Files.deleteIfExists(log);
    Process server = Victim.start(log, Main.class.getName(), options(engine));
    List<Thread> clients = new ArrayList<>();
    killing.set(false);
    try {
      if (early) {
        server.waitFor(random.nextInt(1500), TimeUnit.MILLISECONDS);
      }
      int port = early ? portIn(log) : awaitPort(server, log);
      if (port > 0) {
        clients.addAll(clients(URI.create("http://127.0.0.1:" + port), engine));
        awaitSome(server, before, log, engine);
      }
      boolean died = server.waitFor(random.nextInt(1500), TimeUnit.MILLISECONDS);
      Comparison.check(!died, "the server died by itself: " + Files.readString(log));
    } finally {
      killing.set(true);
      server.destroyForcibly();
      server.waitFor();
      for (Thread client : clients) {
        client.join();
      }
    }
    if (wrong.get() != null) {
      throw new AssertionError("a client saw something wrong", wrong.get());
    }
    long acknowledged = acknowledged() - before;
    compare();
    return acknowledged;
  }

  private String[] options(Engine engine) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "serve",
                "--store=" + volume(),
                "--engine=" + engine.name().toLowerCase(Locale.ROOT),
                "--memory=32m",
                "--writable",
                "--json",
                "--port=0"));
    if (engine == Engine.FSM) {
      words.add("--resumable-uploads");
    }
    return words.toArray(String[]::new);
  }

  private static int awaitPort(Process server, Path log) throws IOException, InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(Victim.WAIT_SECONDS);
    while (portIn(log) == 0) {
      boolean died = server.waitFor(5, TimeUnit.MILLISECONDS);
      Comparison.check(!died, "the server died by itself: " + Files.readString(log));
      Comparison.check(System.nanoTime() < until, "the server does not listen");
    }
    return portIn(log);
  }

  /** However slow the machine is, some was acknowledged in this round, and some file read. */
  private void awaitSome(Process server, long before, Path log, Engine engine)
      throws IOException, InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(Victim.WAIT_SECONDS);
    while ((acknowledged() < before + LEAST
            || servedWhole() == 0
            || (engine == Engine.FSM && uploads.toldBytes() == 0))
        && wrong.get() == null) {
      boolean died = server.waitFor(5, TimeUnit.MILLISECONDS);
      Comparison.check(!died, "the server died by itself: " + Files.readString(log));
      Comparison.check(System.nanoTime() < until, "the server acknowledges nothing");
    }
  }

  /** Where the server says that it listens, or 0. */
  private static int portIn(Path log) throws IOException {
    Matcher port = PORT.matcher(Files.readString(log));
    return port.find() ? Integer.parseInt(port.group(1)) : 0;
  }

  /** Throws when something acknowledged is missing or altered, or anything is half there. */
  void compare() throws IOException {
    try (Upcall store = Upcall.open(volume(), CrashWorker.CONFIG)) {
      for (int writer = 0; writer < WRITERS; writer++) {
        Comparison.writer(store, folder, model(writer));
      }
      uploads.compare(store);
      Comparison.verify(store);
    }
  }

  private CrashModel model(int writer) {
    return new CrashModel(seed, writer, CrashModel.Reach.HTTP);
  }

  private long acknowledged() throws IOException {
    long sum = 0;
    for (int writer = 0; writer < WRITERS; writer++) {
      sum += Journal.count(journal(writer));
    }
    return sum;
  }

  private Path journal(int writer) {
    return Journal.path(folder, model(writer).directory().substring(1));
  }

  // ---- clients, until the server is gone

  private interface Work {
    void run(HttpClient client) throws IOException, InterruptedException;
  }

  private List<Thread> clients(URI server, Engine engine) {
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      int writer = i;
      clients.add(start("writer " + i, client -> write(client, server, writer)));
    }
    if (engine == Engine.FSM) {
      clients.add(start("uploader", client -> uploads.run(client, server)));
    }
    for (int i = 0; i < READERS; i++) {
      long choice = random.nextLong();
      clients.add(start("reader " + i, client -> read(client, server, new Random(choice))));
    }
    return clients;
  }

  private Thread start(String name, Work work) {
    return Thread.ofPlatform()
        .name(name)
        .start(
            () -> {
              try (HttpClient client =
                  HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
                work.run(client);
              } catch (Throwable failed) {
                if (!(killing.get() && failed instanceof IOException)) {
                  wrong.compareAndSet(null, failed);
                }
              }
            });
  }

  private void write(HttpClient client, URI server, int writer)
      throws IOException, InterruptedException {
    CrashModel model = model(writer);
    Path path = journal(writer);
    model.advanceTo(Journal.count(path));
    try (Journal journal = new Journal(path)) {
      while (true) {
        CrashModel.Operation next = model.next();
        perform(client, server, model, next);
        model.apply(next);
        journal.acknowledged(model.done());
      }
    }
  }

  private void perform(
      HttpClient client, URI server, CrashModel model, CrashModel.Operation operation)
      throws IOException, InterruptedException {
    switch (operation) {
      case CrashModel.Operation.Put(String name, CrashModel.Piece piece) -> {
        String path = model.directory() + "/" + name;
        byte[] bytes = CrashModel.bytes(piece);
        sent(path, bytes);
        boolean chunked = bytes.length % 2 == 0;
        BodyPublisher body =
            chunked
                ? BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes))
                : BodyPublishers.ofByteArray(bytes);
        int expected = model.files().containsKey(name) ? 204 : 201;
        expect(client, request(server, path).PUT(body).build(), expected);
      }
      case CrashModel.Operation.Delete(String name) ->
          expect(client, request(server, model.directory() + "/" + name).DELETE().build(), 204);
      case CrashModel.Operation.Splice splice -> patch(client, server, model, splice);
      case CrashModel.Operation.Append _,
          CrashModel.Operation.Rename _,
          CrashModel.Operation.Clone _,
          CrashModel.Operation.Join _,
          CrashModel.Operation.Batch _ ->
          throw new IllegalStateException("HTTP has no " + operation);
    }
  }

  /** Nobody else writes the file, so the version that is looked at is the one that is changed. */
  private void patch(
      HttpClient client, URI server, CrashModel model, CrashModel.Operation.Splice splice)
      throws IOException, InterruptedException {
    String path = model.directory() + "/" + splice.name();
    List<CrashModel.Piece> pieces = model.files().get(splice.name());
    int behind = splice.at() + splice.removed();
    byte[] bytes = CrashModel.bytes(splice.piece());
    sent(
        path,
        CrashModel.bytes(
            CrashModel.spliced(pieces, splice.at(), splice.removed(), splice.piece())));
    String line =
        "splice %d %d %d\n"
            .formatted(
                CrashModel.sizeBytes(pieces.subList(0, splice.at())),
                CrashModel.sizeBytes(pieces.subList(splice.at(), behind)),
                bytes.length);
    HttpRequest look = request(server, path).method("HEAD", BodyPublishers.noBody()).build();
    String tag =
        client.send(look, BodyHandlers.discarding()).headers().firstValue("ETag").orElseThrow();
    BodyPublisher body =
        BodyPublishers.concat(BodyPublishers.ofString(line), BodyPublishers.ofByteArray(bytes));
    HttpRequest patch =
        request(server, path)
            .header("Content-Type", "application/vnd.upcall.edits")
            .header("If-Match", tag)
            .method("PATCH", body)
            .build();
    expect(client, patch, 204);
  }

  private static void expect(HttpClient client, HttpRequest request, int status)
      throws IOException, InterruptedException {
    HttpResponse<Void> response = client.send(request, BodyHandlers.discarding());
    Comparison.check(
        response.statusCode() == status,
        request + " is answered " + response.statusCode() + " instead of " + status);
  }

  private void read(HttpClient client, URI server, Random choice)
      throws IOException, InterruptedException {
    while (true) {
      String path = "/writer" + choice.nextInt(WRITERS) + "/f" + choice.nextInt(NAMES);
      HttpResponse<byte[]> response =
          client.send(request(server, path).GET().build(), BodyHandlers.ofByteArray());
      if (response.statusCode() == 200) {
        served(path, response.body());
      } else {
        Comparison.check(
            response.statusCode() == 404, path + " is answered " + response.statusCode());
      }
    }
  }

  private static HttpRequest.Builder request(URI server, String path) {
    return HttpRequest.newBuilder(server.resolve(path)).timeout(Duration.ofSeconds(60));
  }

  private void sent(String path, byte[] bytes) {
    everSent
        .computeIfAbsent(path, key -> ConcurrentHashMap.newKeySet())
        .add(Arrays.hashCode(bytes));
  }

  /** What was served whole must have been sent whole. */
  void served(String path, byte[] bytes) {
    Set<Integer> sent = everSent.get(path);
    Comparison.check(
        sent != null && sent.contains(Arrays.hashCode(bytes)),
        path + " was served with " + bytes.length + " bytes that nobody ever sent");
    servedWhole.incrementAndGet();
  }
}
