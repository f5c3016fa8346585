package dev.upcall.segment;

import dev.upcall.buffer.Lease;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentStager;
import dev.upcall.content.LeaseOwner;
import dev.upcall.content.Loan;
import dev.upcall.content.StagedContent;
import dev.upcall.fsm.HeapBudget;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.io.Disk;
import dev.upcall.segment.layout.LayoutBuilder;
import dev.upcall.segment.layout.Staged;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * New content on its way into the store. Small content is collected in one frame; when it outgrows
 * that, frames are written to freshly allocated extents in long runs, a bounded number at a time.
 * It holds frames as its {@link StagingPlace} lets it, and waits for that before it copies. Frames
 * of zeros are not written and get no place: they become holes.
 */
public final class Stager extends StateMachine<Stager.State> implements ContentStager {
  /** Where new content stands. */
  public enum State {
    /** It fits one frame; nothing was written. */
    COLLECTING,
    /** It is too large for that: full frames go to their places while more comes in. */
    PLACING,
    /** All bytes are here; the last of them are on their way. */
    FINISHING,
    /** A commit may take it. */
    FINISHED,
    /** Something failed; what was reserved is given back. */
    FAILED,
    /** The caller gave it up. */
    DISCARDED
  }

  /** The machine's legal moves. */
  public static final Transitions<State> TRANSITIONS =
      Transitions.of("Stager", State.class, State.COLLECTING)
          .on("outgrows one frame", State.COLLECTING, State.PLACING)
          .on("finish, small", State.COLLECTING, State.FINISHED)
          .on("finish, large", State.PLACING, State.FINISHING)
          .on("layout written", State.FINISHING, State.FINISHED)
          .on("no memory, or no place in time", State.COLLECTING, State.FAILED)
          .on("no space, device error", State.PLACING, State.FAILED)
          .on("no space, device error", State.FINISHING, State.FAILED)
          .on("discard", State.COLLECTING, State.DISCARDED)
          .on("discard", State.PLACING, State.DISCARDED)
          .on("discard", State.FINISHING, State.DISCARDED)
          .on("discard", State.FAILED, State.DISCARDED)
          .build();

  private static final Set<State> OPEN = EnumSet.of(State.COLLECTING, State.PLACING, State.FAILED);
  private static final Failure OVER = new Failure.Closed("new content that has ended");
  private static final Failure BUSY =
      new Failure.Busy(
          "requests at once for the same new content", "wait for the completion of the one before");

  private final StagerParts parts;
  private final LeaseOwner owner;
  private final StagingPlace place;
  private final Runnable over;
  private final LayoutBuilder layout;
  private final Filling filling;

  /** How many blocks of the content went out, holes included. */
  private long outBlocks;

  private long sizeBytes;

  /** Null as long as nothing went out. */
  private @Nullable ContentWrites writes;

  private @Nullable ByteBuffer pendingBytes;

  /** Where the caller wants to copy itself. */
  private @Nullable Loan pendingLoan;

  private @Nullable CompletionPort<Unit> pendingAppend;
  private @Nullable CompletionPort<StagedContent> pendingFinish;
  private @Nullable Failure failure;
  private boolean waitingForPlace;
  private boolean waitingForFrame;
  private boolean isOver;

  /**
   * Begins empty content.
   *
   * @param place without which it holds no frame; left when it holds none any more
   * @param over run once when the stager holds nothing any more: finished, discarded or failed and
   *     drained
   */
  public Stager(StagerParts parts, LeaseOwner owner, StagingPlace place, Runnable over) {
    super(TRANSITIONS, parts.dispatcher());
    this.parts = parts;
    this.owner = owner;
    this.place = place;
    this.over = over;
    this.layout = new LayoutBuilder(parts.layouts());
    this.filling = new Filling(parts.buffers());
  }

  @Override
  public long sizeBytes() {
    return sizeBytes;
  }

  /** How content like this is found again that a file has already. */
  public DedupConfig dedup() {
    return parts.config().dedup();
  }

  /** All bytes so far, where they lie in one frame and nothing went out; else null. */
  public @Nullable ByteBuffer held() {
    return filling.frames() == 1 && filling.bytes() == sizeBytes
        ? filling.first().buffer().slice(filling.first().buffer().position(), filling.bytes())
        : null;
  }

  @Override
  public void append(ByteBuffer bytes, CompletionPort<Unit> port) {
    start(bytes, null, port);
  }

  @Override
  public void append(ByteBuffer bytes, Loan loan, CompletionPort<Unit> port) {
    start(bytes, Objects.requireNonNull(loan, "loan"), port);
  }

  private void start(ByteBuffer bytes, @Nullable Loan loan, CompletionPort<Unit> port) {
    if (refuses(port)) {
      return;
    }
    pendingBytes = Objects.requireNonNull(bytes, "bytes");
    pendingLoan = loan;
    pendingAppend = port;
    pump();
  }

  @Override
  public void finish(CompletionPort<StagedContent> port) {
    if (refuses(port)) {
      return;
    }
    pendingFinish = port;
    try {
      finishNow(port);
    } catch (OutOfMemoryError noRoom) {
      if (state() == State.FINISHED) {
        throw noRoom;
      }
      fail(HeapBudget.full());
    }
  }

  private void finishNow(CompletionPort<StagedContent> port) {
    switch (state()) {
      case COLLECTING -> finishSmall(port);
      case PLACING -> {
        become(State.FINISHING);
        if (filling.bytes() > 0) {
          writeOut();
        }
        finishWhenDrained();
      }
      case FAILED -> {
        pendingFinish = null;
        parts.dispatcher().complete(port, Completion.failed(failure()));
      }
      case FINISHING, FINISHED, DISCARDED ->
          throw new IllegalStateException("finish of content that is " + state());
    }
  }

  /** Tells who asks for more than one thing at a time, behind the end, or with a full heap. */
  private boolean refuses(CompletionPort<?> port) {
    Objects.requireNonNull(port, "port");
    Failure refusal = OPEN.contains(state()) ? parts.dispatcher().heap().refuses() : OVER;
    if (pendingAppend != null || filling.isLent()) {
      refusal = BUSY;
    }
    if (refusal != null) {
      parts.dispatcher().complete(port, HeapBudget.failed(refusal));
    }
    return refusal != null;
  }

  @Override
  public void discard() {
    if (state() == State.FINISHED || state() == State.DISCARDED) {
      return;
    }
    become(State.DISCARDED);
    filling.release();
    if (waitingForPlace) {
      waitingForPlace = false;
      place.leave();
    }
    CompletionPort<Unit> append = pendingAppend;
    if (append != null) {
      pendingAppend = null;
      pendingBytes = null;
      parts.dispatcher().complete(append, Completion.failed(new Failure.Cancelled("append")));
    }
    CompletionPort<StagedContent> finish = pendingFinish;
    if (finish != null) {
      pendingFinish = null;
      parts.dispatcher().complete(finish, Completion.failed(new Failure.Cancelled("new content")));
    }
    giveBackWhenDrained();
  }

  /** Copies what it can and asks for what it lacks; fails where the heap has no room for that. */
  private void pump() {
    try {
      copyAll();
    } catch (OutOfMemoryError noRoom) {
      fail(HeapBudget.full());
      endAppend(HeapBudget.failedFull());
    }
  }

  private void copyAll() {
    ByteBuffer bytes = pendingBytes;
    if (bytes == null || waitingForPlace || waitingForFrame) {
      return;
    }
    if (state() == State.FAILED || state() == State.DISCARDED) {
      endAppend(Completion.failed(failure()));
      return;
    }
    while (bytes.hasRemaining()) {
      if (filling.bytes() == capacityBytes() && !hasRoomFor(bytes.remaining())) {
        if (!filling.isLent()) {
          return;
        }
        break; // it is filled first
      }
      Loan lent = state() == State.PLACING ? pendingLoan : null;
      sizeBytes += filling.take(bytes, capacityBytes() - filling.bytes(), lent);
    }
    endAppend(Completion.done());
  }

  /**
   * Makes room behind frames that are full; false if it will come later, or when lent is filled.
   */
  private boolean hasRoomFor(int wantedBytes) {
    if (state() == State.PLACING
        && filling.bytes() == parts.config().gatherBlocks() * Disk.BLOCK_BYTES) {
      if (filling.isLent() || isBusyWriting()) {
        return false;
      }
      writeOut();
    }
    return obtainFrame(wantedBytes);
  }

  /**
   * Whether as many writes are under way as may be. One more is filled meanwhile, so that the
   * device need not wait for the copying.
   */
  private boolean isBusyWriting() {
    return writesInFlight() >= parts.config().writesInFlight();
  }

  private int writesInFlight() {
    return writes == null ? 0 : writes.inFlight();
  }

  private int capacityBytes() {
    int bytes = filling.capacityBytes();
    return state() == State.COLLECTING ? Math.min(bytes, parts.config().unplacedBytes()) : bytes;
  }

  /**
   * One more frame, or a larger one in place of the first; false if it will come later, or when
   * what is lent is filled: who waits for memory has filled what it has.
   */
  private boolean obtainFrame(int wantedBytes) {
    boolean isSmall =
        state() == State.COLLECTING && filling.bytes() < parts.config().unplacedBytes();
    int blocks = ContentReader.CHUNK_BLOCKS;
    if (isSmall && filling.frames() == 0) {
      int bytes = Math.min(wantedBytes, parts.config().unplacedBytes());
      blocks = Math.min(blocks, (bytes + Disk.BLOCK_BYTES - 1) / Disk.BLOCK_BYTES);
    }
    if (!hasPlace(blocks)) {
      return false;
    }
    if (state() == State.COLLECTING && !isSmall) {
      become(State.PLACING);
      if (filling.frames() > 0
          && filling.first().blocks() == ContentReader.CHUNK_BLOCKS
          && capacityBytes() > filling.bytes()) {
        return true;
      }
    }
    Lease lease = parts.buffers().tryAllocate(blocks, owner);
    if (lease != null) {
      filling.accept(lease);
      return true;
    }
    if (filling.isLent() || isBusyWriting()) {
      // The end of a write leads here again, and gives back what it held.
      return false;
    }
    int bytes = filling.bytes();
    if (state() == State.PLACING && bytes > 0 && bytes % Disk.BLOCK_BYTES == 0) {
      // Memory is short: what is full goes out at once, or everybody would wait for everybody's
      // frames.
      writeOut();
    }
    waitingForFrame = true;
    parts
        .buffers()
        .allocate(
            blocks,
            owner,
            completion -> {
              waitingForFrame = false;
              switch (completion) {
                case Completion.Failed<Lease> failed -> fail(failed.failure());
                case Completion.Done<Lease> done -> {
                  if (state() == State.COLLECTING || state() == State.PLACING) {
                    filling.accept(done.value());
                  } else {
                    done.value().release();
                    giveBackWhenDrained();
                  }
                }
              }
              pump();
            });
    return false;
  }

  private boolean hasPlace(int blocks) {
    if (place.tryTake(blocks)) {
      return true;
    }
    waitingForPlace = true;
    place.await(
        completion -> {
          waitingForPlace = false;
          if (completion instanceof Completion.Failed<Unit> failed) {
            fail(failed.failure());
          }
          pump();
        });
    return false;
  }

  private void endAppend(Completion<Unit> completion) {
    CompletionPort<Unit> port = pendingAppend;
    if (port != null) {
      parts.dispatcher().complete(port, completion);
    }
    pendingAppend = null;
    pendingBytes = null;
    pendingLoan = null;
  }

  /** Sends the filled frames to places of their own, but for those of zeros. */
  private void writeOut() {
    int bytes = filling.bytes();
    List<Lease> leases = filling.takeAll();
    DataRun.zeroTail(leases, bytes);
    int blocks = (bytes + Disk.BLOCK_BYTES - 1) / Disk.BLOCK_BYTES;
    ContentWrites to = writes;
    if (to == null) {
      to = parts.writes(layout, this::written);
      writes = to;
    }
    DataRun.of(leases, outBlocks, blocks).forEach(to::place);
    outBlocks += blocks;
  }

  private void written(List<Lease> leases, Completion<Unit> completion) {
    for (Lease lease : leases) {
      lease.release();
    }
    if (completion instanceof Completion.Failed<Unit> failed) {
      fail(failed.failure());
    }
    switch (state()) {
      case PLACING -> pump();
      case FINISHING -> finishWhenDrained();
      case FAILED, DISCARDED -> {
        pump();
        giveBackWhenDrained();
      }
      case COLLECTING, FINISHED -> throw new IllegalStateException("write while " + state());
    }
  }

  private void finishSmall(CompletionPort<StagedContent> port) {
    Completion<StagedContent> staged;
    if (sizeBytes <= parts.config().inlineBytes()) {
      staged = Completion.done(new Staged.Tiny(DataRun.bytes(filling.leases(), (int) sizeBytes)));
      filling.release();
    } else {
      Lease lease = filling.first();
      int bytes = filling.bytes();
      DataRun.zero(lease.buffer(), bytes, lease.buffer().remaining());
      staged = Completion.done(new Staged.InFrame(lease, bytes));
      filling.takeAll();
    }
    become(State.FINISHED);
    pendingFinish = null;
    end();
    parts.dispatcher().complete(port, staged);
  }

  private void finishWhenDrained() {
    if (writesInFlight() > 0) {
      return;
    }
    layout.finish(
        completion -> {
          CompletionPort<StagedContent> port = pendingFinish;
          switch (completion) {
            case Completion.Failed<LayoutBuilder.Built> failed -> fail(failed.failure());
            case Completion.Done<LayoutBuilder.Built> done -> {
              if (state() == State.FINISHING && port != null) {
                become(State.FINISHED);
                pendingFinish = null;
                LayoutBuilder.Built built = done.value();
                end();
                port.complete(
                    Completion.done(
                        new Staged.Placed(
                            sizeBytes,
                            built.layout(),
                            built.named(),
                            layout.isCoded(),
                            layout::giveBack)));
                return;
              }
            }
          }
          giveBackWhenDrained();
        });
  }

  private Failure failure() {
    return failure == null ? new Failure.Closed("new content") : failure;
  }

  private void fail(Failure cause) {
    if (failure == null) {
      failure = cause;
    }
    if (state() == State.FAILED || state() == State.DISCARDED) {
      return;
    }
    become(State.FAILED);
    filling.release();
    CompletionPort<StagedContent> finish = pendingFinish;
    if (finish != null) {
      pendingFinish = null;
      parts.dispatcher().complete(finish, Completion.failed(cause));
    }
    giveBackWhenDrained();
  }

  /** Extents go back only when no write to them can still be on its way. */
  private void giveBackWhenDrained() {
    if (writesInFlight() == 0 && !waitingForFrame && !layout.isBusy() && !isOver) {
      layout.giveBack();
      end();
    }
  }

  private void end() {
    if (!isOver) {
      isOver = true;
      place.leave();
      over.run();
    }
  }
}
