package dev.upcall.io.seal;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.BlockDevice;
import dev.upcall.io.Disk;
import dev.upcall.io.volume.HelperThread;
import org.jspecify.annotations.Nullable;

/**
 * The encryption of one volume while it is open: which blocks are in clear, and the key of all
 * others. A seal is given to the disk before anything is read. Until it is opened with what the
 * superblock says, the disk passes reads on as they are, which is how the superblock is read, and
 * takes no writes.
 *
 * <p>The thread that opens the volume, then its dispatcher's; other threads once the store is open.
 */
public final class Seal {
  /** The memory that writes on their way to the device take while a volume is sealed. */
  public static final int SCRATCH_BYTES = 4 << 20;

  /** Superblock copies at the volume's start, and what lies beside them. */
  private static final long FRONT_BLOCKS = 4;

  private static final int BACK_BLOCKS = 2;

  private @Nullable KeyMaterial material;
  private @Nullable VolumeKey key;
  private long back;
  private int slot;

  private Seal(@Nullable KeyMaterial material) {
    this.material = material;
  }

  /** Of a volume that is there. The seal owns the material, and clears it once it was tried. */
  public static Seal lockedBy(KeyMaterial material) {
    return new Seal(material);
  }

  /**
   * Of a volume that is to be made. The seal owns the key.
   *
   * @param back the first of the two superblock copies behind the log
   */
  public static Seal of(VolumeKey key, long back) {
    Seal seal = new Seal(null);
    seal.open(new KeySlots.Opened(key, 0), back);
    return seal;
  }

  /**
   * Tries the slots on a helper thread. Failures: {@code Invalid} (it is not the key of the volume,
   * or all of its keys were destroyed), {@code Busy} (there is no thread).
   *
   * @param volume its name in messages
   * @param back the first of the two superblock copies behind the log
   */
  public void open(
      Dispatcher dispatcher, String volume, KeySlots slots, long back, CompletionPort<Unit> port) {
    KeyMaterial tried = Invariants.present(material, "a key that was not tried");
    material = null;
    HelperThread.<KeySlots.Opened>run(
        dispatcher,
        "opening the seal of " + volume,
        () -> {
          try (tried) {
            KeySlots.Opened opened = slots.open(tried);
            if (opened == null) {
              return Completion.failed(refusal(volume, slots));
            }
            // Here, because the first cipher of a process takes long.
            opened.key().newCipher();
            return Completion.done(opened);
          }
        },
        port.then(
            opened -> {
              open(opened, back);
              port.complete(Completion.done());
            }));
  }

  private static Failure refusal(String volume, KeySlots slots) {
    int used = slots.used();
    return new Failure.Invalid(
        used == 0
            ? "all keys of %s were destroyed: nothing can read it any more".formatted(volume)
            : "the key that was given opens none of the %d key slots of %s; nothing was changed"
                .formatted(used, volume));
  }

  /**
   * Why a volume does not open with a key that it has no use for, or without one.
   *
   * @param isSealed whether it is encrypted
   */
  public static Failure refusal(String volume, boolean isSealed) {
    return new Failure.Invalid(
        isSealed
            ? volume
                + " is encrypted, and no key was given (withKey, --key-file); nothing was changed"
            : volume
                + " is not encrypted, and a key was given; open it without; nothing was changed");
  }

  private void open(KeySlots.Opened opened, long backCopies) {
    Invariants.check(key == null, "a seal opened twice");
    key = opened.key();
    slot = opened.slot();
    back = backCopies;
  }

  /** Whether blocks can be read and written. */
  public boolean isOpen() {
    return key != null;
  }

  /** The slot with which it was opened. */
  public int slot() {
    return slot;
  }

  VolumeKey key() {
    return Invariants.present(key, "the key of an open seal");
  }

  /**
   * Works out what the slots are after a change, on a helper thread. Failures: those of the change,
   * {@code Busy}.
   */
  public void change(
      Dispatcher dispatcher, KeySlots slots, KeyChange change, CompletionPort<KeySlots> port) {
    VolumeKey present = key();
    HelperThread.run(
        dispatcher,
        "changing keys",
        () -> {
          try {
            return change.apply(slots, present, slot);
          } finally {
            change.close();
          }
        },
        port);
  }

  /** A cipher for one thread at a time. */
  Xts newCipher() {
    return key().newCipher();
  }

  /** Whether a block is in clear; before the seal is open, whether it is passed on as it is. */
  boolean isClear(long block) {
    return key == null || block < FRONT_BLOCKS || (block >= back && block < back + BACK_BLOCKS);
  }

  /** Whether all of these are. */
  boolean isClear(long block, long blocks) {
    if (key == null) {
      return true;
    }
    for (long at = block; at < block + blocks; at++) {
      if (!isClear(at)) {
        return false;
      }
    }
    return true;
  }

  /** A disk whose blocks are sealed from here on; it closes the disk and the seal. */
  public Disk over(Disk disk, Dispatcher dispatcher) {
    return new SealedDisk(disk, dispatcher, this, SCRATCH_BYTES / Disk.BLOCK_BYTES);
  }

  /** The same of a device for threads. */
  public BlockDevice over(BlockDevice device) {
    return new SealedDevice(device, this, SCRATCH_BYTES / Disk.BLOCK_BYTES);
  }

  /** Forgets the key. Nothing may be under way. */
  public void close() {
    KeyMaterial untried = material;
    if (untried != null) {
      untried.close();
    }
    VolumeKey present = key;
    if (present != null) {
      present.close();
    }
  }

  @Override
  public String toString() {
    return "a seal";
  }
}
