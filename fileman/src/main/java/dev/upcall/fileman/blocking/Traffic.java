package dev.upcall.fileman.blocking;

import dev.upcall.UpcallException;
import dev.upcall.base.Clock;
import dev.upcall.base.HostWords;
import dev.upcall.completion.Failure;
import dev.upcall.config.TrafficConfig;
import dev.upcall.io.trace.BlockTraffic;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;

/** Begins what is kept of a store's requests to its device. */
public final class Traffic {
  private Traffic() {}

  /** Begins it, before anything is written to the volume. */
  public static BlockTraffic start(TrafficConfig config, Clock clock) {
    try {
      return BlockTraffic.start(config, clock);
    } catch (FileAlreadyExistsException there) {
      throw UpcallException.of(
          new Failure.AlreadyExists("block trace " + config.file().orElseThrow()));
    } catch (IOException refused) {
      throw UpcallException.of(
          new Failure.Device(
              "making block trace " + config.file().orElseThrow(), HostWords.of(refused)));
    }
  }
}
