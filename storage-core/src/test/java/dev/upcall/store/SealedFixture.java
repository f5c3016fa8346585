package dev.upcall.store;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Faults;
import dev.upcall.io.Disk;
import dev.upcall.io.seal.KeyMaterial;
import dev.upcall.io.seal.KeySlot;
import dev.upcall.io.seal.KeySlots;
import dev.upcall.io.seal.Seal;
import dev.upcall.io.seal.VolumeKey;
import dev.upcall.sim.SimWorld;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreOptions;
import dev.upcall.txn.engine.StoreAssembly;
import dev.upcall.txn.engine.Stores;
import dev.upcall.txn.volume.VolumeLayout;
import org.jspecify.annotations.Nullable;

/** Encrypted volumes of the tiny layout. */
public final class SealedFixture {
  private SealedFixture() {}

  /** Formats the world's disk so that the material, which is cleared, opens it. */
  public static void format(SimWorld world, KeyMaterial material, byte[] volumeKey) {
    VolumeLayout layout = StoreFixture.tinyLayout();
    VolumeKey key = new VolumeKey(volumeKey.clone());
    KeySlots slots;
    try (material) {
      slots = KeySlots.of(key, material, new byte[KeySlot.SALT_BYTES]);
    }
    Disk disk = Seal.of(key, layout.superblock(2)).over(world.disk(), world.dispatcher());
    Stores.Format format =
        new Stores.Format(world.seed() | 1, layout, layout.dataStart() + 64, layout.maxBlocks())
            .withKeySlots(slots);
    world.<Unit>get(port -> Stores.format(world.dispatcher(), disk, format, port));
  }

  /** Opens the store on the world's disk, with a key or without; null after a crash. */
  public static @Nullable Completion<Store> open(
      SimWorld world, @Nullable KeyMaterial material, Faults faults) {
    Seal seal = material == null ? null : Seal.lockedBy(material);
    Disk sealed = seal == null ? world.disk() : seal.over(world.disk(), world.dispatcher());
    Disk disk = StoreAssembly.scheduled(sealed, world.dispatcher());
    StoreOptions options = StoreFixture.tinyOptions(world.seed()).withSeal(seal);
    return world.await(port -> Stores.open(world.dispatcher(), disk, options, faults, port));
  }
}
