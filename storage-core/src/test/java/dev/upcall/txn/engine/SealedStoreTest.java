package dev.upcall.txn.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Faults;
import dev.upcall.io.seal.KeyChange;
import dev.upcall.io.seal.KeyMaterial;
import dev.upcall.io.seal.KeySlot;
import dev.upcall.io.seal.KeySlots;
import dev.upcall.io.seal.LibcryptoXts;
import dev.upcall.io.seal.NaiveXts;
import dev.upcall.io.seal.VolumeKey;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.FaultPlan;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.SealedFixture;
import dev.upcall.store.StoreFixture;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;
import dev.upcall.txn.Store;
import dev.upcall.txn.volume.SuperblockCodec;
import dev.upcall.txn.volume.VolumeFault;
import dev.upcall.txn.volume.VolumeLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A store on an encrypted volume. */
class SealedStoreTest {
  private static final VolumeLayout LAYOUT = StoreFixture.tinyLayout();
  private static final byte[] MARK = "THIS-MUST-NOT-BE-SEEN".getBytes(UTF_8);
  private static final byte[] VOLUME_KEY = random(1, VolumeKey.BYTES);

  private static byte[] random(long seed, int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  private static KeyMaterial key(long seed) {
    return KeyMaterial.ofKey(random(seed, 32));
  }

  private static byte[] salt(long seed) {
    return random(seed, KeySlot.SALT_BYTES);
  }

  private static SimWorld formatted() {
    SimWorld world = SimWorld.ofBlocks(6, 400).closesUnchecked("its blocks are encrypted");
    SealedFixture.format(world, key(2), VOLUME_KEY);
    return world;
  }

  private static @Nullable Completion<Store> open(
      SimWorld world, @Nullable KeyMaterial material, Faults faults) {
    return SealedFixture.open(world, material, faults);
  }

  private static StoreFixture opened(SimWorld world, long key) {
    Store store =
        (Store) assertInstanceOf(Completion.Done.class, open(world, key(key), Faults.NONE)).value();
    return StoreFixture.of(world, store);
  }

  private static byte[] content(long seed, int length) {
    byte[] content = random(seed, length);
    for (int at = 0; at + MARK.length < length; at += 500) {
      System.arraycopy(MARK, 0, content, at, MARK.length);
    }
    return content;
  }

  private static boolean showsMark(DiskImage image) {
    boolean[] found = {false};
    image.forEachWritten(block -> found[0] |= contains(image.read(block), MARK));
    return found[0];
  }

  private static boolean contains(byte[] bytes, byte[] part) {
    for (int at = 0; at + part.length <= bytes.length; at++) {
      if (Arrays.equals(bytes, at, at + part.length, part, 0, part.length)) {
        return true;
      }
    }
    return false;
  }

  @Test
  void whatIsWritten_isThereAfterACrash_andNothingOfItIsOnTheDevice() {
    SimWorld world = formatted();
    StoreFixture store = opened(world, 2);
    for (long id = 20; id < 30; id++) {
      assertEquals(Completion.done(), store.put(id, content(id, 700 * (int) (id - 19))));
    }
    store.put(31, content(31, 200_000));
    SimWorld next = world.crashAndReopen();
    StoreFixture again = opened(next, 2);
    for (long id = 20; id < 30; id++) {
      assertArrayEquals(content(id, 700 * (int) (id - 19)), again.read(id));
    }
    assertArrayEquals(content(31, 200_000), again.read(31));
    next.<Unit>get(again.store()::checkpoint);
    VerifyReport report =
        next.get(port -> again.store().verify(new VerifyOptions(true), (_, _) -> true, port));
    assertEquals(java.util.List.of(), report.problems());
    assertFalse(showsMark(next.disk().contents()), "plain text on the device");
    next.<Unit>get(again.store()::close);
    assertFalse(showsMark(next.disk().contents()), "plain text on the device");
    // A second reading of the standard, and OpenSSL, find the same bytes in the blocks.
    DiskImage image = next.disk().contents();
    LibcryptoXts other = LibcryptoXts.find();
    boolean[] found = {false};
    image.forEachWritten(
        block -> {
          if (block >= LAYOUT.dataStart()) {
            byte[] plain = NaiveXts.decryptBlock(VOLUME_KEY, block, image.read(block));
            found[0] |= contains(plain, MARK);
            if (other != null) {
              assertArrayEquals(plain, other.decryptBlock(VOLUME_KEY, block, image.read(block)));
            }
          }
        });
    assertTrue(found[0], "no content found under the key");
  }

  /** Not even the epoch. */
  @Test
  void anotherKey_orNone_orOneForAPlainVolume_isRefusedAndNothingIsTouched() {
    SimWorld world = formatted();
    StoreFixture store = opened(world, 2);
    store.put(20, content(20, 9000));
    SimWorld next = world.crashAndReopen();
    long before = next.disk().contents().digest();
    refused(next, key(3), "opens none of the 1 key slots");
    assertEquals(before, next.disk().contents().digest());
    refused(next, null, "is encrypted, and no key was given");
    assertEquals(before, next.disk().contents().digest());
    refused(next, KeyMaterial.ofPassphrase("horse".getBytes(UTF_8)), "opens none of the 1");
    assertEquals(before, next.disk().contents().digest());
    assertArrayEquals(content(20, 9000), opened(next, 2).read(20));

    SimWorld plain = SimWorld.ofBlocks(6, 400).closesUnchecked("nothing is opened");
    StoreFixture.format(plain);
    long plainBefore = plain.disk().contents().digest();
    refused(plain, key(2), "is not encrypted, and a key was given");
    assertEquals(plainBefore, plain.disk().contents().digest());
  }

  private static void refused(SimWorld world, @Nullable KeyMaterial material, String words) {
    Completion<Store> completion = open(world, material, Faults.NONE);
    Failure why = assertInstanceOf(Completion.Failed.class, completion).failure();
    assertInstanceOf(Failure.Invalid.class, why);
    assertTrue(why.message().contains(words), why.message());
  }

  private static KeySlots slots(DiskImage image, int copy) {
    long block = LAYOUT.superblock(copy);
    return assertInstanceOf(
            SuperblockCodec.Found.Valid.class,
            SuperblockCodec.decode(ByteBuffer.wrap(image.read(block)), block))
        .superblock()
        .keySlots();
  }

  /** The image that only syncs have made sure of: everything else is lost. */
  private static int copiesThatOpen(SimWorld world, long key) {
    int open = 0;
    for (int fate = 0; fate < 10; fate++) {
      DiskImage image = world.disk().crashImage(new SplittableRandom(fate));
      for (int copy = 0; copy < VolumeLayout.SUPERBLOCK_COPIES; copy++) {
        open += slots(image, copy).open(key(key)) == null ? 0 : 1;
      }
    }
    return open;
  }

  private static Completion<KeySlots> change(StoreFixture store, KeyChange change) {
    Completion<KeySlots> changed =
        store.world().await(port -> store.store().keys().change(change, port));
    if (changed == null) {
      throw new AssertionError("crashed");
    }
    return changed;
  }

  @Test
  void aKeyThatWasReplaced_isInNoCopy_andAnotherOpensWhatWasWritten() {
    SimWorld world = formatted();
    StoreFixture store = opened(world, 2);
    store.put(20, content(20, 50_000));
    assertEquals(40, copiesThatOpen(world, 2));
    long written = world.disk().counters().of(dev.upcall.io.DiskOperation.WRITE).bytes();
    assertInstanceOf(Completion.Done.class, change(store, new KeyChange.Replace(key(9), salt(4))));
    long rotating = world.disk().counters().of(dev.upcall.io.DiskOperation.WRITE).bytes() - written;
    assertTrue(rotating < 300_000, "bytes written for a new key: " + rotating);
    assertEquals(0, copiesThatOpen(world, 2));
    assertEquals(40, copiesThatOpen(world, 9));
    SimWorld next = world.crashAndReopen();
    refused(next, key(2), "opens none");
    assertArrayEquals(content(20, 50_000), opened(next, 9).read(20));
  }

  /**
   * One of the two keys opens it, whenever the power fails; the old one no more once it is told.
   */
  @Test
  void aChangeOfKeysThatIsCutOff_leavesOneKeyThatOpens() {
    long steps = Long.MAX_VALUE;
    int old = 0;
    int tried = 0;
    for (long step = 1; step <= steps; step += 2) {
      SimWorld world = formatted();
      StoreFixture store = opened(world, 2);
      store.put(20, content(20, 5000));
      long before = world.disk().steps();
      world.disk().setFaults(FaultPlan.NONE.withCrashAt(before + step));
      Completion<KeySlots> changed =
          world.await(
              port -> store.store().keys().change(new KeyChange.Replace(key(9), salt(4)), port));
      boolean told = changed instanceof Completion.Done<KeySlots>;
      steps = told ? world.disk().steps() - before : steps;
      world.disk().setFaults(FaultPlan.NONE);
      SimWorld next = world.crashAndReopen();
      boolean byOld = open(next, key(2), Faults.NONE) instanceof Completion.Done<Store>;
      assertFalse(told && byOld, "opened by a key that was replaced");
      SimWorld last = next.crashAndReopen();
      assertArrayEquals(content(20, 5000), opened(last, byOld ? 2 : 9).read(20));
      old += byOld ? 1 : 0;
      tried++;
    }
    assertTrue(old > 5 && tried - old >= 1, old + " of " + tried + " by the old key");
  }

  @Test
  void aKeyThatIsLeftInOneCopy_isNoticed() {
    SimWorld world = formatted();
    Faults faults =
        new Faults() {
          @Override
          public boolean has(Enum<?> fault) {
            return fault == VolumeFault.KEY_LEFT_IN_ONE_COPY;
          }
        };
    StoreFixture store =
        StoreFixture.of(
            world,
            (Store) assertInstanceOf(Completion.Done.class, open(world, key(2), faults)).value());
    change(store, new KeyChange.Replace(key(9), salt(4)));
    assertEquals(10, copiesThatOpen(world, 2));
  }

  @Test
  void severalKeys_oneIsRemoved_allAreDestroyed() {
    SimWorld world = formatted();
    StoreFixture store = opened(world, 2);
    store.put(20, content(20, 5000));
    change(store, new KeyChange.Add(key(9), salt(4)));
    assertEquals(0, store.store().keys().opened());
    assertEquals(2, store.store().keys().slots().used());
    SimWorld next = world.crashAndReopen();
    StoreFixture second = opened(next, 9);
    assertEquals(1, second.store().keys().opened());
    assertInstanceOf(Completion.Done.class, change(second, new KeyChange.Remove(0)));
    assertInstanceOf(Completion.Failed.class, change(second, new KeyChange.Remove(1)));
    refused(next.crashAndReopen(), key(2), "opens none of the 1");
    SimWorld third = next.reopen(next.disk().contents());
    StoreFixture last = opened(third, 9);
    assertInstanceOf(Completion.Done.class, change(last, new KeyChange.Destroy()));
    assertEquals(Completion.done(), last.put(21, content(21, 100)));
    third.<Unit>get(last.store()::close);
    SimWorld gone = third.reopen(third.disk().contents());
    refused(gone, key(9), "all keys of sim were destroyed");
  }

  @Test
  void changesOfKeysComeOneByOne_andNotOfAPlainStore() {
    SimWorld world = formatted();
    StoreFixture store = opened(world, 2);
    Object[] completions = {null, null};
    store.store().keys().change(new KeyChange.Add(key(9), salt(1)), done -> completions[0] = done);
    store.store().keys().change(new KeyChange.Add(key(8), salt(2)), done -> completions[1] = done);
    assertTrue(world.runUntil(() -> completions[0] != null && completions[1] != null));
    assertInstanceOf(Completion.Done.class, completions[0]);
    assertInstanceOf(
        Failure.Conflict.class,
        assertInstanceOf(Completion.Failed.class, completions[1]).failure());
    SimWorld plain = SimWorld.ofBlocks(6, 400).closesUnchecked("nothing is written");
    StoreFixture.format(plain);
    StoreFixture other =
        StoreFixture.of(
            plain,
            (Store)
                assertInstanceOf(Completion.Done.class, open(plain, null, Faults.NONE)).value());
    Completion<KeySlots> none = change(other, new KeyChange.Destroy());
    assertInstanceOf(
        Failure.Invalid.class, assertInstanceOf(Completion.Failed.class, none).failure());
    assertEquals(KeySlots.NONE, other.store().keys().slots());
    assertEquals(-1, other.store().keys().opened());
  }
}
