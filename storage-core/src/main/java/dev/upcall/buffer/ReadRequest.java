package dev.upcall.buffer;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.content.LeaseOwner;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.fsm.record.Stage;
import dev.upcall.io.Disk;
import dev.upcall.io.IoClass;
import dev.upcall.space.Extent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A read of a run. It takes all memory that it needs in one upcall or none of it, so that two reads
 * cannot wait for each other's half.
 */
final class ReadRequest extends StateMachine<ReadRequest.State> implements MemoryWaiter {
  /** Where a read stands. */
  enum State {
    /** It looks for what is in memory, and for memory for the rest; it holds nothing in between. */
    GATHERING,
    /** It waits for memory, and holds nothing. */
    PARKED,
    /** It holds its frames and waits for those that are being loaded. */
    LOADING,
    /** Its completion is on its way. */
    SETTLED
  }

  static final Transitions<State> TRANSITIONS =
      Transitions.of("ReadRequest", State.class, State.GATHERING)
          .on("no memory", State.GATHERING, State.PARKED)
          .on("frames held", State.GATHERING, State.LOADING)
          .on("all in memory, or refused", State.GATHERING, State.SETTLED)
          .on("memory may be free", State.PARKED, State.GATHERING)
          .on("refused", State.PARKED, State.SETTLED)
          .on("a load that others began failed", State.LOADING, State.GATHERING)
          .on("all loads ended", State.LOADING, State.SETTLED)
          .build();

  private final BufferManager manager;
  private final FrameCache cache;
  private final BlockRun run;
  private final LeaseOwner owner;
  private final CompletionPort<List<Lease>> port;
  private final @Nullable Throwable origin;
  private final long asker;
  private final List<Piece> pieces = new ArrayList<>();
  private final List<Frame> claimed = new ArrayList<>();
  private IoClass ioClass;
  private int awaited;
  private boolean retried;
  private long forgetsSeen;
  private @Nullable Failure failure;
  private @Nullable Failure failureOfOthers;

  ReadRequest(
      BufferManager manager, BlockRun run, LeaseOwner owner, CompletionPort<List<Lease>> port) {
    super(TRANSITIONS, manager.dispatcher());
    this.manager = manager;
    this.cache = manager.cache();
    this.run = run;
    this.owner = owner;
    this.port = port;
    this.ioClass = IoClass.FOREGROUND_READ;
    this.origin = manager.origin();
    this.asker = manager.dispatcher().recorder().current();
  }

  @Override
  public long asker() {
    return asker;
  }

  void begin(IoClass wanted) {
    ioClass = wanted;
    forgetsSeen = manager.forgets();
    // Who needs memory goes behind those who wait for it already; who needs none may pass.
    if (!gather(manager.queue().isEmpty())) {
      park();
    }
  }

  @Override
  public boolean serve() {
    if (failure != null) {
      settle();
      return true;
    }
    become(State.GATHERING);
    if (gather(true)) {
      return true;
    }
    if (cache.nothingBusy()) {
      // Frames that stick out of the run take the room of what is missing, and nobody will ever
      // release anything: only this can help.
      cache.forget(new Extent(run.firstBlock(), run.blocks()));
      if (gather(true)) {
        return true;
      }
    }
    become(State.PARKED);
    return false;
  }

  @Override
  public void forgotten(Extent extent) {
    if (run.isIn(extent)) {
      failure = new Failure.Conflict("the content was freed before it was read");
      manager.queue().memoryMayBeFree();
    }
  }

  @Override
  public void refuse(Failure why) {
    failure = why;
    settle();
  }

  /** One of the frames that this read waits for is valid, or has failed. */
  void frameSettled(Frame frame, @Nullable Failure why) {
    if (why != null && !retried && !claimed.contains(frame) && mayBeOfOtherBlocks(why)) {
      failureOfOthers = why;
    } else if (why != null && failure == null) {
      failure = why;
    }
    awaited--;
    if (awaited == 0) {
      allSettled();
    }
  }

  /** Whether another's load may have failed because of a block that this read did not ask for. */
  private boolean mayBeOfOtherBlocks(Failure why) {
    if (run.unit() != null) {
      return false; // nobody else reads more of it, or less
    }
    if (why instanceof Failure.Corrupt corrupt) {
      long block = corrupt.offsetBytes() / Disk.BLOCK_BYTES;
      return block < run.firstBlock() || block >= run.end();
    }
    return why instanceof Failure.Device;
  }

  private void allSettled() {
    if (failureOfOthers == null || failure != null) {
      settle();
    } else if (manager.forgets() != forgetsSeen) {
      // Looking again, it could find what has come in place of the content that it was asked for.
      failure = failureOfOthers;
      settle();
    } else {
      gatherAgain();
    }
  }

  private void gatherAgain() {
    retried = true;
    failureOfOthers = null;
    letGo();
    claimed.clear();
    become(State.GATHERING);
    if (!gather(manager.queue().isEmpty())) {
      park();
    }
  }

  private void park() {
    become(State.PARKED);
    manager.queue().park(this);
  }

  /** Pins what is there and claims memory for what is not; false, holding nothing, if it cannot. */
  private boolean gather(boolean mayClaim) {
    long block = run.firstBlock();
    while (block < run.end()) {
      Frame frame = cache.find(block);
      if (frame == null) {
        frame = mayClaim ? claimGap(block) : null;
        if (frame == null) {
          letGo();
          giveBackClaimed();
          return false;
        }
      }
      cache.pin(frame);
      int offset = (int) (block - frame.firstBlock());
      int blocks = (int) (Math.min(run.end(), frame.end()) - block);
      pieces.add(new Piece(frame, offset, blocks));
      block += blocks;
    }
    held();
    return true;
  }

  private @Nullable Frame claimGap(long block) {
    Frame frame = cache.claimFor(run, block);
    if (frame != null) {
      claimed.add(frame);
    }
    return frame;
  }

  private void held() {
    if (FlightRecorder.isMeasured(asker) && isAnyLoading()) {
      manager.dispatcher().recorder().stamp(Stage.REQUESTED);
    }
    manager.loader().start(run, claimed, ioClass);
    for (Piece piece : pieces) {
      Frame frame = piece.frame();
      if (frame.is(Frame.State.LOADING)) {
        frame.await(this);
        awaited++;
      } else {
        cache.touch(frame);
      }
    }
    if (!retried) {
      manager.countRead(awaited == 0);
    }
    if (awaited == 0) {
      settle();
    } else {
      become(State.LOADING);
    }
  }

  /** Whether something has to come from the disk, by this read's own load or another's. */
  private boolean isAnyLoading() {
    return !claimed.isEmpty()
        || pieces.stream().anyMatch(piece -> piece.frame().is(Frame.State.LOADING));
  }

  private void settle() {
    become(State.SETTLED);
    Failure why = manager.isClosed() ? new Failure.Closed("buffer manager") : failure;
    if (why != null) {
      letGo();
      manager.dispatcher().complete(port, Completion.failed(why));
      return;
    }
    manager.dispatcher().recorder().stamp(Stage.FOUND);
    List<Lease> leases = new ArrayList<>(pieces.size());
    for (Piece piece : pieces) {
      leases.add(manager.lease(piece, owner, origin));
    }
    pieces.clear();
    manager.dispatcher().complete(port, Completion.done(leases));
  }

  private void letGo() {
    for (Piece piece : pieces) {
      cache.unpin(piece.frame());
    }
    pieces.clear();
  }

  private void giveBackClaimed() {
    for (Frame frame : claimed) {
      cache.giveBack(frame);
    }
    claimed.clear();
  }
}
