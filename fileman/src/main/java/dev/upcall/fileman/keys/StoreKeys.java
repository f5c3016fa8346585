package dev.upcall.fileman.keys;

import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.config.KeySource;
import dev.upcall.fileman.engine.EngineUpcall;
import dev.upcall.io.seal.KeyChange;
import dev.upcall.io.seal.KeySlot;
import dev.upcall.io.seal.KeySlots;
import dev.upcall.txn.VolumeKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The keys of an open store, whichever engine it has. Keys are read on the calling thread. */
public final class StoreKeys implements Upcall.Keys {
  private final EngineUpcall store;

  /** Those of a store. */
  public StoreKeys(EngineUpcall store) {
    this.store = store;
  }

  @Override
  public List<Slot> slots() {
    return UpcallException.value(
        store.amongMachines(
            (files, port) ->
                files.dispatcher().complete(port, Completion.done(slots(files.store().keys())))));
  }

  private static List<Slot> slots(VolumeKeys keys) {
    List<Slot> slots = new ArrayList<>();
    List<KeySlot> all = keys.slots().slots();
    for (int number = 0; number < all.size(); number++) {
      KeySlot.Kind kind = all.get(number).kind();
      if (kind != KeySlot.Kind.FREE) {
        slots.add(new Slot(number, kind == KeySlot.Kind.PASSPHRASE, number == keys.opened()));
      }
    }
    return List.copyOf(slots);
  }

  @Override
  public void add(KeySource source) {
    change(
        new KeyChange.Add(
            KeyReader.readNew(Objects.requireNonNull(source, "source")), KeyReader.salt()));
  }

  @Override
  public void rotate(KeySource source) {
    change(
        new KeyChange.Replace(
            KeyReader.readNew(Objects.requireNonNull(source, "source")), KeyReader.salt()));
  }

  @Override
  public void remove(int number) {
    if (number < 0 || number >= KeySlots.COUNT) {
      throw new IllegalArgumentException(
          "number is %d, must be 0 to %d".formatted(number, KeySlots.COUNT - 1));
    }
    change(new KeyChange.Remove(number));
  }

  @Override
  public void destroyAll() {
    change(new KeyChange.Destroy());
  }

  private void change(KeyChange change) {
    UpcallException.<KeySlots>value(
        store.amongMachines((files, port) -> files.store().keys().change(change, port)));
  }
}
