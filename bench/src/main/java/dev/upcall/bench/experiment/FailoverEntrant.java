package dev.upcall.bench.experiment;

import dev.upcall.bench.harness.Child;
import dev.upcall.bench.harness.Cores;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Numbers;
import dev.upcall.bench.harness.ProcessCpu;
import dev.upcall.bench.harness.Running;
import dev.upcall.bench.harness.Sample;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A pair of servers on one store. Each sample kills the one that serves and asks the port until the
 * other one answers, which then is the next to be killed.
 */
final class FailoverEntrant implements Running {
  private static final long WAIT_SECONDS = 300;
  private static final Pattern STEP = Pattern.compile("\"(\\w+)Millis\":([0-9.E-]+)");
  private static final String REQUEST =
      "GET /d0/f0 HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n";

  private final Lab lab;
  private final Site site;
  private final List<Double> millis = new ArrayList<>();
  private final Map<String, List<Double>> steps = new LinkedHashMap<>();
  private Child serving;
  private Child waiting;

  /** What the pair serves, and where. */
  private record Site(RecoveryEntrant.Store store, int port, long changes) {}

  private FailoverEntrant(Lab lab, Site site, Child serving, Child waiting) {
    this.lab = lab;
    this.site = site;
    this.serving = serving;
    this.waiting = waiting;
  }

  /** Makes the store, fills its log, and starts both. */
  static Running start(Lab lab, RecoveryEntrant.Store store)
      throws IOException, InterruptedException {
    long changes = RecoveryEntrant.crashed(lab, store, "create");
    Site site = new Site(store, Server.freePort(), changes);
    Child first = server(lab, site);
    try {
      first.await("{", WAIT_SECONDS);
      return new FailoverEntrant(lab, site, first, server(lab, site));
    } catch (IOException | InterruptedException | RuntimeException broken) {
      lab.end(first);
      throw broken;
    }
  }

  private static Child server(Lab lab, Site site) throws IOException {
    List<String> arguments =
        List.of(
            "serve",
            "--standby",
            "--json",
            "--store=" + site.store().volume(),
            "--port=" + site.port());
    List<String> command = lab.java("dev.upcall.cli.Main", arguments);
    return lab.start("upcall serve", lab.cores().pin(Cores.SERVER, command));
  }

  @Override
  public Sample measure() throws IOException, InterruptedException {
    waiting.awaitMessage("standby: ready", WAIT_SECONDS);
    double cpu = ProcessCpu.seconds(waiting.pid());
    Child killed = serving;
    serving = waiting;
    ProcessHandle victim = ProcessHandle.of(killed.pid()).orElseThrow();
    long from = System.nanoTime();
    victim.destroyForcibly();
    awaitAnswer(from + TimeUnit.SECONDS.toNanos(WAIT_SECONDS));
    double seconds = (System.nanoTime() - from) / 1e9;
    double used = ProcessCpu.seconds(serving.pid()) - cpu;
    lab.end(killed);
    note(serving.await("{", WAIT_SECONDS), seconds * 1e3);
    waiting = server(lab, site);
    return Sample.of(1, seconds, used);
  }

  private void awaitAnswer(long deadlineNanos) throws IOException, InterruptedException {
    while (true) {
      String line = null;
      try (Socket client = new Socket(InetAddress.getLoopbackAddress(), site.port())) {
        client.getOutputStream().write(REQUEST.getBytes(StandardCharsets.US_ASCII));
        line =
            new BufferedReader(
                    new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII))
                .readLine();
      } catch (IOException nobody) {
        if (System.nanoTime() > deadlineNanos) {
          throw new IOException("nobody answers on port " + site.port(), nobody);
        }
      }
      if (line != null) {
        if (!line.contains(" 200 ")) {
          throw new IOException("the standby answered " + line);
        }
        return;
      }
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  private void note(String json, double all) {
    millis.add(all);
    double known = 0;
    Matcher step = STEP.matcher(json);
    while (step.find()) {
      double took = Double.parseDouble(step.group(2));
      switch (step.group(1)) {
        case "waited" -> {}
        case "all" -> known = took;
        default -> add(step.group(1), took);
      }
    }
    // What the standby cannot know: when the other one was killed, and when it was heard.
    add("detect and answer", all - known);
  }

  private void add(String step, double took) {
    steps.computeIfAbsent(step, _ -> new ArrayList<>()).add(took);
  }

  @Override
  public String note() {
    return "%,d changes in the log; worst of %d: %s ms; medians in ms: %s"
        .formatted(
            site.changes(),
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
    lab.end(waiting);
    lab.end(serving);
  }
}
