package dev.upcall.fileman.blocking;

import static dev.upcall.fileman.blocking.UpcallBehaviour.bytes;
import static dev.upcall.fileman.blocking.UpcallBehaviour.failure;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Failure;
import dev.upcall.fileman.PutOptions;
import dev.upcall.fileman.Upcall;
import dev.upcall.fileman.UpcallException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files that are no volume, or not what was written: left alone, and never served as content. */
class DamagedVolumeTest {
  @TempDir Path folder;

  private Path volume;

  @BeforeEach
  void name() {
    volume = folder.resolve("volume.upcall");
  }

  @ParameterizedTest
  @EnumSource
  void foreignAndBrokenVolumesAreLeftAlone(TestedStore tested) throws IOException {
    byte[] foreign =
        "not a volume, but somebody's file".repeat(10_000).getBytes(StandardCharsets.UTF_8);
    Files.write(volume, foreign);
    failure(Failure.Invalid.class, () -> Upcall.openOrCreate(volume, tested.config()));
    assertArrayEquals(foreign, Files.readAllBytes(volume));
  }

  @ParameterizedTest
  @EnumSource
  void aVolumeThatWasCutShortIsRefusedAndLeftAlone(TestedStore tested) throws IOException {
    try (Upcall store = Upcall.create(volume, tested.config())) {
      store.write("/f", bytes(1, 3_000_000), PutOptions.DEFAULT);
    }
    long[] cuts = {Files.size(volume) - 4096, 1 << 20, 4097, 4096, 100, 0};
    for (long cut : cuts) {
      try (var channel = FileChannel.open(volume, StandardOpenOption.WRITE)) {
        channel.truncate(cut);
      }
      byte[] before = Files.readAllBytes(volume);
      UpcallException thrown =
          assertThrows(UpcallException.class, () -> Upcall.open(volume, tested.config()), "" + cut);
      assertTrue(
          thrown.failure() instanceof Failure.Invalid
              || thrown.failure() instanceof Failure.Corrupt,
          () -> cut + ": " + thrown.failure());
      assertArrayEquals(before, Files.readAllBytes(volume), "cut " + cut);
    }
  }

  @ParameterizedTest
  @EnumSource
  void flippedBitsAreFoundAndNeverServed(TestedStore tested) throws IOException {
    byte[] marked = bytes(17, 2_000_000);
    try (Upcall store = Upcall.create(volume, tested.config())) {
      store.write("/marked", marked, PutOptions.DEFAULT);
      store.write("/other", bytes(2, 100_000), PutOptions.DEFAULT);
    }
    byte[] image = Files.readAllBytes(volume);
    int at = find(image, Arrays.copyOfRange(marked, 1_000_000, 1_000_064));
    image[at] ^= 4;
    image[0] ^= 1;
    Files.write(volume, image);
    try (Upcall store = Upcall.open(volume, tested.config())) {
      assertArrayEquals(bytes(2, 100_000), store.readAllBytes("/other"));
      failure(Failure.Corrupt.class, () -> store.readAllBytes("/marked"));
      try (Upcall.ReadStream stream = store.read("/marked")) {
        ByteBuffer head = ByteBuffer.allocate(1000);
        stream.read(0, head);
        assertArrayEquals(Arrays.copyOf(marked, 1000), head.array());
      }
    }
  }

  private static int find(byte[] in, byte[] what) {
    for (int i = 0; i + what.length <= in.length; i++) {
      if (in[i] == what[0] && Arrays.equals(in, i, i + what.length, what, 0, what.length)) {
        return i;
      }
    }
    throw new AssertionError("the content is not on the volume");
  }
}
