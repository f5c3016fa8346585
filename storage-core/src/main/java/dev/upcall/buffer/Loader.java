package dev.upcall.buffer;

import dev.upcall.base.Invariants;
import dev.upcall.coding.Coding;
import dev.upcall.coding.StoredUnit;
import dev.upcall.completion.Failure;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Faults;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.io.Disk;
import dev.upcall.io.IoClass;
import dev.upcall.space.Extent;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Starts loads and knows those in flight. */
final class Loader {
  /** So many stored units are in memory at once, up to 60 KiB each, beside the frames. */
  private static final int UNITS_AT_ONCE = 32;

  private final Parts parts;
  private final Runnable idle;
  private final Set<Load> inFlight = new LinkedHashSet<>();
  private final Set<UnitLoad> unitsInFlight = new LinkedHashSet<>();
  private final ArrayDeque<UnitLoad> unitsWaiting = new ArrayDeque<>();
  private final ArrayDeque<ByteBuffer> unitMemory = new ArrayDeque<>();
  private final int joined;
  private int unitMemoryMade;
  private int blocksInFlight;
  private long loads;
  private long loadedBlocks;
  private long failed;
  private long corruptFrames;

  /**
   * What a loader works with.
   *
   * @param coding what decodes units, and where
   * @param faults in which ways it is broken on purpose
   */
  record Parts(
      Dispatcher dispatcher,
      Disk disk,
      SlabMemory memory,
      FrameCache cache,
      Coding coding,
      Faults faults) {}

  /**
   * A loader with nothing in flight.
   *
   * @param idle told when the last load in flight has ended
   */
  Loader(Parts parts, Runnable idle) {
    this.parts = parts;
    this.idle = idle;
    this.joined = parts.dispatcher().recorder().name("load");
  }

  /**
   * Reads into claimed frames with as few requests as possible. They can be found from now on.
   *
   * @param claimed in order of their addresses, each already assigned to its place in the run
   */
  void start(BlockRun run, List<Frame> claimed, IoClass ioClass) {
    if (run.unit() != null) {
      claimed.forEach(frame -> startUnit(run, frame, ioClass));
      return;
    }
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

  private void startUnit(BlockRun run, Frame frame, IoClass ioClass) {
    UnitLoad load = new UnitLoad(this, run, frame, ioClass);
    parts.cache().startLoading(frame);
    unitsInFlight.add(load);
    blocksInFlight += load.blocks();
    loads++;
    loadedBlocks += load.blocks();
    ByteBuffer memory = unitMemory.pollFirst();
    if (memory == null && unitMemoryMade < UNITS_AT_ONCE) {
      unitMemoryMade++;
      memory = Disk.newBuffer((StoredUnit.MAX_BLOCKS - 1) * Disk.BLOCK_BYTES);
    }
    if (memory == null) {
      unitsWaiting.addLast(load);
    } else {
      load.start(memory);
    }
  }

  void ended(UnitLoad load, ByteBuffer memory, boolean refused) {
    unitsInFlight.remove(load);
    UnitLoad next = unitsWaiting.pollFirst();
    if (next == null) {
      unitMemory.addFirst(memory);
    } else {
      next.start(memory);
    }
    ended(load.blocks(), refused);
  }

  void ended(Load load, boolean refused) {
    inFlight.remove(load);
    ended(load.blocks(), refused);
  }

  private void ended(int blocks, boolean refused) {
    blocksInFlight -= blocks;
    if (refused) {
      failed++;
    }
    if (isIdle()) {
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
    for (UnitLoad load : unitsInFlight) {
      if (load.overlaps(extent)) {
        return true;
      }
    }
    return false;
  }

  boolean isIdle() {
    return inFlight.isEmpty() && unitsInFlight.isEmpty();
  }

  /** A frame holds the content of a run, or never will: all who wait for it hear of that. */
  void settle(Frame frame, BlockRun run, @Nullable Failure failure) {
    if (failure == null) {
      parts.cache().loaded(frame, run);
    } else {
      parts.cache().loadFailed(frame);
    }
    for (ReadRequest read : frame.takeWaiting()) {
      settle(read, frame, failure);
    }
    parts.cache().unpin(frame);
  }

  /** For who asked for the load, or waits for it because another did. */
  private void settle(ReadRequest read, Frame frame, @Nullable Failure failure) {
    FlightRecorder recorder = parts.dispatcher().recorder();
    long own = recorder.current();
    recorder.join(joined, read.asker());
    recorder.serve(read.asker());
    read.frameSettled(frame, failure);
    recorder.serve(own);
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
