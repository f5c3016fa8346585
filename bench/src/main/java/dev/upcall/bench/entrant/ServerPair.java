package dev.upcall.bench.entrant;

import dev.upcall.bench.harness.Cores;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Numbers;
import dev.upcall.bench.host.Child;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Two servers on one store: one serves, the other one stands by. */
final class ServerPair implements AutoCloseable {
  static final long WAIT_SECONDS = 300;

  private static final Pattern STEP = Pattern.compile("\"(\\w+)Millis\":([0-9.E-]+)");

  private final Lab lab;
  private final Path volume;
  private final int port;
  private final List<Double> millis = new ArrayList<>();
  private final Map<String, List<Double>> steps = new LinkedHashMap<>();
  private Child serving;
  private Child waiting;

  private ServerPair(Lab lab, Path volume, int port, Child serving) throws IOException {
    this.lab = lab;
    this.volume = volume;
    this.port = port;
    this.serving = serving;
    this.waiting = server(lab, volume, port);
  }

  /** Starts both; the first one serves. */
  static ServerPair start(Lab lab, Path volume) throws IOException, InterruptedException {
    int port = Server.freePort();
    Child first = server(lab, volume, port);
    try {
      first.await("{", WAIT_SECONDS);
      return new ServerPair(lab, volume, port, first);
    } catch (IOException | InterruptedException | RuntimeException broken) {
      lab.terminate(first);
      throw broken;
    }
  }

  private static Child server(Lab lab, Path volume, int port) throws IOException {
    List<String> arguments =
        List.of(
            "serve", "--standby", "--json", "--writable", "--store=" + volume, "--port=" + port);
    List<String> command = lab.java("dev.upcall.cli.Main", arguments);
    return lab.start("upcall serve", lab.cores().pin(Cores.SERVER, command));
  }

  int port() {
    return port;
  }

  Path volume() {
    return volume;
  }

  /** Who serves. */
  Child serving() {
    return serving;
  }

  /** Who stands by, once it is ready. */
  Child ready() throws IOException, InterruptedException {
    waiting.awaitMessage("standby: ready", WAIT_SECONDS);
    return waiting;
  }

  /**
   * The one that served has gone, and the other one serves: another one begins to stand by.
   *
   * @return what the one that serves now has said of its start
   */
  String changed() throws IOException, InterruptedException {
    lab.terminate(serving);
    serving = waiting;
    String start = serving.await("{", WAIT_SECONDS);
    waiting = server(lab, volume, port);
    return start;
  }

  /** Notes what a change of servers took, in all. */
  void note(double all) {
    millis.add(all);
  }

  /** Notes the steps of a document, all or but some. */
  Map<String, Double> note(String json, List<String> without) {
    Map<String, Double> found = new LinkedHashMap<>();
    Matcher step = STEP.matcher(json);
    while (step.find()) {
      double took = Double.parseDouble(step.group(2));
      found.put(step.group(1), took);
      if (!without.contains(step.group(1))) {
        note(step.group(1), took);
      }
    }
    return found;
  }

  /** Notes a step. */
  void note(String step, double took) {
    steps.computeIfAbsent(step, _ -> new ArrayList<>()).add(took);
  }

  /** The worst of all changes, and the median of each step. */
  String summary() {
    return "worst of %d: %s ms; medians in ms: %s"
        .formatted(
            millis.size(),
            Numbers.show(millis.stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN)),
            steps.entrySet().stream()
                .map(step -> step.getKey() + " " + Numbers.show(median(step.getValue())))
                .collect(Collectors.joining(", ")));
  }

  private static double median(List<Double> of) {
    return of.stream().sorted().skip(of.size() / 2).findFirst().orElse(Double.NaN);
  }

  @Override
  public void close() {
    lab.terminate(waiting);
    lab.terminate(serving);
  }
}
