package dev.upcall.sim.store;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.io.Disk;
import dev.upcall.io.seal.KeyChange;
import dev.upcall.io.seal.KeyMaterial;
import dev.upcall.io.seal.KeySlot;
import dev.upcall.io.seal.KeySlots;
import dev.upcall.io.seal.Seal;
import dev.upcall.io.seal.VolumeKey;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.SimWorld;
import dev.upcall.sim.store.model.SimInspection;
import dev.upcall.sim.store.plan.SimPlan;
import dev.upcall.txn.Store;
import dev.upcall.txn.volume.SuperblockCodec;
import dev.upcall.txn.volume.VolumeLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The keys of an encrypted volume in a lifetime, and the judge of what is on its device: which
 * blocks show plain text, and which superblock copies a key opens.
 */
final class SimSeal {
  private static final int SECTOR_BYTES = 512;

  /** As many zeros in a row are in no encrypted sector: one of 2^256 would have them. */
  private static final int ZERO_WORDS = 4;

  private final SplittableRandom random;
  private final VolumeLayout layout;
  private long present = 1;

  SimSeal(SplittableRandom random, VolumeLayout layout) {
    this.random = random;
    this.layout = layout;
  }

  private static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  private static KeyMaterial key(long number) {
    return KeyMaterial.ofKey(bytes(number, KeyMaterial.MIN_KEY_BYTES));
  }

  private byte[] salt() {
    byte[] salt = new byte[KeySlot.SALT_BYTES];
    random.nextBytes(salt);
    return salt;
  }

  void format(SimPlan plan, SimWorld world) {
    VolumeKey key = new VolumeKey(bytes(random.nextLong(), VolumeKey.BYTES));
    KeySlots slots = KeySlots.of(key, key(present), salt());
    Disk sealed = Seal.of(key, layout.superblock(2)).over(world.disk(), world.dispatcher());
    plan.format(world, sealed, slots);
  }

  /** The seal of an opening with the present key. */
  Seal lockedBy() {
    return Seal.lockedBy(key(present));
  }

  /** The same with a key that never was the volume's. */
  static Seal lockedByAnother() {
    return Seal.lockedBy(key(-1));
  }

  /** Whether somebody tries another key now. */
  boolean isTriedInVain() {
    return random.nextInt(4) == 0;
  }

  /** Another key in the stead of the present one, now and then; both, for a while. */
  void changeKeys(Store store, SimWorld world) {
    if (random.nextInt(3) != 0) {
      return;
    }
    long next = present + 1;
    KeyChange change = new KeyChange.Replace(key(next), salt());
    Completion<KeySlots> changed = world.await(port -> store.keys().change(change, port));
    if (changed instanceof Completion.Failed<KeySlots>(Failure why)) {
      // Only room for the checkpoint may be missing.
      SimInspection.checkThat(
          why instanceof Failure.VolumeFull, "keys were not changed: " + why.message());
      return;
    }
    DiskImage survived = world.disk().crashImage(random.split());
    for (int copy = 0; copy < VolumeLayout.SUPERBLOCK_COPIES; copy++) {
      KeySlots slots = slots(survived, copy);
      SimInspection.checkThat(
          slots != null && slots.open(key(present)) == null,
          "copy %d may still be opened with a key that was replaced".formatted(copy));
    }
    present = next;
  }

  private @Nullable KeySlots slots(DiskImage image, int copy) {
    long block = layout.superblock(copy);
    return SuperblockCodec.decode(ByteBuffer.wrap(image.read(block)), block)
            instanceof SuperblockCodec.Found.Valid(var superblock, int _)
        ? superblock.keySlots()
        : null;
  }

  /** Fails if a sealed block shows what no cipher makes. */
  void checkNothingPlain(DiskImage image) {
    image.forEachWritten(
        block -> {
          if (block >= layout.logStart()
              && block != layout.superblock(2)
              && block != layout.superblock(3)) {
            SimInspection.checkThat(
                !showsPlainText(image.read(block)), "plain text in block " + block);
          }
        });
  }

  /** Sectors of zeros are what was never written, also beside those of a write that was torn. */
  private static boolean showsPlainText(byte[] block) {
    ByteBuffer words = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
    for (int sector = 0; sector < block.length; sector += SECTOR_BYTES) {
      int zeros = 0;
      int longest = 0;
      for (int at = sector; at < sector + SECTOR_BYTES; at += Long.BYTES) {
        zeros = words.getLong(at) == 0 ? zeros + 1 : 0;
        longest = Math.max(longest, zeros);
      }
      if (longest >= ZERO_WORDS && longest < SECTOR_BYTES / Long.BYTES) {
        return true;
      }
    }
    return false;
  }
}
