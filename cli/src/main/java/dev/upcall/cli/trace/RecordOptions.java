package dev.upcall.cli.trace;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.Durations;
import dev.upcall.cli.option.Sizes;
import dev.upcall.cli.queue.QueueFlags;
import dev.upcall.feed.Recording;
import dev.upcall.journal.recording.RecordingConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of a command that has a store open and may record what it does. */
public final class RecordOptions {
  private static final int KEY_BYTES = 32;

  @Option(
      names = "--record",
      paramLabel = "DIR",
      description =
          "Write what the flight recorder records into files of that directory, for upcall trace.")
  @Nullable Path folder;

  @Option(
      names = "--record-bytes",
      paramLabel = "SIZE",
      converter = Sizes.class,
      description = "Keep so much of it; the oldest goes first. Default: 1g.")
  @Nullable Long maxBytes;

  @Option(
      names = "--record-age",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "Keep it so long. Default: 7d.")
  @Nullable Duration maxAge;

  @Option(
      names = "--record-inputs",
      description =
          "Record what requests ask for, too, so that upcall trace replay can ask it again: kinds,"
              + " offsets and lengths, names as numbers; no contents. The store must be new.")
  boolean inputs;

  /**
   * Where the recording goes; null where there is none.
   *
   * @param directory the current one
   */
  public @Nullable Path folder(Path directory) {
    return folder == null ? null : directory.resolve(folder);
  }

  /** Fails where it cannot be done: without Java's flags, or without a recorder. */
  public void check(UpcallConfig store) {
    if (folder == null) {
      if (maxBytes != null || maxAge != null || inputs) {
        throw CommandFailure.usage(
            "--record-bytes, --record-age and --record-inputs go with --record");
      }
      return;
    }
    if (store.engine() != Engine.FSM) {
      throw CommandFailure.usage("--record needs --engine=fsm: threads have no flight recorder");
    }
    if (store.drive().recordsKept() == 0) {
      throw CommandFailure.usage("--record needs a flight recorder: leave out --records-kept=0");
    }
    config();
    QueueFlags.require();
  }

  private RecordingConfig config() {
    RecordingConfig defaults = RecordingConfig.DEFAULT;
    try {
      return new RecordingConfig(
          maxBytes == null ? defaults.maxBytes() : maxBytes,
          maxAge == null ? defaults.maxAge() : maxAge);
    } catch (IllegalArgumentException wrong) {
      throw CommandFailure.usage("--record-bytes: " + wrong.getMessage());
    }
  }

  /**
   * Begins to record; null where it was not asked for.
   *
   * @param directory the current one
   */
  public @Nullable Recording start(Upcall store, Path directory) throws IOException {
    Path into = folder(directory);
    if (into == null) {
      return null;
    }
    if (inputs) {
      byte[] key = new byte[KEY_BYTES];
      new SecureRandom().nextBytes(key);
      Recording.recordInputs(store.fsm(), key);
    }
    return Recording.start(store.fsm(), into, config(), UUID.randomUUID());
  }
}
