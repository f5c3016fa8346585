package dev.upcall.cli.shell;

import dev.upcall.Upcall;
import dev.upcall.cli.failover.Succession;
import dev.upcall.cli.host.StoreFiles;
import java.nio.file.Path;
import java.time.Instant;

/**
 * A store that a command uses and neither opens nor closes.
 *
 * @param store the store
 * @param volume how the command's user calls it
 * @param files the host's files that belong to it, as this process calls them
 * @param owner the process that has it open
 * @param succession who serves it, and who waits to
 * @param reloaded what a server of it reads again
 */
public record LentStore(
    Upcall store,
    Path volume,
    StoreFiles files,
    Owner owner,
    Succession succession,
    ReloadedFiles reloaded) {
  /**
   * A process that has a store open.
   *
   * @param process its number
   * @param command what it does with the store: "serve"
   * @param since when it had opened it
   */
  public record Owner(long process, String command, Instant since) {
    /** As others are told; what prints it escapes it. */
    public String name() {
      return "process %d (%s)".formatted(process, command);
    }
  }
}
