package dev.upcall.cli.admin;

import dev.upcall.journal.recording.RecordingCounts;
import dev.upcall.metrics.MeterReading;
import dev.upcall.metrics.MeterSection;

/** Names, units and meanings of the meters of a flight recorder that goes into files. */
record RecordingMeters(RecordingCounts recording) implements MeterSection {
  private static final String RECORDS = "records";
  private static final String BYTES = MeterReading.BYTES;

  @Override
  public void addTo(MeterReading to) {
    String p = "upcall.recording.";
    to.count(p + "recorded", RECORDS, "records written into files", recording.recorded());
    to.count(
        p + "dropped",
        RECORDS,
        "those that were overwritten first, or found no room",
        recording.dropped());
    to.count(p + "written", BYTES, "bytes written into files", recording.bytes());
    to.level(
        p + "off",
        "recordings",
        "1 once the recording has ended by itself",
        recording.off().isEmpty() ? 0 : 1);
  }
}
