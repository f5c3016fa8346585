package dev.upcall.cli.failover;

import dev.upcall.base.Printable;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.Durations;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.cli.option.OutputOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall takeover}: ends a process that has a store open and may hang. */
@Command(
    name = "takeover",
    description = {
      "End the process that has a store open, so that another one can have it: serve --standby, say.",
      "It is asked to end (SIGTERM) and, when it has not, killed (SIGKILL): nothing that was"
          + " acknowledged is lost. Only the process that is seen to have the store open to write is"
          + " ended; where that cannot be told nothing is done.",
    })
public final class TakeoverCommand implements Callable<Integer> {
  @Mixin OutputOptions output = new OutputOptions();

  @Parameters(index = "0", paramLabel = "STORE", description = "The store: its file or device.")
  @Nullable Path store;

  @Option(
      names = "--patience",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "How long it may take to end by itself before it is killed. Default: 10s.")
  Duration patience = Duration.ofSeconds(10);

  private final Surroundings around;

  /**
   * What it knows of the process around it.
   *
   * @param out for results
   * @param err for messages
   * @param directory the current directory
   */
  public record Surroundings(PrintStream out, PrintStream err, Path directory) {}

  /** A command. */
  public TakeoverCommand(Surroundings around) {
    this.around = around;
  }

  @Override
  public Integer call() throws IOException {
    if (store == null) {
      throw CommandFailure.usage("no store is named");
    }
    Path volume = around.directory().resolve(store).toAbsolutePath().normalize();
    if (!Files.exists(volume)) {
      throw CommandFailure.failed("no store at " + volume);
    }
    OwnerEnd.Outcome outcome;
    try {
      outcome = new OwnerEnd(volume, this::say).end(patience);
    } catch (InterruptedException during) {
      Thread.currentThread().interrupt();
      throw CommandFailure.failed("interrupted");
    }
    switch (outcome) {
      case OwnerEnd.Outcome.NoOwner _ -> say("no process has it open; nothing was done");
      case OwnerEnd.Outcome.Ended ended ->
          say(
              "process %d has it no more, after %s (%s)"
                  .formatted(ended.process(), OwnerEnd.seconds(ended.after()), ended.signal()));
      case OwnerEnd.Outcome.Refused(String why) ->
          throw CommandFailure.failed("store " + volume + ": " + why);
    }
    if (output.json) {
      write(volume, outcome);
    }
    return ExitCode.OK;
  }

  private void say(String message) {
    around.err().println("upcall: " + Printable.of(message));
  }

  private void write(Path volume, OwnerEnd.Outcome outcome) throws IOException {
    JsonDocument.write(
        around.out(),
        json -> {
          json.writeStringField("store", volume.toString());
          if (outcome instanceof OwnerEnd.Outcome.Ended ended) {
            json.writeNumberField("process", ended.process());
            json.writeStringField("signal", ended.signal());
            json.writeNumberField("seconds", ended.after().toMillis() / 1e3);
          } else {
            json.writeNullField("process");
          }
        });
  }
}
