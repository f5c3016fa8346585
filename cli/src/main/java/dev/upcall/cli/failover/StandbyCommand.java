package dev.upcall.cli.failover;

import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/**
 * What {@code serve --standby} runs in the process that has the store open, for as long as it
 * waits: so that process knows that it is there, and can talk to it.
 */
@Command(
    name = StandbyCommand.NAME,
    hidden = true,
    description = "Of serve --standby, which tells the process that it waits for.")
public final class StandbyCommand implements Callable<Integer> {
  /** Its name. */
  public static final String NAME = "standby";

  private final Surroundings around;

  /**
   * What it knows of the process around it.
   *
   * @param in where the standby's answers come from
   * @param out where it hears what is asked
   * @param whenEnded runs something when the standby goes
   * @param succession of the store that is open here, or null where none is
   */
  public record Surroundings(
      InputStream in,
      PrintStream out,
      Consumer<Runnable> whenEnded,
      @Nullable Succession succession) {}

  /** A command. */
  public StandbyCommand(Surroundings around) {
    this.around = around;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Succession succession = around.succession();
    if (succession == null) {
      throw CommandFailure.usage("this is what serve --standby asks, and nobody else");
    }
    Successor waiting = new Successor(around.in(), around.out());
    around.whenEnded().accept(waiting::end);
    waiting.tell(Successor.KNOWN);
    succession.announce(waiting);
    try {
      waiting.passOn();
    } finally {
      succession.withdraw(waiting);
    }
    return ExitCode.OK;
  }
}
