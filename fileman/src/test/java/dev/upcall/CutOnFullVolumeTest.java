package dev.upcall;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.EditPolicy;
import dev.upcall.request.FileRequest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A full volume refuses what makes a file larger, and lets every file be cut, down to nothing. */
class CutOnFullVolumeTest {
  private static final int BLOCK = 4096;

  /** The volume is a quarter of the smallest that may be made, and so is what is kept of it. */
  private static final int EDITS = 20;

  private static final int SMALL_CUTS = 250;

  private final TreeMap<String, byte[]> model = new TreeMap<>();
  private SplittableRandom random = new SplittableRandom(0);
  private FilesFixture fixture = FilesFixture.create(7);

  @AfterEach
  void close() {
    fixture.close();
  }

  private byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    return bytes;
  }

  private Completion<BatchResult> put(String path, byte[] content) {
    return fixture.batch(
        new FileRequest.Put(
            StorePath.of(path), new FileContent.Bytes(content), PutOptions.DEFAULT));
  }

  private void make(String path, int size) {
    byte[] content = bytes(size);
    assertInstanceOf(Completion.Done.class, put(path, content));
    model.put(path, content);
  }

  private Completion<BatchResult> splice(String path, int offset, int removed, byte[] bytes) {
    byte[] before = model.getOrDefault(path, new byte[0]);
    Completion<BatchResult> completion =
        fixture.batch(new FileRequest.Splice(StorePath.of(path), offset, removed, bytes));
    if (completion instanceof Completion.Done<BatchResult>) {
      byte[] after = Arrays.copyOf(before, before.length - removed + bytes.length);
      System.arraycopy(bytes, 0, after, offset, bytes.length);
      int rest = before.length - offset - removed;
      System.arraycopy(before, offset + removed, after, offset + bytes.length, rest);
      model.put(path, after);
    }
    return completion;
  }

  private int sizeOf(String path) {
    return model.getOrDefault(path, new byte[0]).length;
  }

  private void fill() {
    for (int blocks = 64; blocks > 0; blocks /= 2) {
      for (int i = 0;
          put("/fill-" + blocks + "-" + i, bytes(blocks * BLOCK)) instanceof Completion.Done<?>;
          i++) {
        assertTrue(i < 1000, "a volume that is never full");
      }
    }
  }

  private void insertUntilFull(String path) {
    Completion<BatchResult> inserted = splice(path, 100_000, 0, bytes(9000));
    for (int i = 0; inserted instanceof Completion.Done<?>; i++) {
      assertTrue(i < 1000, "a volume that is never full");
      inserted = splice(path, 100_000, 0, bytes(9000));
    }
    Failure full = assertInstanceOf(Completion.Failed.class, inserted).failure();
    assertInstanceOf(Failure.VolumeFull.class, full);
  }

  private void check() {
    model.forEach((path, content) -> assertArrayEquals(content, fixture.read(path), path));
  }

  /** Also where the first edit of all is one on a full volume. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void everyFileIsCutToNothing(long seed) {
    random = new SplittableRandom(seed);
    make("/plain", 400_001);
    make("/edited", 300_000);
    make("/small", 20_000);
    boolean edited = seed % 2 == 0;
    for (int i = 0; edited && i < EDITS; i++) {
      int at = random.nextInt(sizeOf("/edited"));
      assertInstanceOf(Completion.Done.class, splice("/edited", at, 0, bytes(50)));
    }
    fill();
    if (edited) {
      insertUntilFull("/plain");
    }
    List<String> left = new ArrayList<>(model.keySet());
    while (!left.isEmpty()) {
      String path = left.get(random.nextInt(left.size()));
      int size = sizeOf(path);
      int removed = Math.min(size, 2 * BLOCK + random.nextInt(5 * BLOCK));
      int offset = random.nextInt(size - removed + 1);
      Completion<BatchResult> cut = splice(path, offset, removed, new byte[0]);
      assertInstanceOf(
          Completion.Done.class, cut, () -> removed + " bytes of " + path + ": " + cut);
      if (sizeOf(path) == 0) {
        left.remove(path);
      }
    }
    check();
    fixture = fixture.crash();
    check();
  }

  static List<EditPolicy> policies() {
    return List.of(
        EditPolicy.NONE, new EditPolicy.Eos(8), new EditPolicy.Esm(4), new EditPolicy.Starburst());
  }

  private void choose(String path, EditPolicy policy) {
    assertInstanceOf(
        Completion.Done.class,
        fixture.batch(
            new FileRequest.SetMetadata(
                StorePath.of(path),
                LinkPolicy.FOLLOW,
                MetadataChange.NONE.withEditPolicy(policy))));
  }

  /** What these copy of a file of this size is not brought to the volume before the commit. */
  static List<EditPolicy> copyingLittle() {
    return List.of(new EditPolicy.Eos(2), new EditPolicy.Eos(8), new EditPolicy.Esm(4));
  }

  /** What a policy has copied while there was room does not make a cut one that needs it. */
  @ParameterizedTest
  @MethodSource("copyingLittle")
  void aHandleHasCutBeforeTheVolumeWasFull(EditPolicy policy) {
    random = new SplittableRandom(policy.text().hashCode());
    make("/plain", 100 * BLOCK);
    choose("/plain", policy);
    for (int i = 0; i < EDITS; i++) {
      int at = random.nextInt(sizeOf("/plain"));
      assertInstanceOf(Completion.Done.class, splice("/plain", at, 0, bytes(3000)));
    }
    FileHandle handle =
        fixture.get(port -> fixture.files().open(StorePath.of("/plain"), OpenMode.EXISTING, port));
    int offset = 30 * BLOCK + 100;
    fixture.<Unit>get(port -> handle.splice(offset, 5000, ByteBuffer.allocate(0), port));
    fill();
    assertInstanceOf(Completion.Done.class, fixture.await(handle::flush));
    fixture.<Unit>get(handle::close);
    byte[] before = model.getOrDefault("/plain", new byte[0]);
    byte[] after = Arrays.copyOf(before, before.length - 5000);
    System.arraycopy(before, offset + 5000, after, offset, after.length - offset);
    model.put("/plain", after);
    check();
  }

  /** Each block that is cut into takes one, of which some are kept. */
  @Test
  void blocksThatClonesShareAreCut() {
    random = new SplittableRandom(11);
    make("/plain", 200 * BLOCK);
    assertInstanceOf(
        Completion.Done.class,
        fixture.batch(
            new FileRequest.Clone(
                StorePath.of("/plain"), StorePath.of("/clone"), FileCondition.ABSENT)));
    model.put("/clone", model.getOrDefault("/plain", new byte[0]));
    fill();
    for (int i = 0; i < 8; i++) {
      Completion<BatchResult> cut = splice("/clone", i * (BLOCK - 1) + 7, 1, new byte[0]);
      assertInstanceOf(Completion.Done.class, cut, () -> "within a shared block: " + cut);
    }
    check();
  }

  /** No cut takes a block for good, and no policy of the file asks for one. */
  @ParameterizedTest
  @MethodSource("policies")
  void blocksAreCutIntoAgainAndAgain(EditPolicy policy) {
    random = new SplittableRandom(policy.text().hashCode());
    make("/plain", 100 * BLOCK);
    choose("/plain", policy);
    fill();
    for (int i = 0; i < SMALL_CUTS; i++) {
      int removed = 1 + random.nextInt(20);
      int offset = random.nextInt(3 * BLOCK);
      Completion<BatchResult> cut = splice("/plain", offset, removed, new byte[0]);
      assertInstanceOf(
          Completion.Done.class, cut, () -> removed + " bytes at " + offset + ": " + cut);
    }
    check();
  }
}
