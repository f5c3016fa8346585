package dev.upcall.bench.harness;

import dev.upcall.bench.host.MissingPeerException;
import java.io.IOException;

/**
 * One side of a comparison.
 *
 * @param name for tables
 * @param role what it is
 * @param start starts it
 */
public record Entrant(String name, Role role, Start start) {
  /** Starts an entrant. */
  @FunctionalInterface
  public interface Start {
    /**
     * Starts and warms up.
     *
     * @throws MissingPeerException when a program is not installed; the others go on
     */
    Running run(Lab lab) throws IOException, InterruptedException;
  }
}
