package dev.upcall.cli.option;

import dev.upcall.UpcallConfig;
import dev.upcall.httpd.HttpConfig;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How long one waits for what is limited in number; for commands with callers who do. */
public final class BusyTimeoutOption {
  /** Its name. */
  public static final String NAME = "--busy-timeout";

  @Option(
      names = NAME,
      paramLabel = "TIME",
      converter = Durations.class,
      description =
          "How long one waits in line for what is limited in number, such as uploads at once, before"
              + " one is told that the store is busy. Default: 30s, in the lines of the server 10s.")
  public @Nullable Duration busyTimeout;

  /** A configuration with it. */
  public UpcallConfig in(UpcallConfig config) {
    return busyTimeout == null
        ? config
        : config.withPlaces(config.limits().places().withWait(busyTimeout));
  }

  /** The lines of a server with it. */
  public HttpConfig.Admission in(HttpConfig.Admission admission) {
    return busyTimeout == null ? admission : admission.withWait(busyTimeout);
  }
}
