package dev.upcall.cli.option;

import dev.upcall.Engine;
import dev.upcall.UpcallConfig;
import java.util.Locale;
import picocli.CommandLine.Option;

/** Who serves the calls; for commands that every engine knows. */
public final class EngineOption {
  @Option(
      names = "--engine",
      paramLabel = "fsm|threads|virtual",
      description =
          "Who serves the calls: state machines, or the calling threads under locks, for comparison."
              + " Snapshots need state machines. Default: fsm.")
  public String engine = "fsm";

  /** The engine that was asked for. */
  public Engine chosen() {
    return switch (engine.toLowerCase(Locale.ROOT)) {
      case "fsm" -> Engine.FSM;
      case "threads" -> Engine.THREADS;
      case "virtual" -> Engine.VIRTUAL;
      default ->
          throw CommandFailure.usage("--engine is fsm, threads or virtual, not '" + engine + "'");
    };
  }

  /** A configuration with it. */
  public UpcallConfig in(UpcallConfig config) {
    return config.withEngine(chosen());
  }
}
