package dev.upcall.cli;

import dev.upcall.Upcall;
import dev.upcall.cli.store.StoreSharing;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Lets the {@code upcall} command work on a store that this process has open: {@code ls}, {@code
 * snapshot}, {@code export} and the others, run by this user or root on this machine, ask this
 * process over a socket beside the volume, and it runs them on threads of its own. {@code serve}
 * has this built in; a program that embeds a store may do the same:
 *
 * <pre>{@code
 * try (Upcall store = Upcall.open(volume, UpcallConfig.DEFAULT);
 *     StoreCommands commands = StoreCommands.listen(store, volume)) {
 *   ...
 * }
 * }</pre>
 *
 * <p>Trees of the host (import, export) are read and written by this process, as it may; single
 * files (put, splice) by the command itself.
 */
public final class StoreCommands implements AutoCloseable {
  private final StoreSharing sharing;

  private StoreCommands(StoreSharing sharing) {
    this.sharing = sharing;
  }

  /**
   * Begins to listen.
   *
   * @param store the store, which is closed after this
   * @param volume where it is
   * @throws IOException when there can be no socket beside the volume, and why
   */
  public static StoreCommands listen(Upcall store, Path volume) throws IOException {
    return new StoreCommands(StoreSharing.listen(store, volume, Main::run));
  }

  /**
   * Takes no more commands and ends those that run, as Ctrl-C would; returns when they have ended,
   * or after some seconds.
   */
  @Override
  public void close() throws IOException {
    sharing.close();
  }
}
