package dev.upcall.fileman.blocking;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.upcall.FsmUpcall;
import dev.upcall.PutOptions;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.config.DiskKind;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers copy large content into the store's memory themselves. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("races")
class LentFramesTest {
  private static final int MOST_BYTES = 3 << 20;
  private static final int FILES = 60;

  @TempDir Path folder;

  private FsmUpcall create() {
    return Upcall.create(folder.resolve("volume.upcall"), UpcallBehaviour.small(DiskKind.CHANNEL))
        .fsm();
  }

  @ParameterizedTest
  @ValueSource(ints = {8_191, 65_536, 65_537, 300_000, 1 << 20, (1 << 20) + 1, 2_500_000})
  void aFile_ofAnySizeAndPieces_isWhatWasWritten(int size) throws Exception {
    try (FsmUpcall store = create()) {
      byte[] content = UpcallBehaviour.bytes(size, size);
      store.write("/whole", new ByteArrayInputStream(content), PutOptions.DEFAULT);
      try (Upcall.PutStream stream = store.put("/pieces", PutOptions.DEFAULT)) {
        SplittableRandom random = new SplittableRandom(size);
        for (int at = 0; at < size; ) {
          int length = Math.min(size - at, 1 + random.nextInt(400_000));
          stream.write(content, at, length);
          at += length;
        }
        stream.commit();
      }
      assertArrayEquals(content, store.readAllBytes("/whole"));
      assertArrayEquals(content, store.readAllBytes("/pieces"));
    }
  }

  @Test
  void streams_thatOthersClose_leaveWhatIsWrittenBesideAsItIs() throws Exception {
    try (FsmUpcall store = create();
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> all = new ArrayList<>();
      for (int file = 0; file < FILES; file++) {
        int seed = file;
        String name = "/f" + file;
        if (file % 2 == 0) {
          all.add(
              threads.submit(
                  () -> store.write(name, new ByteArrayInputStream(of(seed)), PutOptions.DEFAULT)));
        } else {
          Upcall.PutStream stream = store.put(name, PutOptions.DEFAULT);
          all.add(threads.submit(() -> writeUntilClosed(stream, seed)));
          all.add(threads.submit(stream::close));
        }
      }
      for (Future<?> one : all) {
        one.get();
      }
      for (int file = 0; file < FILES; file++) {
        if (file % 2 == 0) {
          assertArrayEquals(of(file), store.readAllBytes("/f" + file));
        } else {
          assertFalse(store.exists("/f" + file));
        }
      }
    }
  }

  private static byte[] of(int seed) {
    return UpcallBehaviour.bytes(seed, 100_000 + new SplittableRandom(seed).nextInt(MOST_BYTES));
  }

  private static void writeUntilClosed(Upcall.PutStream stream, int seed) {
    byte[] content = of(seed);
    try {
      for (int at = 0; at < content.length; at += 50_000) {
        stream.write(content, at, Math.min(50_000, content.length - at));
      }
      stream.close();
    } catch (UpcallException | IllegalStateException expectedWhenClosed) {
      stream.close();
    }
  }

  @Test
  void aFullVolume_refusesAndGivesAllBack() {
    try (FsmUpcall store = create()) {
      store.createDirectory("/d");
      UpcallException refused =
          assertThrows(
              UpcallException.class,
              () -> {
                for (int i = 0; ; i++) {
                  store.write("/d/" + i, new ByteArrayInputStream(of(i)), PutOptions.DEFAULT);
                }
              });
      assertInstanceOf(Failure.VolumeFull.class, refused.failure());
      assertArrayEquals(of(0), store.readAllBytes("/d/0"));
    }
  }
}
