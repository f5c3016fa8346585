package dev.upcall.sim.store;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.io.Disk;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.OneCopyDisk;
import dev.upcall.sim.store.model.SimInspection;
import dev.upcall.sim.store.model.SimModel;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.volume.VolumeLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A closed volume again, with one block of it decayed, or its first two overwritten: all is right
 * or said to be corrupt.
 */
public final class SimDecay {
  private static final int IMAGES = 3;

  /** Of the blocks of the map, of trees and content; of superblocks and log all are. */
  private static final int LOOKED_AT_ONE_IN = 8;

  private final SimMachine machine;
  private final SimModel model;
  private final SplittableRandom random;

  SimDecay(SimMachine machine, SimModel model) {
    this.machine = machine;
    this.model = model;
    this.random = machine.random();
  }

  /** Opens the volume with one bit of one block decayed, a few times. */
  void check() {
    machine.resetMemory();
    List<Long> blocks = new ArrayList<>();
    machine.world().disk().contents().forEachWritten(blocks::add);
    DiskImage image = machine.world().disk().contents().fork();
    for (int i = 0; i < IMAGES; i++) {
      long block = blocks.get(random.nextInt(blocks.size()));
      DiskImage rotten = image.fork();
      rotten.flipBit(block, random.nextInt(8 * Disk.BLOCK_BYTES));
      machine.restart(rotten);
      machine.tell("block " + block + " decayed");
      open(block);
    }
    decayEntries(image, blocks);
    machine.restart(image.fork());
    openWithoutFront(random.nextBoolean());
  }

  /** A page of entries may have one copy: the volume opens without what is in it. */
  private void decayEntries(DiskImage image, List<Long> blocks) {
    SplittableRandom chance = machine.chances().leaves();
    List<Long> leaves = blocks.stream().filter(block -> isLeafOfEntries(image, block)).toList();
    for (int i = 0; i < IMAGES && !leaves.isEmpty(); i++) {
      long block = leaves.get(chance.nextInt(leaves.size()));
      DiskImage rotten = image.fork();
      rotten.flipBit(block, chance.nextInt(8 * Disk.BLOCK_BYTES));
      machine.restart(rotten);
      machine.tell("page of entries in block " + block + " decayed");
      SimInspection.checkThat(
          judge(machine.open(), block) != Verdict.VOLUME_CORRUPT, "not opened without a leaf");
    }
  }

  /** Whether a block was written as a page of entries; of an encrypted volume nobody knows. */
  public static boolean isLeafOfEntries(DiskImage image, long block) {
    ByteBuffer bytes = ByteBuffer.wrap(image.read(block)).order(ByteOrder.LITTLE_ENDIAN);
    return bytes.getInt(0) == OneCopyDisk.TREE_PAGE
        && bytes.getInt(24) == StoreTree.ENTRIES.number()
        && bytes.getShort(28) == 0;
  }

  /**
   * Opens the volume after something else has written over its first two blocks: nothing there says
   * that it is a volume, and two whole superblock copies are left. Where other bytes lie there, it
   * may be a volume that was given up: unless told so, it must not be written.
   *
   * @param zeros whether those blocks hold zeros, or other bytes
   */
  Verdict openWithoutFront(boolean zeros) {
    DiskImage image = machine.world().disk().contents().fork();
    for (long block = 0; block < 2; block++) {
      byte[] foreign = new byte[Disk.BLOCK_BYTES];
      if (!zeros) {
        random.nextBytes(foreign);
      }
      image.put(block, foreign);
    }
    machine.restart(image);
    machine.tell("the first two blocks hold " + (zeros ? "zeros" : "other bytes"));
    new SimReadOnly(machine, model).look();
    machine.restart(image.fork());
    new SimReadOnly(machine, model).lookAtDamaged();
    if (!zeros) {
      checkRefused(image);
    }
    Verdict verdict = judge(zeros ? machine.open() : machine.openFrontLost(), 0);
    SimInspection.checkThat(verdict == Verdict.HEALED, "two superblock copies were left");
    return verdict;
  }

  private void checkRefused(DiskImage image) {
    Completion<Store> refused = machine.openRefused();
    SimInspection.checkThat(
        refused instanceof Completion.Failed<Store>(Failure.Invalid why)
            && why.message().contains("--front-lost"),
        "foreign bytes would be written over: " + refused);
    SimInspection.checkThat(
        machine.world().disk().contents().digest() == image.digest(),
        "a refused volume was changed");
    machine.restart(image.fork());
  }

  /** What came of a damaged block. */
  public enum Verdict {
    /** All is there. */
    HEALED,
    /** One file, or some entries, cannot be read, and that is said. */
    FILE_CORRUPT,
    /** The volume cannot be opened, and that is said. */
    VOLUME_CORRUPT
  }

  /** Opens the volume, one block of which is not what was written last. */
  Verdict open(long block) {
    if (block < machine.plan().layout().mapStart() || block % LOOKED_AT_ONE_IN == 0) {
      new SimReadOnly(machine, model).lookAtDamaged();
    }
    return judge(machine.open(), block);
  }

  private Verdict judge(@Nullable Completion<Store> opened, long block) {
    if (opened instanceof Completion.Done<Store> done) {
      return checkRotten(done.value(), block) == 0 ? Verdict.HEALED : Verdict.FILE_CORRUPT;
    }
    SimInspection.checkCorrupt(opened);
    SimInspection.checkThat(!isSuperblock(block), "one superblock copy of four decayed");
    VolumeLayout layout = machine.plan().layout();
    SimInspection.checkThat(
        block < layout.mapStart() || block >= layout.dataStart(),
        "one block of the free-space map decayed, of which there is another copy");
    if (opened instanceof Completion.Failed<Store>(Failure.Corrupt corrupt)) {
      checkPlace(block, corrupt);
      new SimReadOnly(machine, model).lookAtWhatIsLeft();
    }
    return Verdict.VOLUME_CORRUPT;
  }

  /** Opens the volume, of whose map a chunk is gone with all copies: only for reading. */
  Verdict openWithoutMap() {
    VolumeLayout layout = machine.plan().layout();
    SimInspection.checkThat(
        machine.open() instanceof Completion.Failed<Store>(Failure.Corrupt corrupt)
            && corrupt.offsetBytes() >= layout.mapStart() * Disk.BLOCK_BYTES
            && corrupt.offsetBytes() < layout.dataStart() * Disk.BLOCK_BYTES,
        "opened without its map, or that was not named");
    new SimReadOnly(machine, model).lookAtWhatIsLeft();
    return Verdict.VOLUME_CORRUPT;
  }

  /** Content is named by its block, the log by a batch nearby. */
  private void checkPlace(long block, Failure.Corrupt corrupt) {
    VolumeLayout layout = machine.plan().layout();
    long named = corrupt.offsetBytes() / Disk.BLOCK_BYTES;
    boolean right = block >= layout.dataStart() ? named == block : named < layout.mapStart();
    SimInspection.checkThat(right, "block " + block + " decayed, but " + corrupt.message());
  }

  private boolean isSuperblock(long block) {
    for (int copy = 0; copy < VolumeLayout.SUPERBLOCK_COPIES; copy++) {
      if (machine.plan().layout().superblock(copy) == block) {
        return true;
      }
    }
    return false;
  }

  /**
   * Metadata has two copies, so at most one content is lost, of a file, its clones and those to
   * which ranges of it were copied; or entries of one page, whose values may be content. And said.
   */
  private int checkRotten(Store store, long block) {
    int lostEntries = machine.inspect(store, model).lostEntries();
    Set<Long> lost = machine.inspect(store, model).lostContents();
    lost.removeIf(content -> lostEntries > 0 && content < 0);
    SimInspection.checkThat(lost.isEmpty() || lostEntries == 0, lost + " and entries lost");
    long apart = lost.stream().map(model::kinOf).distinct().count();
    SimInspection.checkThat(apart <= 1, lost + " lost by one decayed block");
    SimInspection.checkThat(
        lost.isEmpty() && lostEntries == 0 || block >= machine.plan().layout().dataStart(),
        "a file lost by a fixed block");
    store.close(closed -> {});
    machine.world().runUntilIdle();
    return lost.size() + lostEntries;
  }
}
