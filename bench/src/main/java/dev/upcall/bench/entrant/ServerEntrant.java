package dev.upcall.bench.entrant;

import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Latencies;
import dev.upcall.bench.harness.Running;
import dev.upcall.bench.harness.Sample;
import dev.upcall.bench.harness.Warmup;
import dev.upcall.bench.host.ProcessCpu;
import dev.upcall.bench.host.ThreadWatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** An entrant that is a server under a load of wrk. */
public final class ServerEntrant implements Running {
  private static final int CHECKED_PATHS = 3;

  /** How the name of a store's own thread begins; those of HTTP threads go on with a hyphen. */
  private static final String STORE_THREAD = "upcall ";

  private final Lab lab;
  private final Server.Live server;
  private final Wrk load;
  private double requests;
  private double storeSeconds;

  private ServerEntrant(Lab lab, Server.Live server, Wrk load) {
    this.lab = lab;
    this.server = server;
    this.load = load;
  }

  /**
   * An entrant.
   *
   * @param folder what the server serves
   * @param paths some of what the load asks for
   */
  public static Entrant of(Server server, Wrk load, Path folder, List<String> paths) {
    return new Entrant(
        server.name(), server.role(), lab -> start(lab, server, load, folder, paths));
  }

  /**
   * The same, started anew for each sample: two servers of one program differ by what their
   * compilers made of it, by a few percent for as long as they run.
   */
  public static Entrant fresh(Server server, Wrk load, Path folder, List<String> paths) {
    return new Entrant(
        server.name(), server.role(), lab -> new Fresh(lab, server, load, folder, paths));
  }

  /** A server for each sample. */
  private record Fresh(Lab lab, Server server, Wrk load, Path folder, List<String> paths)
      implements Running {
    @Override
    public Sample measure() throws IOException, InterruptedException {
      try (ServerEntrant started = start(lab, server, load, folder, paths)) {
        return started.measure();
      }
    }

    @Override
    public void close() {
      // Each sample's server has ended.
    }
  }

  /** Starts a server, looks at its answers, and warms it up. */
  public static ServerEntrant start(
      Lab lab, Server server, Wrk load, Path folder, List<String> paths)
      throws IOException, InterruptedException {
    ServerEntrant started = new ServerEntrant(lab, server.opening().open(lab), load);
    try {
      started.check(folder, paths);
      if (server.isJvm()) {
        Warmup warmup = new Warmup(lab, "  " + server.name());
        warmup.run(started.pid(), () -> load.warming().run(lab, started.server, 1));
      }
    } catch (IOException | InterruptedException | RuntimeException broken) {
      started.close();
      throw broken;
    }
    return started;
  }

  long pid() {
    return server.child().pid();
  }

  int port() {
    return server.port();
  }

  private void check(Path folder, List<String> paths) throws IOException, InterruptedException {
    for (String path : paths.subList(0, Math.min(CHECKED_PATHS, paths.size()))) {
      byte[] expected = Files.readAllBytes(folder.resolve(path.substring(1)));
      byte[] got = Http.get(server, path);
      if (!Arrays.equals(expected, got)) {
        throw new IOException("a wrong answer to GET " + path);
      }
    }
  }

  @Override
  public Sample measure() throws IOException, InterruptedException {
    double before = ProcessCpu.treeSeconds(pid());
    ThreadWatch store = ThreadWatch.named(pid(), STORE_THREAD);
    int seconds = (int) Math.max(1, Math.round(lab.settings().runSeconds()));
    WrkReport report = load.run(lab, server, seconds * load.stretch());
    double cpu = ProcessCpu.treeSeconds(pid()) - before;
    storeSeconds += store.seconds();
    requests += report.requests();
    return new Sample(
        report.requests(),
        report.seconds(),
        cpu,
        Latencies.of(report.p50Micros(), report.p99Micros()));
  }

  /** What of a request's processor time is the store's own thread's, which all others share. */
  @Override
  public String note() {
    return storeSeconds == 0 || requests == 0
        ? ""
        : String.format(
            Locale.ROOT, "the store's thread: %.3f us a request", storeSeconds * 1e6 / requests);
  }

  @Override
  public OptionalLong process() {
    return OptionalLong.of(pid());
  }

  @Override
  public void close() {
    lab.terminate(server.child());
  }
}
