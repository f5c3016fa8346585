package dev.upcall.feed;

import dev.upcall.FsmUpcall;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.fsm.record.NameNumbers;
import dev.upcall.journal.recording.RecordingConfig;
import dev.upcall.journal.recording.RecordingCounts;
import dev.upcall.journal.recording.RecordingWriter;
import dev.upcall.store.StoreInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Writes what a store's flight recorder records into files, for {@code upcall trace}, also after
 * the process was killed. It never makes the store wait. Any thread but the store's:
 *
 * <pre>{@code
 * try (FsmUpcall store = Upcall.open(volume, config).fsm();
 *     Recording recording =
 *         Recording.start(store, folder, RecordingConfig.DEFAULT, UUID.randomUUID())) {
 *   ...
 * }
 * }</pre>
 */
public final class Recording implements AutoCloseable {
  private final RecordingWriter writer;

  private Recording(RecordingWriter writer) {
    this.writer = writer;
  }

  /**
   * Begins.
   *
   * @param store whose recorder; it may be closed before this or after
   * @param folder is made if it is missing; it holds recordings and nothing else
   * @param run which recording this is; no other has this id
   * @throws IOException a {@link dev.upcall.journal.queue.QueueException} with NO_QUEUE when
   *     something else is in the folder, IN_USE when somebody records into it
   * @throws IllegalStateException when Java was started without the flags of a queue
   */
  public static Recording start(FsmUpcall store, Path folder, RecordingConfig config, UUID run)
      throws IOException {
    return new Recording(RecordingWriter.start(FlightSource.of(store), folder, config, run));
  }

  /**
   * From now on what calls ask of the store is recorded too, so that a replay can ask it again:
   * kinds, offsets, lengths, and names as numbers; no contents. To replay it all there must be no
   * call before, and the store must be new. The key is forgotten. Any thread but the store's.
   *
   * @param key random; who has it can tell which number a name has
   */
  public static void recordInputs(FsmUpcall store, byte[] key) {
    NameNumbers numbers = new NameNumbers(key);
    StoreInfo now = store.info();
    long memoryBytes = store.config().memoryBytes();
    FlightRecorder recorder = store.fileManager().dispatcher().recorder();
    store.execute(() -> recorder.recordInputs(numbers, memoryBytes, now.scn(), now.capBytes()));
  }

  /** What has come of it. Any thread. */
  public RecordingCounts counts() {
    return writer.counts();
  }

  /** Writes what is there, and ends. */
  @Override
  public void close() throws IOException {
    writer.close();
  }
}
