package dev.upcall.journal.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.journal.queue.ChildJvm;
import dev.upcall.journal.queue.Folders;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that records, and is killed. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class RecordingProcessTest {
  private static final int SAID_BEFORE_THE_KILL = 20_000;

  @TempDir Path here;

  @Test
  void whatAKilledProcessHasWrittenIsRead() throws Exception {
    Path folder = here.resolve("recording");
    Process child = ChildJvm.start(ChildJvm.OPENS, RecordingChild.class, folder);
    long said = 0;
    try (BufferedReader lines = child.inputReader()) {
      while (said < SAID_BEFORE_THE_KILL) {
        said = Long.parseLong(lines.readLine());
      }
    } finally {
      child.destroyForcibly().waitFor();
    }
    RecordingReader reader = new RecordingReader(folder, new UUID(1, 2));
    long[] count = {0};
    assertTrue(reader.read(records -> count[0] += records.count()));
    assertTrue(count[0] >= said, count[0] + " of " + said);
    assertEquals(0, reader.missing());
    // The next one goes on in the same directory.
    ModelRecorder another = new ModelRecorder(10);
    another.fill(1);
    RecordingWriter.start(another, folder, RecordingConfig.DEFAULT, new UUID(3, 4)).close();
    assertEquals(2, Folders.files(folder).size());
  }
}
