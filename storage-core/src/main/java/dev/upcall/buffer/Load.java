package dev.upcall.buffer;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.space.Extent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One request to the disk that fills adjacent frames, and the comparison of what came with the
 * checksums. It holds a pin on each of its frames until that frame is settled, so it goes on to its
 * end whether or not anybody still waits.
 */
final class Load extends StateMachine<Load.State> {
  /** Where a load stands. */
  enum State {
    /** The disk is at work. */
    READING,
    /** The bytes have arrived; checksums are being compared, a slice at a time. */
    VERIFYING,
    /** All frames are valid or have been given up. */
    SETTLED
  }

  static final Transitions<State> TRANSITIONS =
      Transitions.of("Load", State.class, State.READING)
          .on("read", State.READING, State.VERIFYING)
          .on("read failed", State.READING, State.SETTLED)
          .on("all frames compared", State.VERIFYING, State.SETTLED)
          .build();

  /** How much one upcall checksums: 64 blocks take about 10 to 25 microseconds. */
  static final int SLICE_BLOCKS = 64;

  private final Loader loader;
  private final Loader.Parts parts;
  private final BlockRun run;
  private final List<Frame> frames;
  private final Extent extent;
  private final CRC32C crc = new CRC32C();
  private int verified;

  /** A load of adjacent frames in order of their addresses, all inside the run. */
  Load(Loader loader, BlockRun run, List<Frame> frames) {
    super(TRANSITIONS, loader.parts().dispatcher());
    this.loader = loader;
    this.parts = loader.parts();
    this.run = run;
    this.frames = frames;
    // A frame may be another content's as soon as it is settled, while others are still compared.
    long first = frames.getFirst().firstBlock();
    this.extent = new Extent(first, frames.getLast().end() - first);
  }

  void start(IoClass ioClass) {
    List<ByteBuffer> into = new ArrayList<>(frames.size());
    for (Frame frame : frames) {
      into.add(parts.memory().bytesOf(frame.page, frame.blocks()));
    }
    parts.disk().submit(new DiskRequest.Read(extent.block(), into, ioClass, this::arrived));
  }

  int blocks() {
    return Math.toIntExact(extent.blocks());
  }

  boolean overlaps(Extent other) {
    return extent.block() < other.end() && other.block() < extent.end();
  }

  private void arrived(Completion<Unit> completion) {
    switch (completion) {
      case Completion.Done<Unit> done -> {
        become(State.VERIFYING);
        verifySlice();
      }
      case Completion.Failed<Unit> failed -> {
        become(State.SETTLED);
        for (Frame frame : frames) {
          loader.settle(frame, run, failed.failure());
        }
        loader.ended(this, true);
      }
    }
  }

  private void verifySlice() {
    int left = SLICE_BLOCKS;
    while (verified < frames.size() && left > 0) {
      Frame frame = frames.get(verified);
      loader.settle(frame, run, compare(frame));
      left -= frame.blocks();
      verified++;
    }
    if (verified < frames.size()) {
      parts.dispatcher().post(this::verifySlice);
    } else {
      become(State.SETTLED);
      loader.ended(this, false);
    }
  }

  private @Nullable Failure compare(Frame frame) {
    ByteBuffer bytes = parts.memory().bytesOf(frame.page, frame.blocks());
    for (int i = 0; i < frame.blocks(); i++) {
      crc.reset();
      bytes.limit((i + 1) * Disk.BLOCK_BYTES).position(i * Disk.BLOCK_BYTES);
      crc.update(bytes);
      long block = frame.firstBlock() + i;
      long expected = run.crcOf(block) & 0xFFFF_FFFFL;
      if (crc.getValue() != expected && !parts.faults().has(BufferFault.CHECKSUM_NOT_CHECKED)) {
        return wrong(frame, block, expected, crc.getValue());
      }
    }
    return null;
  }

  private Failure wrong(Frame frame, long block, long expected, long found) {
    if (frame.is(Frame.State.DETACHED)) {
      // The blocks were freed while they were read, and may hold something else by now: no error
      // of the disk.
      return new Failure.Conflict("the content was freed while it was being read");
    }
    loader.countCorrupt();
    return new Failure.Corrupt(
        parts.disk().name(), "content", block * Disk.BLOCK_BYTES, expected, found);
  }
}
