package dev.upcall.httpd.session;

import dev.upcall.FileManager;
import dev.upcall.FileManagerConfig;
import dev.upcall.completion.Unit;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpPolicy;
import dev.upcall.httpd.Responses.Response;
import dev.upcall.httpd.ResumableUploads;
import dev.upcall.httpd.SessionWorld;
import dev.upcall.httpd.Site;
import dev.upcall.httpd.SiteChanges;
import dev.upcall.httpd.message.DigestFields;
import dev.upcall.httpd.session.HttpClientModel.Asked;
import dev.upcall.httpd.session.HttpClientModel.Kind;
import dev.upcall.sim.FaultPlan;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.StoreFixture;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The server, the sessions and the whole store on one simulated machine: clients that put, delete,
 * get and edit through connections in fragments, some slow, some of which end in the middle of a
 * request; a disk that fails or a machine that dies at a step; recovery; and the judge, who knows
 * every status line that was said. Everything comes from one seed.
 */
final class HttpLifetime {
  private static final int[] SIZES = {0, 1, 400, 513, 4096, 5000, 65_536, 70_000, 150_000};

  private static final int MOST_EDITORS = 2;

  /** Those who edit draw apart, so that they change nothing of what the others do. */
  private static final long EDITING = 0x5EED_ED17L;

  /** So do those whose uploads come in several requests. */
  private static final long UPLOADING = 0x0B10AD5L;

  private static final int MOST_UPLOADERS = 2;

  /** So do those who ask for ranges and name digests. */
  private static final long ASKING = 0xA5C1_D16E57L;

  /** Gives the writing half of the site; a canary gives a broken one. */
  interface Writing extends Function<FileManager, SiteChanges> {}

  /** A client and its connection. */
  private record Client(HttpClientModel model, SimConnection connection) {}

  private final long seed;
  private final SplittableRandom random;
  private final SplittableRandom editing;
  private final SplittableRandom asking;
  private final SplittableRandom uploading;
  private final Writing writing;
  private final List<Client> clients = new ArrayList<>();
  private final List<HttpUploader> uploaders = new ArrayList<>();
  private SimWorld machine;
  private @Nullable StoreFixture store;
  private FileManager files;
  private SessionWorld world;

  /** A machine with an empty store and a server on it. */
  HttpLifetime(long seed, Writing writing) {
    this.seed = seed;
    this.random = new SplittableRandom(seed);
    this.editing = new SplittableRandom(seed ^ EDITING);
    this.asking = new SplittableRandom(seed ^ ASKING);
    this.uploading = new SplittableRandom(seed ^ UPLOADING);
    this.writing = writing;
    machine = SimWorld.ofBlocks(seed, StoreFixture.tinyLayout().maxBlocks());
    StoreFixture.format(machine);
    open();
  }

  private void open() {
    machine.closesUnchecked("each life ends in a death or in a check of everything");
    store = StoreFixture.recovered(machine);
    files = machine.get(port -> FileManager.open(store.store(), FileManagerConfig.DEFAULT, port));
    SiteChanges changes = writing.apply(files);
    Site reading = Site.of(files);
    world =
        new SessionWorld(
            machine,
            HttpConfig.defaults()
                .withWritable(true)
                .withAdmission(admission())
                .withPolicy(HttpPolicy.OPEN.withResumable(resumable())),
            new DelegatingSite(reading, Optional.of(changes)));
    world.buffers = new UnpooledByteBufAllocator(false, true); // a dead machine releases nothing
  }

  /** Sometimes so few that most requests wait; never so short that one is turned away. */
  private HttpConfig.Admission admission() {
    return HttpConfig.Admission.of(Math.max(0, random.nextInt(6) - 2));
  }

  private ResumableUploads resumable() {
    return new ResumableUploads(
        100, 100, 1 << 30, 1 + uploading.nextInt(30_000), Duration.ofDays(1), uploading.split());
  }

  /** Whether the machine has died. */
  boolean hasDied() {
    return machine.disk().crashed();
  }

  /** Steps of the disk so far. */
  long steps() {
    return machine.disk().steps();
  }

  /**
   * Lets clients come and waits until all are gone, or the machine has died.
   *
   * @param faults of the disk, counted from now
   * @param resetAtTurn the turn at which the first client's connection breaks; 0 for never
   * @return the number of turns until the first client was gone
   */
  int live(FaultPlan faults, int resetAtTurn) {
    machine.disk().setFaults(faults);
    int count = 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      clients.add(client());
    }
    for (int i = editing.nextInt(MOST_EDITORS + 1); i > 0; i--) {
      clients.add(editor());
    }
    for (int i = uploading.nextInt(MOST_UPLOADERS + 1); i > 0; i--) {
      uploaders.add(new HttpUploader(world, "/u" + i + "/f", uploading.split()));
    }
    SimConnection first = clients.getFirst().connection();
    int[] turns = new int[2];
    machine.runUntil(
        () -> {
          turns[0]++;
          if (turns[0] == resetAtTurn) {
            first.reset();
          }
          turns[1] = first.closedReported() ? turns[1] : turns[0];
          return clients.stream().allMatch(client -> client.connection.closedReported())
              && uploaders.stream().allMatch(HttpUploader::isOver)
              && world.sessions.size() == 0;
        });
    return turns[1];
  }

  /** Hears what was said, and looks at the files of the living store. */
  void check() {
    machine.disk().setFaults(FaultPlan.NONE);
    if (machine.disk().crashed()) {
      machine = machine.crashAndReopen();
      open();
    }
    judge();
  }

  /** Ends the machine at this moment, recovers what it holds and looks at the files. */
  void dieAndCheck() {
    machine = machine.crashAndReopen();
    open();
    judge();
  }

  private void judge() {
    try {
      for (Client client : clients) {
        client.model.hear(client.connection.serverSaid());
        for (String path : client.model.paths()) {
          client.model.check(path, read(path));
        }
      }
      for (HttpUploader uploader : uploaders) {
        uploader.judge(world, () -> read(uploader.path()));
      }
    } catch (HttpClientModel.Lie lie) {
      throw new AssertionError(
          "%s; again with -Dtest=HttpStoreSimTest -Dupcall.http.seed=%d"
              .formatted(lie.getMessage(), seed),
          lie);
    }
    end();
  }

  /** Nothing is leased, nothing lies twice, nothing is lost. */
  private void end() {
    world.close();
    machine.<Unit>get(files::close);
    store.end();
  }

  private byte @Nullable [] read(String path) {
    Response response =
        world
            .exchange("GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            .getFirst();
    if (response.status() == 404) {
      return null;
    }
    if (response.status() != 200 || !response.complete()) {
      throw new AssertionError("seed " + seed + ": " + path + " is answered " + response.status());
    }
    return response.body();
  }

  private Client client() {
    Client client =
        new Client(
            new HttpClientModel(),
            world.connect(1 + random.nextInt(random.nextBoolean() ? 2_000 : 100_000)));
    int number = clients.size();
    int count = 2 + random.nextInt(9);
    boolean cut = random.nextInt(3) == 0;
    for (int i = 0; i < count; i++) {
      client.model.ask(request("/c" + number + "/f" + random.nextInt(2), cut && i == count - 1));
    }
    SimConnection connection = client.connection;
    byte[] sent = client.model.sent().getBytes(StandardCharsets.ISO_8859_1);
    connection.clientSends(sent, 1 + random.nextInt(random.nextBoolean() ? 3_000 : 40_000));
    if (random.nextInt(4) == 0) {
      connection.clientKeepsReading(1 + random.nextInt(5_000), 1 + random.nextInt(200_000));
    } else {
      connection.clientReadsAll();
    }
    if (random.nextInt(4) == 0) {
      world.reactor.after(random.nextInt(5_000_000), connection::reset);
    } else {
      connection.clientEnds();
    }
    return client;
  }

  private Client editor() {
    SimConnection connection =
        world.connect(1 + editing.nextInt(editing.nextBoolean() ? 2_000 : 100_000));
    HttpEditor editor =
        new HttpEditor(connection, world.reactor, "/c" + clients.size(), editing.split());
    if (editing.nextInt(4) == 0) {
      world.reactor.after(editing.nextInt(5_000_000), connection::reset);
    }
    return new Client(editor.model(), connection);
  }

  private Asked request(String path, boolean cut) {
    String host = path + " HTTP/1.1\r\nHost: a\r\n";
    int choice = random.nextInt(6);
    if (choice >= 4) {
      Kind kind = choice == 4 ? Kind.DELETE : Kind.GET;
      boolean parts = kind == Kind.GET && asking.nextInt(3) == 0;
      String range = parts ? "Range: " + HttpClientModel.RANGES + "\r\n" : "";
      String sent = kind + " " + host + range + "\r\n";
      return new Asked(kind, path, null, cut ? sent.substring(0, 9) : sent, !cut);
    }
    byte[] body = StoreFixture.bytes(random.nextLong(), SIZES[random.nextInt(SIZES.length)]);
    String text = HttpClientModel.latin1(body);
    boolean named = asking.nextInt(6) == 0;
    boolean right = asking.nextInt(8) > 0;
    boolean chunked = random.nextBoolean();
    String sent =
        "PUT "
            + host
            + (named ? "Repr-Digest: sha-256=:" + sha256(body, right) + ":\r\n" : "")
            + (chunked
                ? "Transfer-Encoding: chunked\r\n\r\n" + chunks(text)
                : "Content-Length: " + body.length + "\r\n\r\n" + text);
    int end = cut ? 10 + random.nextInt(sent.length() - 10) : sent.length();
    int refusal = named && !right ? 400 : 0;
    return new Asked(Kind.PUT, path, body, sent.substring(0, end), !cut, refusal);
  }

  private static String sha256(byte[] body, boolean right) {
    byte[] sum = DigestFields.digest("SHA-256").digest(body);
    sum[0] ^= (byte) (right ? 0 : 1);
    return Base64.getEncoder().encodeToString(sum);
  }

  private String chunks(String text) {
    StringBuilder out = new StringBuilder();
    for (int at = 0; at < text.length(); ) {
      int size = Math.min(text.length() - at, 1 + random.nextInt(40_000));
      out.append(Integer.toHexString(size)).append("\r\n");
      out.append(text, at, at + size).append("\r\n");
      at += size;
    }
    return out.append("0\r\n\r\n").toString();
  }
}
