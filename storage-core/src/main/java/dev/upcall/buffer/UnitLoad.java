package dev.upcall.buffer;

import dev.upcall.base.Checksums;
import dev.upcall.base.Invariants;
import dev.upcall.coding.Coding;
import dev.upcall.coding.StoredUnit;
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
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fills a frame with the decoded blocks of a unit: reads what is stored into memory of the {@link
 * Loader}, compares it with its checksums, and has it decoded on a helper thread. It holds a pin on
 * its frame to its end, like a {@link Load}. How large the frame is the entry says, not what is
 * decoded: a unit that would be larger, or is smaller, is {@code Corrupt}.
 */
final class UnitLoad extends StateMachine<UnitLoad.State> {
  /** Where a load stands. */
  enum State {
    /** Others have all memory for stored units. */
    WAITING,
    /** The disk is at work. */
    READING,
    /** The stored bytes are right; a helper decodes them. */
    DECODING,
    /** The frame is valid or has been given up. */
    SETTLED
  }

  static final Transitions<State> TRANSITIONS =
      Transitions.of("UnitLoad", State.class, State.WAITING)
          .on("memory", State.WAITING, State.READING)
          .on("read and compared", State.READING, State.DECODING)
          .on("read failed, or wrong", State.READING, State.SETTLED)
          .on("decoded, or not", State.DECODING, State.SETTLED)
          .build();

  private final Loader loader;
  private final Loader.Parts parts;
  private final BlockRun run;
  private final StoredUnit unit;
  private final Extent extent;
  private final Frame frame;
  private final IoClass ioClass;
  private @Nullable ByteBuffer memory;

  /** A load of a unit into the frame that has the addresses of all its decoded blocks. */
  UnitLoad(Loader loader, BlockRun run, Frame frame, IoClass ioClass) {
    super(TRANSITIONS, loader.parts().dispatcher());
    this.loader = loader;
    this.parts = loader.parts();
    this.run = run;
    this.unit = Invariants.present(run.unit(), "the unit of a run");
    this.extent = unit.extent();
    this.frame = frame;
    this.ioClass = ioClass;
  }

  /** How much it reads. */
  int blocks() {
    return unit.checksums().length;
  }

  boolean overlaps(Extent other) {
    return extent.block() < other.end() && other.block() < extent.end();
  }

  /**
   * Begins to read.
   *
   * @param buffer as long as the longest unit is stored; given back at the end
   */
  void start(ByteBuffer buffer) {
    memory = buffer;
    become(State.READING);
    ByteBuffer into = buffer.slice(0, blocks() * Disk.BLOCK_BYTES);
    parts
        .disk()
        .submit(
            new DiskRequest.Read(
                extent.block(), List.of(into), ioClass, completion -> arrived(completion, into)));
  }

  private void arrived(Completion<Unit> completion, ByteBuffer stored) {
    Failure failure =
        completion instanceof Completion.Failed<Unit>(Failure why) ? why : compare(stored);
    if (failure != null) {
      settle(failure);
      return;
    }
    become(State.DECODING);
    Coding coding = parts.coding();
    ByteBuffer into = parts.memory().bytesOf(frame.page, unit.blocks());
    String device = parts.disk().name();
    coding
        .workers()
        .compute(
            "decoding", 1, () -> coding.codecs().decode(unit, device, stored, into), this::decoded);
  }

  private void decoded(Completion<Unit> completion) {
    switch (completion) {
      case Completion.Done<Unit> _ -> {
        parts.coding().meter().decoded(unit.blocks());
        settle(null);
      }
      case Completion.Failed<Unit>(Failure.Corrupt corrupt) -> settle(wrong(corrupt));
      case Completion.Failed<Unit>(Failure why) -> settle(why);
    }
  }

  private @Nullable Failure compare(ByteBuffer stored) {
    for (int i = 0; i < blocks(); i++) {
      int expected = unit.checksums()[i];
      int found = Checksums.crc32c(stored, i * Disk.BLOCK_BYTES, Disk.BLOCK_BYTES);
      if (found != expected && !parts.faults().has(BufferFault.CHECKSUM_NOT_CHECKED)) {
        return wrong(
            new Failure.Corrupt(
                parts.disk().name(),
                "content",
                (extent.block() + i) * Disk.BLOCK_BYTES,
                Integer.toUnsignedLong(expected),
                Integer.toUnsignedLong(found)));
      }
    }
    return null;
  }

  /** The damage, unless the blocks were freed meanwhile and may be anything by now. */
  private Failure wrong(Failure.Corrupt corrupt) {
    if (frame.is(Frame.State.DETACHED)) {
      return new Failure.Conflict("the content was freed while it was being read");
    }
    loader.countCorrupt();
    return corrupt;
  }

  private void settle(@Nullable Failure failure) {
    become(State.SETTLED);
    ByteBuffer buffer = Invariants.present(memory, "memory of a load that was started");
    memory = null;
    loader.settle(frame, run, failure);
    loader.ended(this, buffer, failure != null);
  }
}
