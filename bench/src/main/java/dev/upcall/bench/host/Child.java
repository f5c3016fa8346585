package dev.upcall.bench.host;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A child process: lines in, lines out, standard error in a file. */
public final class Child implements AutoCloseable {
  private static final long END_SECONDS = 20;
  private static final long STOP_SECONDS = 5;
  private static final int TAIL_LINES = 5;
  private static final long MESSAGE_LOOK_MILLIS = 20;

  private final String name;
  private final Process process;
  private final Path errors;
  private final BufferedWriter input;
  private final LinkedBlockingQueue<Optional<String>> output = new LinkedBlockingQueue<>();

  public Child(String name, Process process, Path errors) {
    this.name = name;
    this.process = process;
    this.errors = errors;
    this.input =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    Thread.ofPlatform().daemon().name("output of " + name).start(this::readOutput);
  }

  private void readOutput() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        output.add(Optional.of(line));
      }
    } catch (IOException ended) {
      output.add(Optional.of("unreadable: " + ended.getMessage()));
    }
    output.add(Optional.empty());
  }

  /** Its process id. What pins a command is replaced by the command: the id is the command's. */
  public long pid() {
    return process.pid();
  }

  /** Sends a line. */
  public void send(String line) throws IOException {
    input.write(line);
    input.newLine();
    input.flush();
  }

  /**
   * Waits for a line that begins with a word; others are passed over.
   *
   * @throws IOException with the end of its standard error when it ends or takes too long
   */
  public String await(String word, long seconds) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (true) {
      Optional<String> line =
          output.poll(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
      if (line == null) {
        throw new IOException(name + " did not answer within " + seconds + " s" + tail());
      }
      if (line.isEmpty()) {
        output.add(line);
        throw new IOException(name + " ended before it said " + word + tail());
      }
      if (line.get().startsWith(word)) {
        return line.get();
      }
    }
  }

  /**
   * Waits until it has said something on its standard error.
   *
   * @throws IOException when it ends before or takes too long
   */
  public void awaitMessage(String text, long seconds) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (!Files.readString(errors).contains(text)) {
      if (process.waitFor(MESSAGE_LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        throw new IOException(name + " ended before it said " + text + tail());
      }
      if (System.nanoTime() > deadline) {
        throw new IOException(name + " did not say " + text + " within " + seconds + " s" + tail());
      }
    }
  }

  /** Waits for the end and gives all output. */
  public String finish(long seconds) throws IOException, InterruptedException {
    if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
      throw new IOException(name + " did not end within " + seconds + " s" + tail());
    }
    StringBuilder text = new StringBuilder();
    for (Optional<String> line = output.take(); line.isPresent(); line = output.take()) {
      text.append(line.get()).append('\n');
    }
    output.add(Optional.empty());
    if (process.exitValue() != 0) {
      throw new IOException(
          name + " ended with " + process.exitValue() + tail() + lastLines(text.toString()));
    }
    return text.toString();
  }

  private String tail() throws IOException {
    return Files.exists(errors) ? lastLines(Files.readString(errors)) : "";
  }

  /** The end of a text; of stack traces what was thrown, not where: that fills many lines. */
  public static String lastLines(String text) {
    List<String> lines =
        text.lines()
            .filter(line -> !line.isBlank())
            .filter(line -> !line.startsWith("\tat ") && !line.startsWith("\t... "))
            .toList();
    return lines.isEmpty()
        ? ""
        : ": "
            + String.join(
                " | ", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
  }

  /** Asks it to end: its input ends; after a second it is sent SIGTERM, after a while SIGKILL. */
  @Override
  public void close() {
    try {
      input.close();
    } catch (IOException ended) {
      // It has ended already, which is what is wanted.
      process.destroy();
    }
    try {
      if (!process.waitFor(1, TimeUnit.SECONDS)) {
        terminate();
      }
    } catch (InterruptedException during) {
      kill();
      Thread.currentThread().interrupt();
    }
  }

  /** Ends one that does not read its input: it is sent SIGTERM at once, after a while SIGKILL. */
  public void terminate() {
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        kill();
      }
    } catch (InterruptedException during) {
      kill();
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Ends it and what it has started: all are sent SIGTERM at once, and SIGKILL who is not gone
   * after a while, which a server of a database leaves traces of outside of its files.
   */
  public void stop() {
    List<ProcessHandle> all =
        Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
    all.forEach(ProcessHandle::destroy);
    CompletableFuture.allOf(
            all.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new))
        .completeOnTimeout(null, STOP_SECONDS, TimeUnit.SECONDS)
        .join();
    all.forEach(ProcessHandle::destroyForcibly);
    kill();
  }

  /** Ends it and what it has started at once, with SIGKILL, and waits until it is gone. */
  public void kill() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    process.onExit().orTimeout(END_SECONDS, TimeUnit.SECONDS).exceptionally(_ -> process).join();
  }
}
