package dev.upcall.cli.failover;

import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.Durations;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.cli.option.OutputOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall handover}: a server leaves its store and its address to a standby. */
@Command(
    name = "handover",
    description = {
      "Let the server of a store end, and the standby that waits for it (serve --standby) go on,"
          + " without a request that fails.",
      "It answers what it has been asked, closes the store and ends; whoever connects meanwhile"
          + " waits until the standby has opened it. Where no standby waits nothing is done.",
    })
public final class HandoverCommand implements Callable<Integer> {
  private static final double NANOS_PER_MILLI = 1e6;

  /** One that has just begun to wait, or is now the first in line, is known within a second. */
  private static final long PATIENCE_MILLIS = 2000;

  @Mixin OutputOptions output = new OutputOptions();

  @Parameters(index = "0", paramLabel = "STORE", description = "The store: its file or device.")
  @Nullable Path store;

  @Option(
      names = "--grace",
      paramLabel = "TIME",
      converter = Durations.class,
      description =
          "How long connections that clients keep may last until their next request, whose answer"
              + " says that it is the last; then idle ones are closed. Default: 5s.")
  Duration grace = Duration.ofSeconds(5);

  private final Surroundings around;

  /**
   * What it knows of the process around it, which has the store open when it does its work.
   *
   * @param out for results
   * @param say for messages
   * @param succession of the store that is open in this process, or null where none is
   * @param served has it done where the store is open
   */
  public record Surroundings(
      PrintStream out, Consumer<String> say, @Nullable Succession succession, Served served) {}

  /** Has something done in the process that has a store open. */
  public interface Served {
    /** Does it; returns the exit code. */
    int with(@Nullable Path store, Work work) throws IOException;
  }

  /** What is done there. */
  public interface Work {
    /** Does it; returns the exit code. */
    int run() throws IOException;
  }

  /** A command. */
  public HandoverCommand(Surroundings around) {
    this.around = around;
  }

  @Override
  public Integer call() throws IOException {
    if (store == null) {
      throw CommandFailure.usage("no store is named");
    }
    return around.served().with(store, this::handOver);
  }

  private int handOver() throws IOException {
    Succession succession = around.succession();
    Departure serving = succession == null ? null : succession.serving();
    if (succession == null || serving == null) {
      throw CommandFailure.failed(
          "what has the store open is no server that can hand over:"
              + " serve --engine=fsm without --http-threads can");
    }
    Map<String, Long> steps;
    try {
      Successor successor = succession.next(PATIENCE_MILLIS);
      if (successor == null) {
        throw CommandFailure.failed(
            "no standby waits for the store; start one with serve --standby and the same --port"
                + " and --bind. Nothing was done");
      }
      steps = serving.leaveTo(successor, grace, around.say());
    } catch (InterruptedException during) {
      Thread.currentThread().interrupt();
      throw CommandFailure.failed("interrupted");
    } catch (IOException gone) {
      throw CommandFailure.failed(gone.getMessage() + "; the server goes on");
    }
    around
        .say()
        .accept(
            "new connections wait for the standby, and the store closes ("
                + steps.entrySet().stream()
                    .map(step -> step.getKey() + " %.1f ms".formatted(millis(step)))
                    .collect(Collectors.joining(", "))
                + ")");
    if (output.json) {
      write(steps);
    }
    return ExitCode.OK;
  }

  private static double millis(Map.Entry<String, Long> step) {
    return step.getValue() / NANOS_PER_MILLI;
  }

  private void write(Map<String, Long> steps) throws IOException {
    JsonDocument.write(
        around.out(),
        json -> {
          for (Map.Entry<String, Long> step : steps.entrySet()) {
            json.writeNumberField(step.getKey() + "Millis", millis(step));
          }
        });
  }
}
