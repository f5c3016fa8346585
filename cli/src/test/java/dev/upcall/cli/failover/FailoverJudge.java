package dev.upcall.cli.failover;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.cli.Main;
import dev.upcall.cli.crash.Comparison;
import dev.upcall.cli.crash.CrashModel;
import dev.upcall.cli.crash.CrashWorker;
import dev.upcall.cli.crash.Journal;
import dev.upcall.cli.crash.Victim;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A pair of servers on one store and one port, of which the one that serves is killed again and
 * again. Clients here put and delete; each asks again until it is answered, and after each
 * fail-over compares all its files with what it was told to be there.
 */
final class FailoverJudge {
  private static final int WRITERS = 3;
  private static final int NAMES = 24;
  private static final int WAIT_SECONDS = 120;

  private final Path folder;
  private final long seed;
  private final Random random;
  private final int port;
  private final List<Thread> writers = new ArrayList<>();
  private final AtomicBoolean ending = new AtomicBoolean();
  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicLong compared = new AtomicLong();
  private final AtomicReference<Throwable> wrong = new AtomicReference<>();
  private int started;
  private Server serving;
  private Server waiting;

  /** One of the pair. */
  private record Server(Process process, Path log) {}

  FailoverJudge(Path folder, long seed) throws IOException, InterruptedException {
    this.folder = folder;
    this.seed = seed;
    this.random = new Random(seed);
    this.port = FreePort.find();
    Upcall.openOrCreate(volume(), CrashWorker.CONFIG).close();
    serving = start(Engine.FSM);
    said(serving, "serving on");
    waiting = start(Engine.FSM);
    for (int i = 0; i < WRITERS; i++) {
      int writer = i;
      writers.add(Thread.ofPlatform().name("writer " + i).start(() -> write(writer)));
    }
  }

  private Path volume() {
    return folder.resolve("s.upcall");
  }

  private Server start(Engine engine) throws IOException {
    Path log = folder.resolve("server-" + started++);
    Process process =
        Victim.start(
            log,
            Main.class.getName(),
            "serve",
            "--standby",
            "--store=" + volume(),
            "--engine=" + engine.name().toLowerCase(Locale.ROOT),
            "--memory=32m",
            "--writable",
            "--port=" + port);
    return new Server(process, log);
  }

  private static void said(Server server, String text) throws IOException, InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    while (!Files.readString(server.log()).contains(text)) {
      boolean died = server.process().waitFor(5, TimeUnit.MILLISECONDS);
      Comparison.check(!died, "a server died by itself: " + Files.readString(server.log()));
      Comparison.check(
          System.nanoTime() < until, "not said: " + text + ": " + Files.readString(server.log()));
    }
  }

  /** Kills who serves, at a random instant; returns what was acknowledged in the meantime. */
  long round(boolean early, Engine next) throws IOException, InterruptedException {
    long before = acknowledged.get();
    long comparedBefore = compared.get();
    // Early: while the other one is not ready, or has not begun to wait.
    said(waiting, early ? "" : "standby: ready");
    awaitMore(acknowledged, before);
    boolean died = serving.process().waitFor(random.nextInt(1000), TimeUnit.MILLISECONDS);
    Comparison.check(!died, "the server died by itself: " + Files.readString(serving.log()));
    serving.process().destroyForcibly();
    said(waiting, "serving on");
    serving.process().waitFor();
    serving = waiting;
    waiting = start(next);
    awaitMore(compared, comparedBefore + WRITERS - 1);
    return acknowledged.get() - before;
  }

  private void awaitMore(AtomicLong count, long than) throws IOException, InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    while (count.get() <= than) {
      if (wrong.get() != null) {
        throw new AssertionError("a client saw something wrong", wrong.get());
      }
      Comparison.check(System.nanoTime() < until, "nothing goes on");
      boolean died = serving.process().waitFor(5, TimeUnit.MILLISECONDS);
      Comparison.check(!died, "the server died by itself: " + Files.readString(serving.log()));
    }
  }

  /** Ends all, and compares the store from inside. */
  void end() throws IOException, InterruptedException {
    stop();
    if (wrong.get() != null) {
      throw new AssertionError("a client saw something wrong", wrong.get());
    }
    compare();
  }

  /** Throws when something acknowledged is missing or altered, or anything is half there. */
  void compare() throws IOException {
    try (Upcall store = Upcall.open(volume(), CrashWorker.CONFIG)) {
      for (int writer = 0; writer < WRITERS; writer++) {
        Comparison.writer(
            store, folder, new CrashModel(seed, writer, CrashModel.Reach.WHOLE_FILES));
      }
      Comparison.verify(store);
    }
  }

  /** Ends all processes and threads. */
  void stop() throws InterruptedException {
    ending.set(true);
    for (Server server : List.of(waiting, serving)) {
      server.process().destroyForcibly().waitFor();
    }
    for (Thread writer : writers) {
      writer.join();
    }
  }

  // ---- clients

  private void write(int writer) {
    CrashModel model = new CrashModel(seed, writer, CrashModel.Reach.WHOLE_FILES);
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        Journal journal = new Journal(Journal.path(folder, model.directory().substring(1)))) {
      while (!ending.get()) {
        CrashModel.Operation next = model.next();
        boolean again = perform(client, model, next);
        if (ending.get()) {
          return;
        }
        model.apply(next);
        journal.acknowledged(model.done());
        acknowledged.incrementAndGet();
        if (again && compareAll(client, model)) {
          compared.incrementAndGet();
        }
      }
    } catch (Throwable failed) {
      wrong.compareAndSet(null, failed);
    }
  }

  /**
   * Asks until it is answered; tells whether it had to ask again, and what was asked before may be
   * done.
   */
  private boolean perform(HttpClient client, CrashModel model, CrashModel.Operation operation)
      throws InterruptedException {
    for (boolean again = false; ; again = true) {
      try {
        int status = client.send(request(model, operation), BodyHandlers.discarding()).statusCode();
        List<Integer> wanted = wanted(model, operation, again);
        Comparison.check(wanted.contains(status), operation + " is answered " + status);
        return again;
      } catch (IOException refusedOrBroken) {
        if (ending.get()) {
          return false;
        }
        TimeUnit.MILLISECONDS.sleep(5);
      }
    }
  }

  private HttpRequest request(CrashModel model, CrashModel.Operation operation) {
    return switch (operation) {
      case CrashModel.Operation.Put(String name, CrashModel.Piece piece) ->
          to(model, name).PUT(BodyPublishers.ofByteArray(CrashModel.bytes(piece))).build();
      case CrashModel.Operation.Delete(String name) -> to(model, name).DELETE().build();
      default -> throw new IllegalStateException("HTTP has no " + operation);
    };
  }

  private static List<Integer> wanted(
      CrashModel model, CrashModel.Operation operation, boolean again) {
    if (operation instanceof CrashModel.Operation.Put(String name, CrashModel.Piece _)) {
      boolean replaces = model.files().containsKey(name);
      return replaces ? List.of(204) : again ? List.of(201, 204) : List.of(201);
    }
    return again ? List.of(204, 404) : List.of(204);
  }

  private HttpRequest.Builder to(CrashModel model, String name) {
    URI uri = URI.create("http://127.0.0.1:" + port + model.directory() + "/" + name);
    return HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(WAIT_SECONDS));
  }

  /** All that was acknowledged is there, through the new owner; false when that has died, too. */
  private boolean compareAll(HttpClient client, CrashModel model) throws InterruptedException {
    Map<String, List<CrashModel.Piece>> files = model.files();
    try {
      for (int i = 0; i < NAMES; i++) {
        String name = "f" + i;
        HttpResponse<byte[]> got =
            client.send(to(model, name).GET().build(), BodyHandlers.ofByteArray());
        List<CrashModel.Piece> pieces = files.get(name);
        Comparison.check(
            pieces == null
                ? got.statusCode() == 404
                : got.statusCode() == 200 && Arrays.equals(CrashModel.bytes(pieces), got.body()),
            "%s/%s is answered %d, %d bytes, after %d acknowledged"
                .formatted(
                    model.directory(), name, got.statusCode(), got.body().length, model.done()));
      }
      return true;
    } catch (IOException died) {
      return false;
    }
  }
}
