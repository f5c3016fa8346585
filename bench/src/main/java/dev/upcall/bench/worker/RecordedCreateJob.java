package dev.upcall.bench.worker;

import dev.upcall.bench.harness.Fields;
import dev.upcall.feed.Recording;
import dev.upcall.fileman.UpcallConfig;
import dev.upcall.journal.recording.RecordingConfig;
import dev.upcall.journal.recording.RecordingCounts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The same as {@link CreateJob} with another flight recorder. Options beside its: {@code kept}
 * (records in memory; 0 for no recorder) and {@code folder} (where they are written, too; none
 * where it is missing).
 */
final class RecordedCreateJob implements Worker.TimedJob {
  private final CreateJob creates;
  private final @Nullable Recording recording;
  private String remarks = "";

  RecordedCreateJob(Fields options) throws IOException {
    int kept = (int) options.number("kept");
    creates = new CreateJob(options, UpcallConfig.DEFAULT.withRecordsKept(kept));
    try {
      recording =
          options.values().containsKey("folder")
              ? Recording.start(
                  creates.store(),
                  Path.of(options.text("folder")),
                  RecordingConfig.DEFAULT,
                  UUID.randomUUID())
              : null;
    } catch (IOException | RuntimeException broken) {
      creates.close();
      throw broken;
    }
  }

  @Override
  public Tally run(long nanos) {
    if (recording == null) {
      return creates.run(nanos);
    }
    RecordingCounts before = recording.counts();
    Tally tally = creates.run(nanos);
    RecordingCounts after = recording.counts();
    if (!after.off().isEmpty()) {
      throw new IllegalStateException("the recording has ended: " + after.off());
    }
    double units = Math.max(1, tally.units());
    remarks =
        String.format(
            Locale.ROOT,
            "records=%.1f dropped=%.1f",
            (after.recorded() - before.recorded()) / units,
            (after.dropped() - before.dropped()) / units);
    return tally;
  }

  @Override
  public String remarks() {
    return remarks;
  }

  @Override
  public void close() throws IOException {
    try {
      if (recording != null) {
        recording.close();
      }
    } finally {
      creates.close();
    }
  }
}
