package dev.upcall.journal.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.journal.queue.Folders;
import dev.upcall.journal.queue.QueueException;
import dev.upcall.journal.queue.QueueException.Reason;
import dev.upcall.journal.recording.RecordingEntry.Names;
import dev.upcall.journal.recording.RecordingEntry.Records;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What goes from a recorder into files, and what does not. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class RecordingWriterTest {
  private static final UUID RUN = new UUID(1, 2);
  private static final Duration LONG = Duration.ofSeconds(120);

  @TempDir Path here;

  /** Files in memory that can be full, or broken. */
  private static final class ModelTarget implements RecordingWriter.Target {
    private final List<RecordingEntry> entries = new ArrayList<>();
    private int rolls;
    private long bytes;
    private boolean isFull;
    private boolean isClosed;
    private Reason refusal = Reason.TIMEOUT;
    private boolean refuses;
    private @Nullable Throwable why;
    private @Nullable InternalError unmapped;
    private CountDownLatch answers = new CountDownLatch(0);

    @Override
    public void append(byte[] entry) throws QueueException {
      if (unmapped != null) {
        throw unmapped;
      }
      if (refuses) {
        throw new QueueException(refusal, "refused", why);
      }
      RecordingEntry decoded =
          RecordingCodec.decode(ByteBuffer.wrap(entry.clone()).order(ByteOrder.LITTLE_ENDIAN), 0);
      if (decoded == null) {
        throw new AssertionError("no entry");
      }
      entries.add(decoded);
      bytes += entry.length;
    }

    @Override
    public boolean isFull() {
      return isFull;
    }

    @Override
    public void roll() {
      rolls++;
      isFull = false;
    }

    @Override
    public void giveUp() {
      isFull = true;
    }

    @Override
    public void removeOld() throws IOException {
      try {
        answers.await();
      } catch (InterruptedException during) {
        throw new IOException(during);
      }
    }

    @Override
    public void close() {
      isClosed = true;
    }
  }

  @Test
  void namesComeBeforeTheRecordsThatMentionThem() throws IOException {
    ModelRecorder recorder = new ModelRecorder(100);
    ModelTarget target = new ModelTarget();
    RecordingWriter writer = new RecordingWriter(recorder, target, RUN, LONG);
    assertEquals(0, writer.drain());
    recorder.fill(3);
    assertEquals(3, writer.drain());
    recorder.fill(1);
    recorder.name("new");
    assertEquals(1, writer.drain());
    target.isFull = true;
    recorder.fill(1);
    assertEquals(1, writer.drain());
    List<String> kinds = new ArrayList<>();
    for (RecordingEntry entry : target.entries) {
      kinds.add(
          switch (entry) {
            case Names names -> names.first() + names.names().toString();
            case Records records -> records.first() + "+" + records.count();
          });
    }
    assertEquals(
        List.of("0[, others, a stage]", "0+3", "3[new]", "3+1", "0[, others, a stage, new]", "4+1"),
        kinds);
    assertEquals(1, target.rolls);
    assertEquals(5, writer.counts().recorded());
    assertEquals(0, writer.counts().dropped());
  }

  @Test
  void whatIsOverwrittenBeforeItIsCopiedIsCounted() throws IOException {
    ModelRecorder recorder = new ModelRecorder(10);
    ModelTarget target = new ModelTarget();
    RecordingWriter writer = new RecordingWriter(recorder, target, RUN, LONG);
    recorder.fill(25);
    assertEquals(25, writer.drain());
    assertEquals(10, writer.counts().recorded());
    assertEquals(15, writer.counts().dropped());
    assertEquals(15, ((Records) target.entries.getLast()).first());
  }

  @Test
  void muchIsWrittenInSeveralEntries() throws IOException {
    ModelRecorder recorder = new ModelRecorder(10_000);
    ModelTarget target = new ModelTarget();
    RecordingWriter writer = new RecordingWriter(recorder, target, RUN, LONG);
    recorder.fill(2 * RecordingEntry.MAX_COUNT + 1);
    assertEquals(2 * RecordingEntry.MAX_COUNT + 1, writer.drain());
    assertEquals(4, target.entries.size());
    assertEquals(2 * RecordingEntry.MAX_COUNT + 1, writer.counts().recorded());
    assertEquals(target.bytes, writer.counts().bytes());
  }

  @Test
  void theMoreComesTheSoonerItLooksAgain() {
    long most = 10_000_000;
    long least = 2_000_000;
    assertEquals(most, RecordingWriter.pause(most, 0, 65_536));
    assertEquals(most, RecordingWriter.pause(most, 8192, 65_536));
    assertEquals(most / 2, RecordingWriter.pause(most, 8193, 65_536));
    assertEquals(least, RecordingWriter.pause(least, 129, 1024));
    assertEquals(2 * least, RecordingWriter.pause(least, 128, 1024));
  }

  @Test
  void aDeviceWithoutRoomLosesRecordsUntilThereIsSome() throws IOException {
    ModelRecorder recorder = new ModelRecorder(100);
    ModelTarget target = new ModelTarget();
    RecordingWriter writer = new RecordingWriter(recorder, target, RUN, LONG);
    target.refuses = true;
    target.refusal = Reason.DISK_FULL;
    recorder.fill(3);
    writer.drain();
    recorder.fill(4);
    writer.drain();
    target.refuses = false;
    recorder.fill(5);
    writer.drain();
    assertEquals(new RecordingCounts(5, 7, writer.counts().bytes(), ""), writer.counts());
    assertTrue(target.entries.getFirst() instanceof Names);
    assertEquals(7, ((Records) target.entries.getLast()).first());
  }

  /** A device that others fill between two looks at its room shows in the midst of a write. */
  @Test
  void drain_mappedPageMissing_goesOnInAnotherFile() throws IOException {
    ModelRecorder recorder = new ModelRecorder(100);
    ModelTarget target = new ModelTarget();
    RecordingWriter writer = new RecordingWriter(recorder, target, RUN, LONG);
    target.unmapped = new InternalError("a fault occurred in an unsafe memory access operation");
    recorder.fill(3);
    writer.drain();
    target.why = target.unmapped;
    target.unmapped = null;
    target.refuses = true;
    target.refusal = Reason.DISK_FULL;
    recorder.fill(4);
    writer.drain();
    target.refuses = false;
    recorder.fill(5);
    writer.drain();
    assertEquals(2, target.rolls);
    assertEquals(new RecordingCounts(5, 7, writer.counts().bytes(), ""), writer.counts());
    assertTrue(target.entries.getFirst() instanceof Names);
  }

  @Test
  void filesThatFailEndTheRecording() throws Exception {
    ModelRecorder recorder = new ModelRecorder(100);
    ModelTarget target = new ModelTarget();
    target.refuses = true;
    RecordingWriter writer = new RecordingWriter(recorder, target, RUN, LONG);
    recorder.fill(1);
    writer.begin();
    while (writer.counts().off().isEmpty()) {
      Thread.onSpinWait();
    }
    recorder.fill(1);
    writer.close();
    assertEquals(new RecordingCounts(0, 0, 0, "refused"), writer.counts());
    assertTrue(target.isClosed);
  }

  @Test
  void filesThatDoNotAnswerHoldUpNoEnd() throws Exception {
    ModelRecorder recorder = new ModelRecorder(100);
    ModelTarget target = new ModelTarget();
    CountDownLatch hung = new CountDownLatch(1);
    target.answers = hung;
    RecordingWriter writer = new RecordingWriter(recorder, target, RUN, Duration.ofMillis(1));
    recorder.fill(1);
    writer.begin();
    writer.close();
    assertEquals("its files do not answer", writer.counts().off());
    assertFalse(target.isClosed);
    hung.countDown();
  }

  @Test
  void aRecordingIsReadWhileItIsWrittenAndAfterwards() throws Exception {
    ModelRecorder recorder = new ModelRecorder(1 << 16);
    Path folder = here.resolve("recording");
    try (RecordingWriter writer =
        RecordingWriter.start(recorder, folder, RecordingConfig.DEFAULT, RUN)) {
      recorder.pass(1).fill(5000);
      while (writer.counts().recorded() < 5000) {
        Thread.onSpinWait();
      }
      RecordingReader reader = new RecordingReader(folder, RUN);
      assertEquals(5000, read(reader));
      assertEquals(recorder.names(), reader.names());
      recorder.fill(7);
      while (writer.counts().recorded() < 5007) {
        Thread.onSpinWait();
      }
      assertEquals(7, read(reader));
      assertEquals(0, read(reader));
      assertEquals(
          Reason.IN_USE,
          assertThrows(
                  QueueException.class,
                  () -> RecordingWriter.start(recorder, folder, RecordingConfig.DEFAULT, RUN))
              .reason());
    }
    UUID second = new UUID(3, 4);
    RecordingWriter.start(recorder, folder, RecordingConfig.DEFAULT, second).close();
    List<RecordingReader.Run> runs = RecordingReader.runs(folder);
    assertEquals(List.of(RUN, second), runs.stream().map(RecordingReader.Run::id).toList());
    assertEquals(2, Folders.files(folder).size());
    // Each file alone is a recording, too.
    Path last = Folders.files(folder).getLast();
    RecordingReader alone = new RecordingReader(last, second);
    assertEquals(5007, read(alone));
    assertEquals(recorder.names(), alone.names());
    assertEquals(0, alone.missing());
    assertEquals(0, alone.damaged());
    assertEquals(recorder.epochNanos() - recorder.clockNanos(), alone.epochLessClockNanos());
  }

  @Test
  void filesAreBoundedBySizeAndByAge() throws Exception {
    ModelRecorder recorder = new ModelRecorder(1 << 20);
    RecordingConfig small = new RecordingConfig(RecordingConfig.MIN_BYTES, Duration.ofHours(1));
    Path folder = here.resolve("recording");
    recorder.pass(System.currentTimeMillis() * 1_000_000 - recorder.epochNanos());
    recorder.fillWithNoise(700_000);
    RecordingWriter.start(recorder, folder, small, RUN).close();
    long bytes = 0;
    List<Path> files = Folders.files(folder);
    for (Path file : files) {
      bytes += Files.size(file);
    }
    assertTrue(
        files.size() >= 2 && bytes <= small.maxBytes() + (16L << 20), files.size() + " " + bytes);
    RecordingReader reader = new RecordingReader(folder, RUN);
    long left = read(reader);
    assertTrue(left > 100_000 && left < 700_000, left + " are left");
    assertEquals(0, reader.missing());
    recorder.pass(Duration.ofHours(2).toNanos());
    RecordingWriter.start(recorder, folder, small, new UUID(3, 4)).close();
    assertTrue(
        Folders.files(folder).stream().noneMatch(files.subList(0, files.size() - 1)::contains));
  }

  @Test
  void aDirectoryOfSomethingElseIsRefused() throws IOException {
    Files.writeString(here.resolve("letter"), "dear");
    assertEquals(
        Reason.NO_QUEUE,
        assertThrows(
                QueueException.class,
                () ->
                    RecordingWriter.start(
                        new ModelRecorder(10), here, RecordingConfig.DEFAULT, RUN))
            .reason());
    assertEquals(1, here.toFile().list().length);
    assertEquals(List.of(), RecordingReader.runs(here));
  }

  private static long read(RecordingReader reader) throws IOException {
    long[] count = {0};
    reader.read(records -> count[0] += records.count());
    return count[0];
  }
}
