package dev.upcall.segment;

import dev.upcall.buffer.Lease;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentStager;
import dev.upcall.content.LeaseOwner;
import dev.upcall.content.StagedContent;
import dev.upcall.fsm.HeapBudget;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.io.Disk;
import dev.upcall.segment.layout.LayoutBuilder;
import dev.upcall.segment.layout.Staged;
import java.nio.ByteBuffer;
import java.util.ArrayList;
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
  private final List<Lease> filling = new ArrayList<>();
  private int fillingBytes;

  /** How many blocks of the content went out, holes included. */
  private long outBlocks;

  private long sizeBytes;

  /** Null as long as nothing went out. */
  private @Nullable ContentWrites writes;

  private @Nullable ByteBuffer pendingBytes;
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
    return filling.size() == 1 && fillingBytes == sizeBytes
        ? filling.getFirst().buffer().slice(filling.getFirst().buffer().position(), fillingBytes)
        : null;
  }

  @Override
  public void append(ByteBuffer bytes, CompletionPort<Unit> port) {
    if (refuses(port)) {
      return;
    }
    pendingBytes = Objects.requireNonNull(bytes, "bytes");
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
        if (fillingBytes > 0) {
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
    if (pendingAppend != null) {
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
    releaseFilling();
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
      if (fillingBytes == capacityBytes()) {
        if (state() == State.PLACING
            && fillingBytes == parts.config().gatherBlocks() * Disk.BLOCK_BYTES) {
          if (isBusyWriting()) {
            return;
          }
          writeOut();
        }
        if (!obtainFrame(bytes.remaining())) {
          return;
        }
      }
      copy(bytes);
    }
    endAppend(Completion.done());
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
    int bytes = DataRun.capacityBytes(filling);
    return state() == State.COLLECTING ? Math.min(bytes, parts.config().unplacedBytes()) : bytes;
  }

  private void copy(ByteBuffer from) {
    Lease last = filling.getLast();
    int position = fillingBytes - DataRun.FRAME_BYTES * (filling.size() - 1);
    ByteBuffer to = last.buffer();
    int room = Math.min(to.remaining() - position, capacityBytes() - fillingBytes);
    int length = Math.min(room, from.remaining());
    to.put(to.position() + position, from, from.position(), length);
    from.position(from.position() + length);
    fillingBytes += length;
    sizeBytes += length;
  }

  /** One more frame, or a larger one in place of the first; false if it will come later. */
  private boolean obtainFrame(int wantedBytes) {
    boolean isSmall = state() == State.COLLECTING && fillingBytes < parts.config().unplacedBytes();
    int blocks = ContentReader.CHUNK_BLOCKS;
    if (isSmall && filling.isEmpty()) {
      int bytes = Math.min(wantedBytes, parts.config().unplacedBytes());
      blocks = Math.min(blocks, (bytes + Disk.BLOCK_BYTES - 1) / Disk.BLOCK_BYTES);
    }
    if (!hasPlace(blocks)) {
      return false;
    }
    if (state() == State.COLLECTING && !isSmall) {
      become(State.PLACING);
      if (!filling.isEmpty()
          && filling.getFirst().blocks() == ContentReader.CHUNK_BLOCKS
          && capacityBytes() > fillingBytes) {
        return true;
      }
    }
    Lease lease = parts.buffers().tryAllocate(blocks, owner);
    if (lease != null) {
      accept(lease);
      return true;
    }
    if (isBusyWriting()) {
      // The end of a write leads here again, and gives back what it held.
      return false;
    }
    if (state() == State.PLACING && fillingBytes > 0 && fillingBytes % Disk.BLOCK_BYTES == 0) {
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
                    accept(done.value());
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

  private void accept(Lease lease) {
    if (filling.size() == 1 && filling.getFirst().blocks() < ContentReader.CHUNK_BLOCKS) {
      Lease small = filling.removeFirst();
      ByteBuffer from = small.buffer();
      ByteBuffer to = lease.buffer();
      to.put(to.position(), from, from.position(), fillingBytes);
      small.release();
    }
    filling.add(lease);
  }

  private void endAppend(Completion<Unit> completion) {
    CompletionPort<Unit> port = pendingAppend;
    if (port != null) {
      parts.dispatcher().complete(port, completion);
    }
    pendingAppend = null;
    pendingBytes = null;
  }

  /** Sends the filled frames to places of their own, but for those of zeros. */
  private void writeOut() {
    List<Lease> leases = List.copyOf(filling);
    int bytes = fillingBytes;
    filling.clear();
    fillingBytes = 0;
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
      staged = Completion.done(new Staged.Tiny(DataRun.bytes(filling, (int) sizeBytes)));
      releaseFilling();
    } else {
      Lease lease = filling.getFirst();
      DataRun.zero(lease.buffer(), fillingBytes, lease.buffer().remaining());
      staged = Completion.done(new Staged.InFrame(lease, fillingBytes));
      filling.removeFirst();
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
    releaseFilling();
    CompletionPort<StagedContent> finish = pendingFinish;
    if (finish != null) {
      pendingFinish = null;
      parts.dispatcher().complete(finish, Completion.failed(cause));
    }
    giveBackWhenDrained();
  }

  private void releaseFilling() {
    for (Lease lease : filling) {
      lease.release();
    }
    filling.clear();
    fillingBytes = 0;
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
