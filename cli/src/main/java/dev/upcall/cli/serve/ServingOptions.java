package dev.upcall.cli.serve;

import dev.upcall.Engine;
import dev.upcall.cli.option.BusyTimeoutOption;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.Durations;
import dev.upcall.cli.option.Sizes;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.ResumableUploads;
import dev.upcall.httpd.server.HttpThreads;
import java.security.SecureRandom;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Rights of a server's clients, and how many there may be at once. */
final class ServingOptions {
  @Mixin BusyTimeoutOption busy = new BusyTimeoutOption();

  @Option(
      names = "--writable",
      description = "Let whoever can connect PUT and DELETE files. Default: they can only read.")
  boolean writable;

  @Option(
      names = "--max-upload",
      paramLabel = "SIZE",
      converter = Sizes.class,
      description = "Largest file that a PUT may bring. Default: 1t.")
  @Nullable Long maxUpload;

  @Option(
      names = "--resumable-uploads",
      description =
          "Let PUTs that are interrupted be resumed, by version 8 of the draft of the IETF."
              + " Default: they begin anew.")
  boolean resumable;

  @Option(
      names = "--http-threads",
      paramLabel = "N",
      description =
          "Threads that serve connections in front of the store's own. Default: 1, that is the"
              + " store's own alone.")
  int httpThreads = 1;

  @Option(
      names = "--max-inside",
      paramLabel = "N",
      description =
          "Requests that the store works on at once; others wait in line."
              + " Default: no limit but the store's own.")
  int maxInside;

  @Option(
      names = "--max-connections-per-address",
      paramLabel = "N",
      description =
          "Connections that one address may have; one above that is told 503. Default: 4096.")
  int maxConnectionsOfAddress = HttpConfig.Connections.DEFAULT.maxOfAddress();

  @Option(
      names = "--max-uploads-per-address",
      paramLabel = "N",
      description =
          "Uploads that one address may have under way; others wait in line. Default: half of those"
              + " that the store takes at once.")
  int maxUploadsOfAddress;

  @Option(
      names = "--drain",
      paramLabel = "TIME",
      converter = Durations.class,
      description =
          "How long downloads and uploads under way may still take when the server stops; then"
              + " they are cut off. Default: 30s.")
  Duration drain = Duration.ofNanos(HttpConfig.Timeouts.DEFAULT.drainNanos());

  /** Refuses what contradicts itself, or is nothing for this engine or for a standby. */
  void check(Engine engine, boolean standby) {
    if (maxInside < 0) {
      throw CommandFailure.usage("--max-inside is a number of requests, or 0 for no limit");
    }
    if (maxConnectionsOfAddress < 1 || maxUploadsOfAddress < 0) {
      throw CommandFailure.usage("one address may have at least one connection and one upload");
    }
    if (resumable && !writable) {
      throw CommandFailure.usage("--resumable-uploads goes with --writable");
    }
    if (resumable && engine != Engine.FSM) {
      throw CommandFailure.usage(
          "--resumable-uploads needs --engine=fsm: a server with a thread for each connection takes"
              + " none");
    }
    if (maxInside > 0 && engine != Engine.FSM) {
      throw CommandFailure.usage(
          "--max-inside needs --engine=fsm: each request of the others has a thread inside");
    }
    checkThreads(engine, standby);
  }

  private void checkThreads(Engine engine, boolean standby) {
    if (httpThreads < 1 || httpThreads > HttpConfig.MAX_THREADS) {
      throw CommandFailure.usage("--http-threads is a number from 1 to " + HttpConfig.MAX_THREADS);
    }
    if (httpThreads == 1) {
      return;
    }
    if (engine != Engine.FSM) {
      throw CommandFailure.usage(
          "--http-threads needs --engine=fsm: the others have a thread for each connection");
    }
    if (standby) {
      throw CommandFailure.usage(
          "--standby takes over the one address of one thread: leave out --http-threads");
    }
    HttpThreads.unavailable()
        .ifPresent(
            reason -> {
              throw CommandFailure.failed(reason + "; leave out --http-threads");
            });
  }

  /** The configuration of the server. */
  HttpConfig limits() {
    HttpConfig limits =
        HttpConfig.defaults()
            .withWritable(writable)
            .withThreads(httpThreads)
            .withMaxConnectionsOfAddress(maxConnectionsOfAddress)
            .withAdmission(
                busy.in(
                    HttpConfig.Admission.of(maxInside)
                        .withMaxUploadsOfAddress(maxUploadsOfAddress)))
            .withDrainNanos(drain.toNanos());
    if (resumable) {
      limits =
          limits.withPolicy(limits.policy().withResumable(ResumableUploads.of(new SecureRandom())));
    }
    return maxUpload == null ? limits : limits.withMaxBodyBytes(maxUpload);
  }
}
