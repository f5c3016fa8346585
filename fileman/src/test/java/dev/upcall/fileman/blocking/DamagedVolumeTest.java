package dev.upcall.fileman.blocking;

import static dev.upcall.fileman.blocking.UpcallBehaviour.bytes;
import static dev.upcall.fileman.blocking.UpcallBehaviour.failure;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.upcall.PutOptions;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.store.OpeningReport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Files that are no volume, or not what was written: left alone, and never served as content. */
class DamagedVolumeTest {
  @TempDir Path folder;

  private Path volume;

  @BeforeEach
  void name() {
    volume = folder.resolve("volume.upcall");
  }

  @ParameterizedTest
  @EachEngine
  void foreignAndBrokenVolumesAreLeftAlone(TestedStore tested) throws IOException {
    byte[] foreign =
        "not a volume, but somebody's file".repeat(10_000).getBytes(StandardCharsets.UTF_8);
    Files.write(volume, foreign);
    failure(Failure.Invalid.class, () -> Upcall.openOrCreate(volume, tested.config()));
    assertArrayEquals(foreign, Files.readAllBytes(volume));
  }

  @ParameterizedTest
  @EachEngine
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
  @EachEngine
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

  /** Both copies of pages of each tree, of the map and of the log; and a superblock besides. */
  @ParameterizedTest
  @EachEngine
  void whatIsRefusedIsLeftAsItWas(TestedStore tested) throws IOException {
    try (Upcall store = Upcall.create(volume, tested.config())) {
      store.createDirectory("/d");
      for (int i = 0; i < 600; i++) {
        store.write("/d/a long enough name " + i, bytes(i, 200));
      }
      store.setProperty("state", new byte[] {1});
    }
    byte[] whole = Files.readAllBytes(volume);
    Set<String> refused = new TreeSet<>();
    for (String kind : kinds(whole)) {
      for (int superblock = 0; superblock <= 1; superblock++) {
        byte[] image = damaged(whole, kind);
        image[100] ^= (byte) superblock;
        Files.write(volume, image);
        try {
          Upcall.open(volume, tested.config()).close();
        } catch (UpcallException failed) {
          assertTrue(failed.failure() instanceof Failure.Corrupt, failed::toString);
          byte[] after = Files.readAllBytes(volume);
          if (Arrays.mismatch(image, after) >= 0) {
            fail(kind + ", superblock " + superblock + ": changed by " + failed);
          }
          refused.add(kind);
        }
        showsTheNewestOrSaysSo(tested, kind);
      }
    }
    assertTrue(
        refused.containsAll(List.of("tree 1 level 0", "tree 1 level 1", "map")), refused::toString);
  }

  /** Read-only: all is there, or what is not is said to be corrupt, or the moment to be older. */
  private void showsTheNewestOrSaysSo(TestedStore tested, String kind) throws IOException {
    byte[] before = Files.readAllBytes(volume);
    try (Upcall store = Upcall.open(volume, tested.config().withReadOnly(true))) {
      boolean newest = store.info().opening().age() == OpeningReport.Age.NEWEST;
      for (int i = 0; i < 600; i++) {
        byte[] found = store.readAllBytes("/d/a long enough name " + i);
        assertTrue(!newest || Arrays.equals(bytes(i, 200), found), kind + ": " + i);
      }
    } catch (UpcallException failed) {
      assertTrue(failed.failure() instanceof Failure.Corrupt, failed::toString);
    }
    // Tens of megabytes, each time: not byte by byte.
    assertEquals(-1, Arrays.mismatch(before, Files.readAllBytes(volume)), kind);
  }

  /** The kinds of blocks that a volume has, of whatever age. */
  private static Set<String> kinds(byte[] volume) {
    ByteBuffer blocks = ByteBuffer.wrap(volume).order(ByteOrder.LITTLE_ENDIAN);
    Set<String> kinds = new TreeSet<>();
    for (int at = 0; at < volume.length; at += 4096) {
      kinds.add(kindOf(blocks, at));
    }
    kinds.remove("");
    return kinds;
  }

  /** All blocks of a kind have a bit flipped. */
  private static byte[] damaged(byte[] whole, String kind) {
    byte[] image = whole.clone();
    ByteBuffer blocks = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = 0; at < image.length; at += 4096) {
      if (kindOf(blocks, at).equals(kind)) {
        image[at + 60] ^= 4;
      }
    }
    return image;
  }

  private static String kindOf(ByteBuffer blocks, int at) {
    byte[] magic = new byte[4];
    blocks.get(at, magic);
    return switch (new String(magic, StandardCharsets.US_ASCII)) {
      case "UTRP" -> "tree " + blocks.getInt(at + 24) + " level " + blocks.getShort(at + 28);
      case "UPSB" -> "superblock";
      case "UFSM" -> "map";
      default -> "";
    };
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
