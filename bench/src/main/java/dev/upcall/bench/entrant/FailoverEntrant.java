package dev.upcall.bench.entrant;

import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Running;
import dev.upcall.bench.harness.Sample;
import dev.upcall.bench.host.Child;
import dev.upcall.bench.host.ProcessCpu;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A pair of servers on one store. Each sample kills the one that serves and asks the port until the
 * other one answers, which then is the next to be killed.
 */
public final class FailoverEntrant implements Running {
  private static final String REQUEST =
      "GET /d0/f0 HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n";

  private final ServerPair pair;
  private final long changes;

  private FailoverEntrant(ServerPair pair, long changes) {
    this.pair = pair;
    this.changes = changes;
  }

  /** Makes the store, fills its log, and starts both. */
  public static Running start(Lab lab, RecoveryEntrant.Store store)
      throws IOException, InterruptedException {
    long changes = RecoveryEntrant.crashed(lab, store, "create");
    return new FailoverEntrant(ServerPair.start(lab, store.volume()), changes);
  }

  @Override
  public Sample measure() throws IOException, InterruptedException {
    Child next = pair.ready();
    double cpu = ProcessCpu.seconds(next.pid());
    ProcessHandle victim = ProcessHandle.of(pair.serving().pid()).orElseThrow();
    long from = System.nanoTime();
    victim.destroyForcibly();
    awaitAnswer(from + TimeUnit.SECONDS.toNanos(ServerPair.WAIT_SECONDS));
    double seconds = (System.nanoTime() - from) / 1e9;
    double used = ProcessCpu.seconds(next.pid()) - cpu;
    Map<String, Double> known = pair.note(pair.changed(), List.of("waited", "all"));
    pair.note(seconds * 1e3);
    // What the standby cannot know: when the other one was killed, and when it was heard.
    pair.note("detect and answer", seconds * 1e3 - known.getOrDefault("all", Double.NaN));
    return Sample.of(1, seconds, used);
  }

  private void awaitAnswer(long deadlineNanos) throws IOException, InterruptedException {
    while (true) {
      String line = null;
      try (Socket client = new Socket(InetAddress.getLoopbackAddress(), pair.port())) {
        client.getOutputStream().write(REQUEST.getBytes(StandardCharsets.US_ASCII));
        line =
            new BufferedReader(
                    new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII))
                .readLine();
      } catch (IOException nobody) {
        if (System.nanoTime() > deadlineNanos) {
          throw new IOException("nobody answers on port " + pair.port(), nobody);
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

  @Override
  public String note() {
    return "%,d changes in the log; %s".formatted(changes, pair.summary());
  }

  @Override
  public void close() {
    pair.close();
  }
}
