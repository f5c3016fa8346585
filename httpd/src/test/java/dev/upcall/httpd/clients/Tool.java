package dev.upcall.httpd.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A program of this machine, run in a folder until it ends. */
record Tool(Path program, Path folder) {
  private static final int WAIT_SECONDS = 120;

  /** Its end, and all that it has said: what it says of errors stands behind the rest. */
  record Outcome(int code, String said) {
    /** It says so when it went well. */
    String ok() {
      assertEquals(0, code, said);
      return said;
    }
  }

  /** The place of a program on the PATH. */
  static Optional<Path> find(String name) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Arrays.stream(path.split(File.pathSeparator, -1))
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  Outcome run(String... arguments) throws IOException, InterruptedException {
    return run(Map.of(), "", List.of(arguments));
  }

  /** The same with variables of the environment, and something to read. */
  Outcome run(Map<String, String> environment, String input, List<String> arguments)
      throws IOException, InterruptedException {
    Process process = start(environment, arguments);
    try {
      try (OutputStream in = process.getOutputStream()) {
        in.write(input.getBytes(StandardCharsets.US_ASCII));
      }
      if (!process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError(program + " does not end: " + said());
      }
      return new Outcome(process.exitValue(), said());
    } finally {
      process.destroyForcibly();
    }
  }

  /** Starts it; what it says goes into files of the folder. */
  Process start(Map<String, String> environment, List<String> arguments) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(program.toString());
    builder.command().addAll(arguments);
    builder.environment().putAll(environment);
    return builder
        .directory(folder.toFile())
        .redirectOutput(folder.resolve("said").toFile())
        .redirectError(folder.resolve("complaints").toFile())
        .start();
  }

  private String said() throws IOException {
    return Files.readString(folder.resolve("said"), StandardCharsets.ISO_8859_1)
        + Files.readString(folder.resolve("complaints"), StandardCharsets.ISO_8859_1);
  }
}
