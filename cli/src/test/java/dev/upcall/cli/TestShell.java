package dev.upcall.cli;

import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.shell.StopSignal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** A process around commands that run inside the test. */
public final class TestShell {
  private final Path directory;
  private final TreeMap<String, String> environment = new TreeMap<>();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private byte[] in = new byte[0];
  public final StopSignal stop = new StopSignal();

  public TestShell(Path directory) {
    this.directory = directory;
  }

  public TestShell input(byte[] bytes) {
    in = bytes;
    return this;
  }

  public TestShell variable(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** Runs a command with small memory; returns its exit code. */
  public int run(String... args) {
    out.reset();
    err.reset();
    List<String> all = new ArrayList<>(List.of(args));
    if (!all.contains("--help")
        && !all.isEmpty()
        && !List.of(List.of("snapshot"), List.of("table"), List.of("key")).contains(all)
        && !List.of(
                "submit",
                "queue",
                "takeover",
                "handover",
                "reload",
                "trace",
                "blocks",
                "access",
                "write-manual")
            .contains(all.getFirst())
        && all.stream().noneMatch(a -> a.startsWith("--memory"))) {
      boolean nested =
          List.of("snapshot", "table", "key").contains(all.getFirst()) && all.size() > 1;
      all.add(nested ? 2 : 1, "--memory=24m");
    }
    return Main.run(shell(), all.toArray(String[]::new));
  }

  public Shell shell() {
    return new Shell(
        new ByteArrayInputStream(in),
        new PrintStream(out, false, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        false,
        directory,
        environment::get,
        stop);
  }

  public String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  public byte[] outBytes() {
    return out.toByteArray();
  }

  public String err() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
