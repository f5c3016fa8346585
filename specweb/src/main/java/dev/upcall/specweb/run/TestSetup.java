package dev.upcall.specweb.run;

import dev.upcall.specweb.client.ClientConfig;
import dev.upcall.specweb.client.Target;
import dev.upcall.specweb.client.Transport;
import dev.upcall.specweb.load.Behaviour;
import java.util.List;

/**
 * What is the same for all points of a test.
 *
 * @param target the server
 * @param client how requests are sent
 * @param behaviour what is asked for
 * @param seed of all random numbers
 * @param machinery what the load runs on
 */
public record TestSetup(
    Target target, ClientConfig client, Behaviour behaviour, long seed, Machinery machinery) {
  /** Threads of the load at most. */
  public static final int MAX_THREADS = 256;

  private static final long SEED_STEP = 0xD1B54A32D192ED03L;

  /**
   * What the load runs on.
   *
   * @param transport what carries the sockets
   * @param threads of the load
   * @param serverPids processes of the server, on this machine, whose processor time is of interest
   */
  public record Machinery(Transport transport, int threads, List<Long> serverPids) {
    /** Checks the limits. */
    public Machinery {
      if (threads < 1 || threads > MAX_THREADS) {
        throw new IllegalArgumentException(
            "threads must be 1 to " + MAX_THREADS + ", not " + threads);
      }
    }
  }

  /** The seed of a point: another one for each, the same in each run. */
  long pointSeed(int point) {
    return seed + SEED_STEP * point;
  }
}
