package dev.upcall.codec.zstd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import dev.upcall.coding.Codecs;
import dev.upcall.config.Compression;
import dev.upcall.content.UnitCodec;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The codec's contract with the store. */
class ZstdCodecTest {
  private static final int BLOCK = 4096;
  private static final int UNIT = 16 * BLOCK;
  private static final int MARGIN = 7;
  private static final byte FILL = 0x5A;

  private final UnitCodec codec = new ZstdCodec();

  /** Memory of which only the middle may be used. */
  private static ByteBuffer room(int bytes) {
    byte[] filled = new byte[bytes + 2 * MARGIN];
    Arrays.fill(filled, FILL);
    return ByteBuffer.allocateDirect(filled.length)
        .put(filled)
        .position(MARGIN)
        .limit(MARGIN + bytes);
  }

  private static ByteBuffer direct(byte[] bytes) {
    return room(bytes.length).put(MARGIN, bytes);
  }

  private static void assertMarginsAreWhole(ByteBuffer room, int bytes) {
    assertEquals(MARGIN, room.position());
    assertEquals(bytes, room.remaining());
    room.clear();
    for (int i = 0; i < MARGIN; i++) {
      assertEquals(FILL, room.get(i));
      assertEquals(FILL, room.get(MARGIN + bytes + i));
    }
  }

  /** The form of a content, in so much room at most; empty where that is too little. */
  private byte[] encoded(byte[] content, int roomBytes, Compression degree) {
    ByteBuffer from = direct(content);
    ByteBuffer into = room(roomBytes);
    byte[] coded = new byte[codec.encode(from, into, degree)];
    into.get(MARGIN, coded);
    assertMarginsAreWhole(from, content.length);
    assertMarginsAreWhole(into, roomBytes);
    return coded;
  }

  private Optional<byte[]> decoded(byte[] coded, int bytes) {
    ByteBuffer from = direct(coded);
    ByteBuffer into = room(bytes);
    boolean isDecoded = codec.decode(from, into);
    byte[] content = new byte[bytes];
    into.get(MARGIN, content);
    assertMarginsAreWhole(from, coded.length);
    assertMarginsAreWhole(into, bytes);
    return isDecoded ? Optional.of(content) : Optional.empty();
  }

  @Test
  void theStoreFindsItUnderTheNumberOfZstd() {
    assertEquals(Codecs.ZSTD, codec.number());
    assertTrue(Codecs.found().of(Codecs.ZSTD) instanceof ZstdCodec);
    assertTrue(Codecs.found().encoder() instanceof ZstdCodec);
    assertEquals(Optional.empty(), codec.refusal());
  }

  @Test
  void unitsOfAnySizeComeBack() {
    for (Compression degree : List.of(Compression.FAST, Compression.BALANCED)) {
      for (int blocks = 2; blocks <= 16; blocks++) {
        byte[] content = SampleText.bytes(blocks, blocks * BLOCK);
        byte[] coded = encoded(content, content.length - BLOCK, degree);
        assertTrue(coded.length > 0 && coded.length < content.length / 2, degree + " " + blocks);
        assertArrayEquals(content, decoded(coded, content.length).orElseThrow());
      }
    }
  }

  @Test
  void moreWorkMakesFewerBytes() {
    byte[] content = SampleText.bytes(1, UNIT);
    int fast = encoded(content, UNIT, Compression.FAST).length;
    int balanced = encoded(content, UNIT, Compression.BALANCED).length;
    assertTrue(balanced < fast, balanced + " of " + fast);
  }

  @Test
  void whatHasNoRoomIsNotEncoded() {
    byte[] random = SampleText.random(1, UNIT);
    assertEquals(0, encoded(random, UNIT * 7 / 8, Compression.BALANCED).length);
    byte[] text = SampleText.bytes(2, UNIT);
    int bytes = encoded(text, UNIT, Compression.FAST).length;
    assertEquals(0, encoded(text, bytes / 2, Compression.FAST).length);
  }

  @Test
  void anotherSizeThanTheContentHadIsRefused() {
    byte[] content = SampleText.bytes(3, UNIT);
    byte[] coded = encoded(content, UNIT, Compression.BALANCED);
    assertFalse(decoded(coded, UNIT - 1).isPresent());
    assertFalse(decoded(coded, UNIT + 1).isPresent());
    assertFalse(decoded(coded, BLOCK).isPresent());
    assertFalse(decoded(Arrays.copyOf(coded, coded.length - 1), UNIT).isPresent());
    assertFalse(decoded(Arrays.copyOf(coded, coded.length + 1), UNIT).isPresent());
    assertFalse(decoded(new byte[1], UNIT).isPresent());
  }

  /** Decoding bytes that were changed touches no memory but its own. */
  @Test
  void changedBytesDoNoHarm() {
    SplittableRandom random = new SplittableRandom(4);
    byte[] coded = encoded(SampleText.bytes(4, UNIT), UNIT, Compression.BALANCED);
    int refused = 0;
    for (int i = 0; i < 2000; i++) {
      byte[] changed = coded.clone();
      for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
        changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
      }
      refused += decoded(changed, UNIT).isPresent() ? 0 : 1;
    }
    assertTrue(refused > 500, "refused " + refused);
  }

  @Test
  void context_forWhichTheLibraryFindsNoMemory_isWantOfMemory() {
    Queue<String> kept = new ArrayDeque<>(List.of("kept"));
    Supplier<String> none =
        () -> {
          throw new IllegalStateException("ZSTD_createCompressCtx failed");
        };
    assertEquals("kept", ZstdCodec.context(kept, none));
    assertThrows(OutOfMemoryError.class, () -> ZstdCodec.context(kept, none));
  }

  /** The library gets most of a context's memory when it is used. */
  @Test
  void use_forWhichTheLibraryFindsNoMemory_isWantOfMemory() {
    ZstdException none = new ZstdException(Zstd.errMemoryAllocation(), "Allocation error");
    OutOfMemoryError thrown =
        assertThrows(OutOfMemoryError.class, () -> ZstdCodec.checkMemory(none));
    assertEquals("Allocation error", thrown.getMessage());
    ZstdCodec.checkMemory(new ZstdException(Zstd.errDstSizeTooSmall(), "no room"));
  }

  @Test
  void threadsUseItAtOnce() throws Exception {
    int threads = 4;
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<Integer>> all = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        int seed = thread;
        all.add(pool.submit(() -> roundTrips(seed)));
      }
      for (Future<Integer> each : all) {
        assertEquals(50, each.get());
      }
    }
  }

  private int roundTrips(int seed) {
    int whole = 0;
    for (int i = 0; i < 50; i++) {
      byte[] content = SampleText.bytes(100L * seed + i, 4 * BLOCK);
      Compression degree = i % 2 == 0 ? Compression.FAST : Compression.BALANCED;
      byte[] coded = encoded(content, content.length, degree);
      whole += Arrays.equals(content, decoded(coded, content.length).orElseThrow()) ? 1 : 0;
    }
    return whole;
  }
}
