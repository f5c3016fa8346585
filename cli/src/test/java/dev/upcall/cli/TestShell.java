package dev.upcall.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** A process around commands that run inside the test. */
final class TestShell {
  private final Path directory;
  private final TreeMap<String, String> environment = new TreeMap<>();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private byte[] in = new byte[0];
  final StopSignal stop = new StopSignal();

  TestShell(Path directory) {
    this.directory = directory;
  }

  TestShell input(byte[] bytes) {
    in = bytes;
    return this;
  }

  TestShell variable(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** Runs a command with small memory; returns its exit code. */
  int run(String... args) {
    out.reset();
    err.reset();
    List<String> all = new ArrayList<>(List.of(args));
    if (!all.contains("--help")
        && !all.isEmpty()
        && !all.equals(List.of("snapshot"))
        && !List.of("submit", "queue", "takeover", "handover", "trace", "blocks", "write-manual")
            .contains(all.getFirst())
        && all.stream().noneMatch(a -> a.startsWith("--memory"))) {
      boolean nested = all.getFirst().equals("snapshot") && all.size() > 1;
      all.add(nested ? 2 : 1, "--memory=24m");
    }
    return Main.run(shell(), all.toArray(String[]::new));
  }

  Shell shell() {
    return new Shell(
        new ByteArrayInputStream(in),
        new PrintStream(out, false, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        false,
        directory,
        environment::get,
        stop);
  }

  String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  byte[] outBytes() {
    return out.toByteArray();
  }

  String err() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
