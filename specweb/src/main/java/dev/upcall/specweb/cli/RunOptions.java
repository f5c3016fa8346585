package dev.upcall.specweb.cli;

import dev.upcall.specweb.FileSet;
import dev.upcall.specweb.client.ClientConfig;
import dev.upcall.specweb.client.Target;
import dev.upcall.specweb.client.Transport;
import dev.upcall.specweb.draw.FileWeights;
import dev.upcall.specweb.draw.Mix;
import dev.upcall.specweb.draw.Popularity;
import dev.upcall.specweb.load.Behaviour;
import dev.upcall.specweb.load.LoadPoint;
import dev.upcall.specweb.load.Mode;
import dev.upcall.specweb.run.Phases;
import dev.upcall.specweb.run.Profile;
import dev.upcall.specweb.run.Rules;
import dev.upcall.specweb.run.TestSetup;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What the user said of a run. Wrong combinations are {@code IllegalArgumentException}. */
final class RunOptions {
  /** Load points at most. */
  static final int MAX_POINTS = 100;

  private static final int DEFAULT_DIRECTORIES = 100;
  private static final int STATIC_99_REQUESTS = 5;

  /** Below this rate the ports of one source address last. */
  private static final double ONE_SOURCE_OPS_PER_SECOND = 400;

  private static final int SOURCES = 8;

  /** A server may take this long to end a connection after the last byte. */
  private static final long HOLD_NANOS = 5_000_000_000L;

  /** Tests that have a name. */
  enum Test {
    SPEC96,
    SPEC99_STATIC
  }

  @Parameters(
      paramLabel = "URL",
      description = "where file_set is: http://127.0.0.1:8080/ for example")
  private String url = "";

  @Option(
      names = "--mode",
      description = {
        "spec: processes with a schedule, one request each (default)",
        "open: a Poisson stream, as many outstanding as it takes",
        "closed: clients that ask again when they have their answer"
      })
  private Mode mode = Mode.SPEC;

  @Option(
      names = "--test",
      description = {
        "spec96: HTTP/1.0, a connection for each request, directories alike (default)",
        "spec99_static: HTTP/1.1, 5 requests a connection, directories by Zipf's law"
      })
  private Test test = Test.SPEC96;

  @Option(
      names = "--profile",
      description =
          "quick 5 + 15 s a point (default), standard 30 + 120 s, full 300 + 600 s: warm-up +"
              + " measurement")
  private Profile profile = Profile.QUICK;

  @Option(names = "--warm-seconds", paramLabel = "S", description = "instead of the profile's")
  private @Nullable Double warmSeconds;

  @Option(names = "--run-seconds", paramLabel = "S", description = "instead of the profile's")
  private @Nullable Double runSeconds;

  @Option(
      names = "--rate",
      paramLabel = "OPS",
      description =
          "the highest load requested, in requests a second (spec and open; default: what as many"
              + " clients in a closed loop reach)")
  private @Nullable Double opsPerSecond;

  @Option(
      names = "--points",
      paramLabel = "N",
      description = "load points, evenly spaced up to the highest (default: 10)")
  private int points = 10;

  @Option(
      names = "--processes",
      paramLabel = "N",
      description = "processes of mode spec (default: 64)")
  private int processes = 64;

  @Option(
      names = "--clients",
      paramLabel = "N,N,...",
      split = ",",
      description =
          "clients of mode closed, a load point each (default:"
              + " 1,5,10,25,50,100,150,200,250,500)")
  private List<Integer> clients = List.of(1, 5, 10, 25, 50, 100, 150, 200, 250, 500);

  @Option(
      names = "--think-millis",
      paramLabel = "MS",
      description = "mean think time of clients, exponential (default: 0)")
  private double thinkMillis;

  @Option(
      names = "--dirs",
      paramLabel = "N",
      description =
          "directories of the file set (default: as many as \"files --rate\" makes for --rate,"
              + " else 100)")
  private @Nullable Integer directories;

  @Option(
      names = "--weights",
      description = "of files in a class: poisson5 (default), poisson4, uniform, zipf99")
  private FileWeights weights = FileWeights.POISSON5;

  @Option(
      names = "--per-connection",
      paramLabel = "N",
      description = "requests a connection: 1 is HTTP/1.0, more HTTP/1.1, 0 without end")
  private @Nullable Integer perConnection;

  @Option(names = "--seed", paramLabel = "N", description = "of all random numbers (default: 96)")
  private long seed = 96;

  @Option(
      names = "--check-every",
      paramLabel = "N",
      description =
          "compare one in N bodies byte by byte (default: 64; 1 is all); lengths are always"
              + " compared")
  private int checkEvery = 64;

  @Option(
      names = "--rules",
      description =
          "strict: a point with an error is invalid (default); research: up to 1 %% of errors")
  private Rules rules = Rules.STRICT;

  @Option(
      names = "--timeout-seconds",
      paramLabel = "S",
      description = "a request that takes longer is an error (default: 10)")
  private double timeoutSeconds = 10;

  @Option(
      names = "--outstanding",
      paramLabel = "N",
      description = "requests of mode open under way at most; more are errors (default: 20000)")
  private int outstanding = Behaviour.MAX_OUTSTANDING;

  @Option(names = "--threads", paramLabel = "N", description = "of the load (default: 1)")
  private int threads = 1;

  @Option(
      names = "--transport",
      description = "io_uring, epoll or nio (default: the first that is there)")
  private @Nullable Transport transport;

  @Option(
      names = "--sources",
      paramLabel = "ADDR,...",
      split = ",",
      description =
          "local addresses to connect from (default: 127.0.0.2 to .9 for a server on 127.x with a"
              + " connection for each request above 400 a second, else what the kernel takes)")
  private @Nullable List<String> sources;

  @Option(
      names = "--server-pid",
      paramLabel = "PID",
      split = ",",
      description = "processes of the server whose CPU time is reported too")
  private List<Long> serverPids = List.of();

  @Option(
      names = "--note",
      paramLabel = "NAME=TEXT",
      description = "something for the report that a program cannot know; may be repeated")
  private Map<String, String> notes = new LinkedHashMap<>();

  @Option(
      names = "--allow-remote",
      description = "load a server that is not on this machine: only one that is yours")
  private boolean allowRemote;

  Rules rules() {
    return rules;
  }

  Mode mode() {
    return mode;
  }

  int processes() {
    return processes;
  }

  Map<String, String> notes() {
    return notes;
  }

  /** The name of the test for the report. */
  String testName() {
    boolean is96 = requestsPerConnection() == 1 && test == Test.SPEC96;
    boolean is99 = requestsPerConnection() == STATIC_99_REQUESTS && test == Test.SPEC99_STATIC;
    return is96 ? "spec96" : is99 ? "spec99-static" : "custom";
  }

  /** The name of the lengths of the phases. */
  String profileName() {
    return warmSeconds == null && runSeconds == null ? profile.label() : "custom";
  }

  Phases phases() {
    Phases named = profile.phases();
    return new Phases(
        warmSeconds == null ? named.warmSeconds() : warmSeconds,
        runSeconds == null ? named.runSeconds() : runSeconds);
  }

  /** Whether the highest load has to be found first. */
  boolean mustFindRate() {
    return mode != Mode.CLOSED && opsPerSecond == null;
  }

  /** The load points; the rate counts where the user named none. */
  List<LoadPoint> points(double foundOpsPerSecond) {
    if (points < 1 || points > MAX_POINTS || clients.size() > MAX_POINTS) {
      throw new IllegalArgumentException("load points must be 1 to " + MAX_POINTS);
    }
    if (mode == Mode.CLOSED) {
      if (opsPerSecond != null) {
        throw new IllegalArgumentException(
            "mode closed has no rate: say --clients, or another mode");
      }
      return clients.stream().map(number -> new LoadPoint(Mode.CLOSED, 0, number)).toList();
    }
    double top = opsPerSecond == null ? foundOpsPerSecond : opsPerSecond;
    return LoadPoint.upTo(mode, top, processes, points);
  }

  TestSetup setup() {
    Target target = Target.of(url);
    if (!target.isLoopback() && !allowRemote) {
      throw new IllegalArgumentException(
          target.authority()
              + " is not this machine. A load of this kind harms a server that others use; if it is"
              + " yours to harm, say --allow-remote");
    }
    if (!(timeoutSeconds > 0 && timeoutSeconds <= Phases.MAX_SECONDS)) {
      throw new IllegalArgumentException("the time-out must be above 0 s and at most a day");
    }
    ClientConfig client =
        new ClientConfig(
            requestsPerConnection(),
            checkEvery,
            (long) (timeoutSeconds * 1e9),
            HOLD_NANOS,
            addresses(target));
    return new TestSetup(
        target,
        client,
        new Behaviour(
            new Mix(fileSet(directories, opsPerSecond), weights, popularity()),
            thinkMillis,
            outstanding),
        seed,
        new TestSetup.Machinery(availableTransport(), threads, List.copyOf(serverPids)));
  }

  private Transport availableTransport() {
    if (transport != null && !transport.isAvailable()) {
      throw new IllegalArgumentException(transport.label() + " is not available here");
    }
    return transport == null ? Transport.best() : transport;
  }

  private int requestsPerConnection() {
    if (perConnection != null) {
      return perConnection;
    }
    return test == Test.SPEC96 ? 1 : STATIC_99_REQUESTS;
  }

  private Popularity popularity() {
    return test == Test.SPEC96 ? Popularity.UNIFORM : Popularity.ZIPF;
  }

  /** As large as it is told, or as a rate asks for. */
  static FileSet fileSet(@Nullable Integer directories, @Nullable Double opsPerSecond) {
    if (directories != null) {
      return new FileSet(directories);
    }
    return opsPerSecond == null ? new FileSet(DEFAULT_DIRECTORIES) : FileSet.forRate(opsPerSecond);
  }

  private List<InetAddress> addresses(Target target) {
    List<InetAddress> found = new ArrayList<>();
    if (sources != null) {
      sources.forEach(source -> found.add(address(source)));
    } else if (target.isLoopback()
        && target.address().getAddress() instanceof java.net.Inet4Address
        && requestsPerConnection() != 0
        && (opsPerSecond == null || opsPerSecond > ONE_SOURCE_OPS_PER_SECOND)) {
      for (int i = 0; i < SOURCES; i++) {
        found.add(address("127.0.0." + (2 + i)));
      }
    }
    return List.copyOf(found);
  }

  private static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("not an address: " + text, e);
    }
  }
}
