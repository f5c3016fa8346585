package dev.upcall.io.seal;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;

/** A change of the slots of a volume. */
public sealed interface KeyChange {
  /**
   * Another key opens the volume, too.
   *
   * @param salt random, {@link KeySlot#SALT_BYTES}
   */
  record Add(KeyMaterial material, byte[] salt) implements KeyChange {
    @Override
    public String toString() {
      return "a key is added";
    }
  }

  /**
   * Another key opens the volume in the stead of the one that has opened it.
   *
   * @param salt random, {@link KeySlot#SALT_BYTES}
   */
  record Replace(KeyMaterial material, byte[] salt) implements KeyChange {
    @Override
    public String toString() {
      return "a key is replaced";
    }
  }

  /** One slot opens the volume no more; never the last one. */
  record Remove(int slot) implements KeyChange {}

  /** Nothing opens the volume any more, once the store is closed. */
  record Destroy() implements KeyChange {}

  /** Clears what it has of a key. */
  default void close() {
    switch (this) {
      case Add(KeyMaterial material, byte[] _) -> material.close();
      case Replace(KeyMaterial material, byte[] _) -> material.close();
      case Remove _, Destroy _ -> {}
    }
  }

  /**
   * The slots after it. Takes a while where there is a passphrase.
   *
   * @param key the volume's
   * @param own the slot with which the volume was opened
   */
  default Completion<KeySlots> apply(KeySlots slots, VolumeKey key, int own) {
    return switch (this) {
      case Add(KeyMaterial material, byte[] salt) -> {
        int free = slots.free();
        yield free < 0
            ? Completion.failed(
                new Failure.Invalid(
                    "all %d key slots are in use; remove one first".formatted(KeySlots.COUNT)))
            : put(slots, free, key, material, salt);
      }
      case Replace(KeyMaterial material, byte[] salt) ->
          isFree(slots, own)
              ? Completion.failed(
                  new Failure.Invalid(
                      "the key with which the store was opened was removed since; nothing is replaced"))
              : put(slots, own, key, material, salt);
      case Remove(int slot) -> remove(slots, slot);
      case Destroy() -> Completion.done(KeySlots.NONE);
    };
  }

  /** One that opened two slots would open the volume behind the removal of either. */
  private static Completion<KeySlots> put(
      KeySlots slots, int number, VolumeKey key, KeyMaterial material, byte[] salt) {
    KeySlots.Opened opened = slots.open(material);
    if (opened == null) {
      return Completion.done(slots.with(number, KeySlot.wrap(key, material, salt)));
    }
    opened.key().close();
    return Completion.failed(
        new Failure.Invalid(
            "the new key opens slot %d already; nothing is changed".formatted(opened.slot())));
  }

  private static boolean isFree(KeySlots slots, int slot) {
    return slots.slots().get(slot).kind() == KeySlot.Kind.FREE;
  }

  private static Completion<KeySlots> remove(KeySlots slots, int slot) {
    Invariants.check(slot >= 0 && slot < KeySlots.COUNT, "no such slot", slot);
    if (isFree(slots, slot)) {
      return Completion.failed(new Failure.NotFound("a key in slot " + slot));
    }
    if (slots.used() == 1) {
      return Completion.failed(
          new Failure.Invalid(
              "slot %d has the last key; without it nobody could open the store any more"
                  .formatted(slot)));
    }
    return Completion.done(slots.with(slot, KeySlot.FREE));
  }
}
