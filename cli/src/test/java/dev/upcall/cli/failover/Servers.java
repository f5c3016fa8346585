package dev.upcall.cli.failover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Upcall;
import dev.upcall.cli.Main;
import dev.upcall.cli.crash.CrashWorker;
import dev.upcall.cli.crash.Victim;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Real processes that serve one store at one address, and wait for it. */
final class Servers implements AutoCloseable {
  private static final int WAIT_SECONDS = 120;

  final int port;
  private final Path here;
  private final List<Process> started = new ArrayList<>();

  /** A process and what it says. */
  record Running(Process process, Path log) {
    Running says(String text) throws IOException, InterruptedException {
      long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
      while (!read().contains(text)) {
        boolean died = process.waitFor(5, TimeUnit.MILLISECONDS);
        assertTrue(!died || read().contains(text), () -> text + " of " + read());
        assertTrue(System.nanoTime() < until, () -> text + " of " + read());
      }
      return this;
    }

    String ends(int code) throws InterruptedException {
      assertTrue(process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS), this::read);
      assertEquals(code, process.exitValue(), this::read);
      return read();
    }

    /** Sends it a signal. */
    void signal(String name) throws IOException, InterruptedException {
      String pid = Long.toString(process.pid());
      assertEquals(0, new ProcessBuilder("kill", "-" + name, pid).start().waitFor());
    }

    String read() {
      try {
        return Files.readString(log);
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }
  }

  /** Makes the store, and looks for a port. */
  Servers(Path here) throws IOException {
    this.here = here;
    this.port = FreePort.find();
    Upcall.create(volume(), CrashWorker.CONFIG).close();
  }

  Path volume() {
    return here.resolve("s.upcall");
  }

  private Running run(List<String> line) throws IOException {
    Path log = here.resolve("log" + started.size());
    Process process = Victim.start(log, Main.class.getName(), line.toArray(String[]::new));
    started.add(process);
    return new Running(process, log);
  }

  /** One that serves when nobody else does; it may be given another port than the usual one. */
  Running standby(String... more) throws IOException {
    List<String> line =
        new ArrayList<>(
            List.of("serve", "--standby", "--store=" + volume(), "--memory=32m", "--writable"));
    line.addAll(List.of(more));
    if (line.stream().noneMatch(option -> option.startsWith("--port"))) {
      line.add("--port=" + port);
    }
    return run(line);
  }

  Running handover(String... more) throws IOException {
    List<String> line = new ArrayList<>(List.of("handover", volume().toString()));
    line.addAll(List.of(more));
    return run(line);
  }

  /** The same handover; another one, if the owner does not know yet that a standby waits. */
  Running again(Running handover, String... more) throws IOException {
    if (handover.process().isAlive() || handover.process().exitValue() == 0) {
      return handover;
    }
    assertTrue(handover.read().contains("no standby waits"), handover::read);
    return handover(more);
  }

  /**
   * Hands over and returns what was said. It takes a second until a standby is known that comes, or
   * comes back, and longer if nobody lets it run.
   */
  String handOver(String... more) throws IOException, InterruptedException {
    Running handover = handover(more);
    while (handover.process().waitFor() != 0) {
      handover = again(handover, more);
    }
    return handover.read();
  }

  @Override
  public void close() {
    for (Process process : started) {
      try {
        process.destroyForcibly().waitFor();
      } catch (InterruptedException during) {
        throw new AssertionError(during);
      }
    }
  }
}
