package dev.upcall.fileman.blocking;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.upcall.Expiry;
import dev.upcall.FileCondition;
import dev.upcall.FileInfo;
import dev.upcall.Listing;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.request.FileRequest;
import dev.upcall.stage.StageFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Text, appends, expiries and streams of entries: what programs expect of files. */
class ConvenienceTest {
  private static final String TEXT = "na\u00efve \ud83d\ude80\n";
  private static final byte[] NO_TEXT = {(byte) 0xff};

  @TempDir Path folder;

  private Upcall create(TestedStore tested) {
    return Upcall.create(folder.resolve("v.upcall"), tested.config());
  }

  @ParameterizedTest
  @EachEngine
  void textIsUtf8(TestedStore tested) {
    try (Upcall store = create(tested)) {
      store.writeString("/t", TEXT);
      assertEquals(TEXT, store.readString("/t"));
      assertEquals(TEXT.getBytes(UTF_8).length, store.stat("/t").sizeBytes());
      store.writeString("/d/t", TEXT, PutOptions.WITH_PARENTS);
      assertEquals(TEXT, store.readString("/d/t"));
      PutOptions onlyNew = PutOptions.DEFAULT.withCondition(FileCondition.ABSENT);
      assertThrows(
          UpcallException.AlreadyExists.class, () -> store.writeString("/d/t", "x", onlyNew));
      store.write("/b", NO_TEXT);
      assertEquals(
          "the content of /b is not text in UTF-8",
          assertThrows(UpcallException.Invalid.class, () -> store.readString("/b")).getMessage());
      assertEquals(
          "the text for /h has an unpaired surrogate",
          assertThrows(UpcallException.Invalid.class, () -> store.writeString("/h", "\ud83d"))
              .getMessage());
    }
  }

  @ParameterizedTest
  @EachEngine
  void whatIsAppendedIsBehind(TestedStore tested) {
    try (Upcall store = create(tested)) {
      assertEquals(2, store.append("/log", "a\n".getBytes(UTF_8)).sizeBytes());
      assertEquals(4, store.append("/log", "b\n".getBytes(UTF_8)).sizeBytes());
      assertEquals("a\nb\n", store.readString("/log"));
      assertThrows(UpcallException.NotFound.class, () -> store.append("/none/log", new byte[] {1}));
    }
  }

  @ParameterizedTest
  @EachEngine
  void aSizeIsSet(TestedStore tested) {
    try (Upcall store = create(tested)) {
      store.writeString("/t", "abcdef");
      assertEquals(2, store.truncate("/t", 2).sizeBytes());
      assertEquals("ab", store.readString("/t"));
      assertEquals(4, store.truncate("/t", 4).sizeBytes());
      assertEquals("ab\0\0", store.readString("/t"));
      assertThrows(UpcallException.NotFound.class, () -> store.truncate("/none", 0));
      assertThrows(UpcallException.Invalid.class, () -> store.truncate("/t", -1));
      assertEquals(4, store.stat("/t").sizeBytes());
    }
  }

  /** Where it breaks off, there is nothing: neither a part nor another version. */
  @ParameterizedTest
  @EachEngine
  void aStreamThatBreaksOffChangesNothing(TestedStore tested) {
    try (Upcall store = create(tested)) {
      store.writeString("/t", TEXT);
      for (int good : new int[] {0, 1, 65_536, 65_537, 300_000}) {
        InputStream content =
            new SequenceInputStream(new ByteArrayInputStream(new byte[good]), broken());
        UncheckedIOException failed =
            assertThrows(
                UncheckedIOException.class, () -> store.write("/t", content, PutOptions.DEFAULT));
        assertEquals("broken", failed.getCause().getMessage());
        assertEquals(TEXT, store.readString("/t"));
      }
    }
  }

  private static InputStream broken() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        throw new IOException("broken");
      }
    };
  }

  @ParameterizedTest
  @EachEngine
  void anExpiryIsChangedLater(TestedStore tested) {
    Instant later = Instant.parse("2200-01-01T00:00:00Z");
    try (Upcall store = create(tested)) {
      store.writeString("/t", TEXT);
      assertEquals(Optional.of(later), store.setExpiry("/t", Expiry.at(later)).expires());
      assertEquals(Optional.empty(), store.setExpiry("/t", Expiry.NEVER).expires());
    }
  }

  /** Beyond the first page, and no page before it is needed. */
  @ParameterizedTest
  @EachEngine
  void aDirectoryIsAStream(TestedStore tested) {
    int entries = Listing.MAX_ENTRIES + 10;
    try (Upcall store = create(tested)) {
      for (int from = 0; from < entries; from += 1000) {
        List<FileRequest> some =
            IntStream.range(from, Math.min(from + 1000, entries))
                .<FileRequest>mapToObj(
                    i -> new FileRequest.CreateDirectory(StorePath.of("/d%05d".formatted(i))))
                .toList();
        store.batch(some);
      }
      List<String> names = new ArrayList<>();
      store.stream("/").map(FileInfo::name).forEach(names::add);
      assertEquals(IntStream.range(0, entries).mapToObj("d%05d"::formatted).toList(), names);
      assertEquals("d00002", store.stream("/").skip(2).iterator().next().name());
      assertThrows(UpcallException.NotFound.class, () -> store.stream("/none"));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RING", "CHANNEL"})
  void stagesHaveThemToo(TestedStore tested) {
    try (Upcall store = create(tested);
        StageFiles files = store.fsm().newStageFiles(Thread::startVirtualThread)) {
      joined(files.writeString("/t", TEXT));
      assertEquals(TEXT, joined(files.readString("/t")));
      joined(files.append("/t", TEXT.getBytes(UTF_8)));
      assertEquals(
          2 * TEXT.getBytes(UTF_8).length, joined(files.append("/t", new byte[0])).sizeBytes());
      assertEquals(TEXT + TEXT, store.readString("/t"));
      String large = TEXT.repeat(20_000);
      joined(files.writeString("/d/large", large, PutOptions.WITH_PARENTS));
      assertEquals(large, store.readString("/d/large"));
      joined(files.writeString("/large", large));
      assertEquals(large, joined(files.readString("/large")));
      assertEquals(3, joined(files.truncate("/t", 3)).sizeBytes());
      refused(UpcallException.NotFound.class, files.truncate("/none", 3));
      refused(UpcallException.Invalid.class, files.truncate("/t", -1));
      joined(files.setExpiry("/t", Expiry.at(Instant.EPOCH)));
      refused(UpcallException.NotFound.class, files.readString("/t"));
      joined(files.write("/b", NO_TEXT));
      refused(UpcallException.Invalid.class, files.readString("/b"));
      refused(UpcallException.Invalid.class, files.writeString("/h", "\ud83d"));
      refused(UpcallException.NotFound.class, files.append("/none/log", new byte[1]));
      assertEquals(0, joined(files.fileManagerInfo()).handlesOpen());
    }
  }

  private static void refused(Class<? extends UpcallException> kind, CompletionStage<?> stage) {
    Throwable failed = assertThrows(CompletionException.class, () -> joined(stage)).getCause();
    assertEquals(kind, failed.getClass());
  }

  private static <T> T joined(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}
