package dev.upcall.buffer;

import dev.upcall.base.Invariants;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Faults;
import dev.upcall.io.Disk;
import dev.upcall.io.IoClass;
import dev.upcall.space.Extent;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Starts loads and knows those in flight. */
final class Loader {
  private final Parts parts;
  private final Runnable idle;
  private final Set<Load> inFlight = new LinkedHashSet<>();
  private int blocksInFlight;
  private long loads;
  private long loadedBlocks;
  private long failed;
  private long corruptFrames;

  /**
   * What a loader works with.
   *
   * @param faults in which ways it is broken on purpose
   */
  record Parts(
      Dispatcher dispatcher, Disk disk, SlabMemory memory, FrameCache cache, Faults faults) {}

  /**
   * A loader with nothing in flight.
   *
   * @param idle told when the last load in flight has ended
   */
  Loader(Parts parts, Runnable idle) {
    this.parts = parts;
    this.idle = idle;
  }

  /**
   * Reads into claimed frames with as few requests as possible. They can be found from now on.
   *
   * @param claimed in order of their addresses, each already assigned to its place in the run
   */
  void start(BlockRun run, List<Frame> claimed, IoClass ioClass) {
    for (int from = 0; from < claimed.size(); ) {
      int to = from + 1;
      while (to < claimed.size()
          && claimed.get(to).firstBlock() == claimed.get(to - 1).end()
          && fits(claimed.get(from), claimed.get(to))) {
        to++;
      }
      Load load = new Load(this, run, new ArrayList<>(claimed.subList(from, to)));
      for (Frame frame : claimed.subList(from, to)) {
        parts.cache().startLoading(frame);
      }
      inFlight.add(load);
      blocksInFlight += load.blocks();
      loads++;
      loadedBlocks += load.blocks();
      load.start(ioClass);
      from = to;
    }
  }

  void ended(Load load, boolean refused) {
    inFlight.remove(load);
    blocksInFlight -= load.blocks();
    if (refused) {
      failed++;
    }
    if (inFlight.isEmpty()) {
      Invariants.check(blocksInFlight == 0, "blocks in flight without a load", blocksInFlight);
      idle.run();
    }
  }

  /** Whether a read of any of these blocks is on its way. */
  boolean isReading(Extent extent) {
    for (Load load : inFlight) {
      if (load.overlaps(extent)) {
        return true;
      }
    }
    return false;
  }

  boolean isIdle() {
    return inFlight.isEmpty();
  }

  int blocksInFlight() {
    return blocksInFlight;
  }

  void countCorrupt() {
    corruptFrames++;
  }

  long loads() {
    return loads;
  }

  long loadedBlocks() {
    return loadedBlocks;
  }

  long failed() {
    return failed;
  }

  long corruptFrames() {
    return corruptFrames;
  }

  Parts parts() {
    return parts;
  }

  private static boolean fits(Frame first, Frame last) {
    return (last.end() - first.firstBlock()) * Disk.BLOCK_BYTES <= Disk.MAX_TRANSFER_BYTES;
  }
}
