package dev.upcall.io.seal;

import dev.upcall.base.Invariants;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a superblock: wrapped copies of one volume key, so that each of several keys or
 * passphrases opens the volume. Where all are free nobody opens it any more.
 *
 * @param slots {@link #COUNT} of them
 */
public record KeySlots(List<KeySlot> slots) {
  /** How many there are. */
  public static final int COUNT = 8;

  /** Bytes of all. */
  public static final int BYTES = COUNT * KeySlot.BYTES;

  /** All are free: those of a volume that is not encrypted, or whose keys were destroyed. */
  public static final KeySlots NONE = new KeySlots(Collections.nCopies(COUNT, KeySlot.FREE));

  /** Checks the number. */
  public KeySlots {
    slots = List.copyOf(slots);
    Invariants.check(slots.size() == COUNT, "slots", slots.size());
  }

  /** A volume's key and the slot in which it was found. */
  public record Opened(VolumeKey key, int slot) {}

  /** The slots of a new volume: one. Takes a while for a passphrase. */
  public static KeySlots of(VolumeKey key, KeyMaterial material, byte[] salt) {
    return NONE.with(0, KeySlot.wrap(key, material, salt));
  }

  /** The slots in a superblock, from a position on. */
  public static KeySlots at(ByteBuffer block, int position) {
    List<KeySlot> slots = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      slots.add(KeySlot.at(block, position + i * KeySlot.BYTES));
    }
    return new KeySlots(slots);
  }

  /** Writes them into a superblock, from a position on. */
  public void write(ByteBuffer block, int position) {
    for (int i = 0; i < COUNT; i++) {
      slots.get(i).write(block, position + i * KeySlot.BYTES);
    }
  }

  /** Why these bytes are no slots, or null. */
  public @Nullable String flaw() {
    for (int i = 0; i < COUNT; i++) {
      String flaw = slots.get(i).flaw();
      if (flaw != null) {
        return "key slot %d has %s".formatted(i, flaw);
      }
    }
    return null;
  }

  /** How many can be opened with something. */
  public int used() {
    return COUNT - Collections.frequency(slots, KeySlot.FREE);
  }

  /** The first free one, or -1. */
  int free() {
    return slots.indexOf(KeySlot.FREE);
  }

  KeySlots with(int number, KeySlot slot) {
    List<KeySlot> changed = new ArrayList<>(slots);
    changed.set(number, slot);
    return new KeySlots(changed);
  }

  /**
   * The volume's key, or null where this opens none of them. Takes a while for a passphrase: not on
   * a dispatcher's thread.
   */
  public @Nullable Opened open(KeyMaterial material) {
    for (int i = 0; i < COUNT; i++) {
      VolumeKey key = slots.get(i).unwrap(material);
      if (key != null) {
        return new Opened(key, i);
      }
    }
    return null;
  }
}
