package dev.upcall.cli.trace;

import dev.upcall.journal.recording.ModelRecorder;
import dev.upcall.journal.recording.RecordingConfig;
import dev.upcall.journal.recording.RecordingWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;

/** A recording that is always the same. */
public final class MadeUpRecording {
  private MadeUpRecording() {}

  /** A PUT of 2.75 ms that was served by work in the background, and a stall. */
  public static void write(Path folder) throws IOException {
    ModelRecorder recorder = new ModelRecorder(1 << 10);
    int put = recorder.name("PUT");
    int http = recorder.name("http");
    int done = recorder.name("Done");
    int machine = recorder.name("Upload");
    int writing = recorder.name("WRITING");
    int ended = recorder.name("ENDED");
    int write = recorder.name("write");
    int log = recorder.name("log");
    long work = 1L << 62 | 4;
    recorder.pass(1_000_000);
    recorder.write(1, 3, new int[] {put, http}, 0);
    recorder.write(3, 3, new int[] {machine, ended, writing}, 7);
    recorder.pass(1_000_000);
    recorder.write(9, work, new int[] {recorder.name("commit")}, 3);
    recorder.write(4, work, new int[] {write, log}, 12, 4096, 8);
    recorder.write(6, 0, new int[] {0, 1, 2}, 4, 20_000, 5L << 32 | 1);
    recorder.pass(1_500_000);
    recorder.write(5, work, new int[] {write, log, done}, 12, 4096, 8);
    recorder.write(7, 3, new int[] {recorder.name("Slow")}, 0, 1_200_000);
    recorder.pass(250_000);
    recorder.write(3, 3, new int[] {machine, writing, ended}, 7);
    recorder.write(2, 3, new int[] {put, http, done}, 0);
    RecordingWriter.start(recorder, folder, RecordingConfig.DEFAULT, new UUID(1, 2)).close();
  }
}
