package dev.upcall.buffer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.access.SegmentHandle;
import dev.upcall.access.Segments;
import dev.upcall.coding.Codecs;
import dev.upcall.coding.TwinCodec;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.config.Compression;
import dev.upcall.content.UnitCodec;
import dev.upcall.fsm.TransitionCoverage;
import dev.upcall.io.Disk;
import dev.upcall.segment.ContentReader;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.ExtentEntry;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.StoreFixture;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;
import dev.upcall.txn.volume.StoreFeature;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Content whose units are stored in fewer blocks: written, read, edited, damaged. */
class CodedContentTest {
  private static final int BLOCK = Disk.BLOCK_BYTES;
  private static final long ID = 7;
  private static final long OTHER = 8;
  private static final TransitionCoverage COVERAGE = new TransitionCoverage();
  private static final byte[] CONTENT = TwinCodec.bytes(5, 40 * BLOCK + 100);
  private static final byte[] RANDOM = StoreFixture.bytes(3, 300 * BLOCK);

  private StoreFixture store = opened(formatted(), TwinCodec.codecs(16));

  @AfterAll
  static void everyTransitionWasTaken() {
    COVERAGE.assertAllTaken(UnitLoad.TRANSITIONS);
  }

  private static SimWorld formatted() {
    SimWorld world = SimWorld.ofBlocks(5, 4096);
    StoreFixture.format(world);
    return world;
  }

  private static StoreFixture opened(SimWorld world, Codecs codecs) {
    return Objects.requireNonNull(
        StoreFixture.tryOpen(world, StoreFixture.tinyOptions(7).withCodecs(codecs)));
  }

  private SimWorld world() {
    return store.world();
  }

  private void reopen(Codecs codecs) {
    COVERAGE.add(world().dispatcher().recorder());
    store = opened(world().crashAndReopen(), codecs);
  }

  private void close() {
    store.verify();
    COVERAGE.add(world().dispatcher().recorder());
    assertInstanceOf(Completion.Done.class, store.close());
  }

  private void put(long id, byte[] content) {
    assertInstanceOf(Completion.Done.class, store.put(id, content, Compression.BALANCED), "a put");
  }

  private void done(Consumer<CompletionPort<Unit>> request) {
    assertInstanceOf(Completion.Done.class, world().await(request::accept));
  }

  private SegmentHandle handle(long id) {
    return world()
        .get(
            port -> Segments.open(store.store(), Segments.Target.of(id), StoreFixture.OWNER, port));
  }

  private PinnedContent pin(long id) {
    Completion<PinnedContent> pinned = Objects.requireNonNull(store.pin(id));
    return ((Completion.Done<PinnedContent>) pinned).value();
  }

  private @Nullable ExtentEntry entry(long id, long block) {
    try (PinnedContent content = pin(id)) {
      return content.place(block) instanceof ContentReader.Place.Placed placed
          ? placed.entry()
          : null;
    }
  }

  private long storedBlocks(long id) {
    try (PinnedContent content = pin(id)) {
      return content.inode().layout().space().placedBlocks();
    }
  }

  private Failure readFails(long id) {
    try (PinnedContent content = pin(id)) {
      Completion<byte[]> read = StoreFixture.readAll(world(), content);
      return assertInstanceOf(Completion.Failed.class, read).failure();
    }
  }

  private VerifyReport verified() {
    return world()
        .get(port -> store.store().verify(new VerifyOptions(true), (at, of) -> true, port));
  }

  @Test
  void unitsAreStoredInFewerBlocksAndReadBack() {
    assertFalse(store.store().access().features().uses(StoreFeature.CODED));
    put(ID, CONTENT);
    assertTrue(store.store().access().features().uses(StoreFeature.CODED));
    assertEquals(8 + 8 + 5, storedBlocks(ID));
    assertArrayEquals(CONTENT, store.read(ID));
    done(port -> store.store().checkpoint(port));
    assertEquals(41 - 21, verified().savedBlocks());
    reopen(TwinCodec.codecs(16));
    assertArrayEquals(CONTENT, store.read(ID));
    close();
  }

  @Test
  void whatDoesNotShrinkIsStoredAsItIs() {
    byte[] both = Arrays.copyOf(CONTENT, 32 * BLOCK);
    System.arraycopy(RANDOM, 0, both, 0, 16 * BLOCK);
    put(OTHER, both);
    assertEquals(16 + 8, storedBlocks(OTHER));
    assertInstanceOf(ExtentEntry.Plain.class, entry(OTHER, 0));
    assertInstanceOf(ExtentEntry.Coded.class, entry(OTHER, 16));
    assertArrayEquals(both, store.read(OTHER));
    put(ID, RANDOM);
    assertEquals(300, storedBlocks(ID));
    close();
  }

  /** A codec that counts how often somebody tries it. */
  private static final class Counted implements UnitCodec {
    private final TwinCodec codec = new TwinCodec();
    private int tries;

    @Override
    public int number() {
      return codec.number();
    }

    @Override
    public int encode(ByteBuffer from, ByteBuffer into, Compression degree) {
      tries++;
      return codec.encode(from, into, degree);
    }

    @Override
    public boolean decode(ByteBuffer from, ByteBuffer into) {
      return codec.decode(from, into);
    }
  }

  @Test
  void contentThatLooksCoded_isNotTriedBehindSomeThatDidNotShrink() {
    Counted codec = new Counted();
    reopen(new Codecs(List.of(codec), 16));
    put(ID, RANDOM);
    int tries = codec.tries;
    assertTrue(tries >= 2, "tries: " + tries);
    put(OTHER, Arrays.copyOf(RANDOM, 255 * BLOCK));
    assertEquals(tries, codec.tries);
    put(ID, CONTENT);
    assertEquals(8 + 8 + 5, storedBlocks(ID));
    put(OTHER, Arrays.copyOf(RANDOM, 255 * BLOCK));
    assertTrue(codec.tries >= tries + 5, "tries: " + codec.tries);
    assertEquals(255, storedBlocks(OTHER));
    close();
  }

  @Test
  void contentBehindSomeThatDidNotShrink_isTriedTwice() {
    put(ID, RANDOM);
    assertFalse(store.store().access().features().uses(StoreFeature.CODED));
    byte[] both = TwinCodec.bytes(6, 80 * BLOCK);
    System.arraycopy(RANDOM, 0, both, 0, 32 * BLOCK);
    put(OTHER, both);
    assertEquals(80, storedBlocks(OTHER));
    put(ID, CONTENT);
    assertEquals(8 + 8 + 5, storedBlocks(ID));
    put(OTHER, both);
    assertEquals(32 + 16 + 8 + 8, storedBlocks(OTHER));
    close();
  }

  @Test
  void warmReadsTakeDecodedBlocksFromMemory() {
    put(ID, CONTENT);
    assertArrayEquals(CONTENT, store.read(ID));
    long loads = store.store().metrics().buffers().loads();
    try (PinnedContent content = pin(ID)) {
      var slice = present(content.tryRead(20 * BLOCK + 7, 1000));
      assertEquals(1000, slice.sizeBytes());
      assertEquals(CONTENT[20 * BLOCK + 7], slice.buffers().getFirst().get(0));
      slice.release();
    }
    assertEquals(loads, store.store().metrics().buffers().loads());
    close();
  }

  private static <T> T present(@Nullable T value) {
    return Objects.requireNonNull(value);
  }

  /** Both parts of the unit in whose middle something is written use all of what is stored. */
  @Test
  void anEditInTheMiddleSplitsAUnit() {
    put(ID, CONTENT);
    byte[] patch = StoreFixture.bytes(9, 3 * BLOCK);
    byte[] expected = CONTENT.clone();
    System.arraycopy(patch, 0, expected, 5 * BLOCK, patch.length);
    SegmentHandle handle = handle(ID);
    done(port -> handle.write(5 * BLOCK, ByteBuffer.wrap(patch), port));
    done(handle::close);
    done(port -> store.store().checkpoint(port));
    assertEquals(
        entry(ID, 0) instanceof ExtentEntry.Coded first ? first.extent() : null,
        entry(ID, 8) instanceof ExtentEntry.Coded second ? second.extent() : "no unit");
    assertInstanceOf(ExtentEntry.Plain.class, entry(ID, 5));
    assertEquals(8, verified().sharedBlocks());
    assertArrayEquals(expected, store.read(ID));
    reopen(TwinCodec.codecs(16));
    assertArrayEquals(expected, store.read(ID));

    SegmentHandle cut = handle(ID);
    done(port -> cut.truncate(2 * BLOCK + 1, port));
    done(cut::close);
    done(port -> store.store().checkpoint(port));
    assertEquals(0, verified().sharedBlocks());
    assertArrayEquals(Arrays.copyOf(expected, 2 * BLOCK + 1), store.read(ID));
    assertInstanceOf(Completion.Done.class, store.remove(ID));
    close();
  }

  @Test
  void bytesAreInsertedAndCutOut() {
    put(ID, CONTENT);
    SegmentHandle handle = handle(ID);
    byte[] more = StoreFixture.bytes(4, 5000);
    done(port -> handle.splice(70_001, 9, ByteBuffer.wrap(more), port));
    done(handle::close);
    byte[] expected = new byte[CONTENT.length + more.length - 9];
    System.arraycopy(CONTENT, 0, expected, 0, 70_001);
    System.arraycopy(more, 0, expected, 70_001, more.length);
    System.arraycopy(CONTENT, 70_010, expected, 70_001 + more.length, CONTENT.length - 70_010);
    done(port -> store.store().checkpoint(port));
    assertArrayEquals(expected, store.read(ID));
    reopen(TwinCodec.codecs(16));
    assertArrayEquals(expected, store.read(ID));
    close();
  }

  /** A codec that says that a unit is shorter than it is. */
  private static final class Lying implements UnitCodec {
    private final TwinCodec twins = new TwinCodec();

    @Override
    public int number() {
      return TwinCodec.NUMBER;
    }

    @Override
    public int encode(ByteBuffer from, ByteBuffer into, Compression degree) {
      return Math.max(0, twins.encode(from, into, degree) - 1);
    }

    @Override
    public boolean decode(ByteBuffer from, ByteBuffer into) {
      return twins.decode(from, into);
    }
  }

  @Test
  void aLyingUnitIsCorruptWithPlaceAndFileAndCostsThatFileAlone() {
    put(OTHER, CONTENT);
    reopen(new Codecs(List.of(new Lying()), 16));
    put(ID, CONTENT);
    ExtentEntry lying = present(entry(ID, 0));
    Failure.Corrupt corrupt = assertInstanceOf(Failure.Corrupt.class, readFails(ID));
    assertEquals(lying.extent().block() * BLOCK, corrupt.offsetBytes());
    assertEquals(0, present(corrupt.inFile()).offsetBytes());
    assertArrayEquals(CONTENT, store.read(OTHER));
    VerifyReport report = verified();
    assertEquals(3, report.problemCount(), report::toString);
    assertTrue(report.problems().getFirst().what().contains("does not decode"), report::toString);
    world().closesUnchecked("units lie");
    COVERAGE.add(world().dispatcher().recorder());
    assertInstanceOf(Completion.Done.class, store.close());
  }

  /** A codec with a fault. */
  private record Faulty(boolean reads) implements UnitCodec {
    private static final TwinCodec TWINS = new TwinCodec();

    @Override
    public int number() {
      return TwinCodec.NUMBER;
    }

    @Override
    public int encode(ByteBuffer from, ByteBuffer into, Compression degree) {
      throw new IllegalStateException("a fault");
    }

    @Override
    public boolean decode(ByteBuffer from, ByteBuffer into) {
      if (!reads) {
        throw new NoClassDefFoundError("a fault");
      }
      return TWINS.decode(from, into);
    }
  }

  @Test
  void codecThatThrows_failsWhatMetItOnly() {
    put(ID, CONTENT);
    reopen(new Codecs(List.of(new Faulty(false)), 16));
    for (int i = 0; i < 3; i++) {
      assertInstanceOf(Failure.Unsupported.class, readFails(ID));
      assertNull(store.put(OTHER, CONTENT, Compression.BALANCED), "it was brought");
    }
    assertInstanceOf(Completion.Done.class, store.put(OTHER, CONTENT, Compression.NONE));
    assertArrayEquals(CONTENT, store.read(OTHER));
    reopen(new Codecs(List.of(new Faulty(true)), 16));
    assertArrayEquals(CONTENT, store.read(ID));
    close();
  }

  @Test
  void aDamagedUnitIsCorruptWithTheBlockThatIs() {
    put(ID, CONTENT);
    reopen(TwinCodec.codecs(16));
    ExtentEntry second = present(entry(ID, 16));
    world().disk().contents().flipBit(second.extent().block() + 3, /* bit= */ 77);
    Failure.Corrupt corrupt = assertInstanceOf(Failure.Corrupt.class, readFails(ID));
    assertEquals((second.extent().block() + 3) * BLOCK, corrupt.offsetBytes());
    assertEquals(16 * BLOCK, present(corrupt.inFile()).offsetBytes());
    assertEquals(1, verified().problemCount());
    world().closesUnchecked("a block is damaged");
    COVERAGE.add(world().dispatcher().recorder());
    assertInstanceOf(Completion.Done.class, store.close());
  }

  @Test
  void withoutItsCodecContentIsThereAndGoesAndCannotBeRead() {
    put(ID, CONTENT);
    reopen(Codecs.NONE);
    Failure why = readFails(ID);
    assertEquals(
        "content in the form \"codec 15\" cannot be read here: the module of that codec is missing",
        assertInstanceOf(Failure.Unsupported.class, why).message());
    store.verify();
    put(OTHER, CONTENT);
    assertEquals(41, storedBlocks(OTHER));
    assertInstanceOf(Completion.Done.class, store.remove(ID));
    close();
  }
}
