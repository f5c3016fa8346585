package dev.upcall.feed.replay;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileContent;
import dev.upcall.FsmUpcall;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.feed.FlightSource;
import dev.upcall.feed.Recording;
import dev.upcall.journal.trace.TraceSource;
import dev.upcall.request.FileRequest;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A replay of a store that had to grow. */
class SpaceReplayTest {
  private static final UpcallConfig CONFIG =
      UpcallConfig.DEFAULT.withMemoryBytes(32L << 20).withCapBytes(256L << 20);

  private static final int FILES = 2500;
  private static final int BATCH = 10;

  @TempDir Path here;

  /** How many pages names take depends on their order, which a recording does not have. */
  @Test
  void aChangeMayWaitForSpaceAtAnotherTime() throws IOException {
    byte[] content = new byte[4000];
    Arrays.fill(content, (byte) 7);
    FsmUpcall store = Upcall.create(here.resolve("store.upcall"), CONFIG).fsm();
    try (store) {
      Recording.recordInputs(store, new byte[] {1, 2, 3});
      for (int file = 0; file < FILES; file += BATCH) {
        store.batch(
            IntStream.range(file, file + BATCH).mapToObj(each -> put(each, content)).toList());
      }
    }
    FlightSource source = FlightSource.of(store);
    Result result = StoreReplay.run(TraceSource.memory(source, source.recordsKept()));
    StringWriter text = new StringWriter();
    result.print(new PrintWriter(text, true));
    assertTrue(result.isSame(), text::toString);
    assertTrue(result.counts().compared() > FILES, text::toString);
  }

  private static FileRequest put(int file, byte[] content) {
    String name = "/%s-%04d".formatted("long".repeat(20), file * 1009 % FILES);
    return new FileRequest.Put(
        StorePath.of(name), new FileContent.Bytes(content), PutOptions.DEFAULT);
  }
}
