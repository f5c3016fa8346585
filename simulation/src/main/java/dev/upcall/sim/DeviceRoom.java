package dev.upcall.sim;

import dev.upcall.completion.Failure;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Room on a simulated device: how much there is, and what the volume takes of it. */
final class DeviceRoom {
  private final CrashModel model;
  private final Faults faults;

  /** Blocks of the volume that take no room. */
  private final BitSet holes = new BitSet();

  private long capacityBlocks;

  DeviceRoom(long capacityBlocks, CrashModel model, Faults faults) {
    this.capacityBlocks = capacityBlocks;
    this.model = model;
    this.faults = faults;
  }

  void setCapacity(long blocks) {
    capacityBlocks = blocks;
  }

  /** The machine was off: what was never written has no room any more, even if it was allocated. */
  void forget() {
    holes.set(0, (int) sizeBlocks());
    model.current().forEachWritten(block -> holes.clear((int) block));
  }

  /** The volume's size without its holes. */
  long usedBlocks() {
    return sizeBlocks() - holes.cardinality();
  }

  private long sizeBlocks() {
    return model.current().sizeBlocks();
  }

  /**
   * Takes the room that a request needs, or gives back what it frees; a failure if there is none.
   */
  @Nullable Failure take(DiskRequest request) {
    int first = (int) request.firstBlock();
    int end = first + (int) request.blocks();
    return switch (request) {
      case DiskRequest.Write write -> fill(first, end, 0);
      case DiskRequest.DurableWrite write -> fill(first, end, 0);
      case DiskRequest.Allocate allocate -> fill(first, end, Math.max(0, end - sizeBlocks()));
      case DiskRequest.Discard discard -> {
        holes.set(first, end);
        yield null;
      }
      case DiskRequest.Shrink shrink -> {
        holes.clear((int) shrink.blocks(), Integer.MAX_VALUE);
        yield null;
      }
      case DiskRequest.Read read -> null;
      case DiskRequest.Sync _, DiskRequest.Stat _ -> null;
    };
  }

  /** Blocks [first, end) get room, some of them behind the volume's end. */
  private @Nullable Failure fill(int first, int end, long grownBlocks) {
    long needed = grownBlocks + holes.get(first, end).cardinality();
    long free = capacityBlocks - usedBlocks();
    if (needed > 0 && (faults.hidesRoom() || needed > free)) {
      faults.wasFull();
      return new Failure.VolumeFull(
          needed * Disk.BLOCK_BYTES,
          Math.max(0, free) * Disk.BLOCK_BYTES,
          0,
          "the simulated device");
    }
    holes.clear(first, end);
    return null;
  }
}
