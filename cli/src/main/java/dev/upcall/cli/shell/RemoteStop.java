package dev.upcall.cli.shell;

import dev.upcall.cli.remote.RemoteConsole;
import java.time.Duration;

/** Ctrl-C and SIGTERM of a client's, and its going away. */
public final class RemoteStop extends StopSignal {
  private final RemoteConsole console;

  public RemoteStop(RemoteConsole console) {
    this.console = console;
    console.whenCancelled(this::ask);
  }

  /** This process goes on in any case: only the command has to find its end. */
  @Override
  public void listen(Duration more) {
    console.endsByItself();
  }
}
