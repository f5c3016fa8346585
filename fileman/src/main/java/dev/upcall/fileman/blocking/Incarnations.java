package dev.upcall.fileman.blocking;

import dev.upcall.base.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Numbers that tell one volume, and one opening of it, from another. */
public final class Incarnations {
  private static final Path SELF = Path.of("/proc/self");

  private Incarnations() {}

  /** Differs from opening to opening, by time and process. */
  public static RandomGenerator random(Clock clock) {
    return new SplittableRandom(
        clock.epochNanos() ^ Long.rotateLeft(process(), 40) ^ clock.monotonicNanos());
  }

  /** The kernel's number of this process: the JDK's handle begins with a pool of threads. */
  private static long process() {
    try {
      return Long.parseLong(Files.readSymbolicLink(SELF).toString());
    } catch (IOException notThere) {
      return ProcessHandle.current().pid();
    }
  }
}
