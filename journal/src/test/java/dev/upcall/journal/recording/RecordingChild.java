package dev.upcall.journal.recording;

import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;

/** Records for ever, and says how many records stand in files. */
final class RecordingChild {
  private static final int LOT = 50;

  /** So that nothing is overwritten before it is written. */
  private static final int MOST_AHEAD = 10_000;

  private RecordingChild() {}

  /** Argument: a directory. */
  public static void main(String[] arguments) throws IOException {
    ModelRecorder recorder = new ModelRecorder(1 << 16);
    RecordingWriter writer =
        RecordingWriter.start(
            recorder, Path.of(arguments[0]), RecordingConfig.DEFAULT, new UUID(1, 2));
    long said = 0;
    long made = 0;
    while (writer.counts().off().isEmpty()) {
      if (made - writer.counts().recorded() < MOST_AHEAD) {
        recorder.pass(1000).fill(LOT);
        made += LOT;
      }
      long now = writer.counts().recorded();
      if (now > said) {
        said = now;
        System.out.println(said);
      }
    }
  }
}
