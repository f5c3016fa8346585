package dev.upcall.access;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.LeaseOwner;
import dev.upcall.io.Disk;
import dev.upcall.pressure.PlaceQueue;
import dev.upcall.segment.Inode;
import dev.upcall.segment.Layout;
import dev.upcall.segment.Overlay;
import dev.upcall.segment.WritePreparer;
import dev.upcall.space.Extent;
import dev.upcall.txn.SegmentAccess;
import dev.upcall.txn.SegmentMutations;
import dev.upcall.txn.View;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A handle on a segment. Writes are merged at once with what their first and last block held, in
 * frames of the handle's own; beyond a limit full frames are placed while the handle still
 * collects, so that a stream of any length takes bounded memory. A commit makes everything visible
 * as one.
 */
final class RawSegment implements SegmentHandle, SegmentClose.Segment {
  private static final int MERGE_ATTEMPTS = 8;
  private static final int BLOCK = Disk.BLOCK_BYTES;

  /** No size that is asked for is larger: what is appended to it and rounded up is a number too. */
  private static final long MAX_BYTES = Long.MAX_VALUE / 2;

  private final Home home;
  private final SegmentAccess access;
  private final LeaseOwner owner;
  private final String name;
  private final SegmentClose closing;
  private final Patches patches = new Patches();
  private Inode inode;
  private @Nullable PrivateContent content;

  /** What has to be done again before anything else: merging it, or one more operation, failed. */
  private List<Patches.Operation> unmerged = List.of();

  private long sizeBytes;
  private boolean spilled;
  private boolean busy;

  /** Taken while there is something to commit. */
  private final PlaceQueue.Place place;

  private @Nullable CompletionPort<Unit> waiting;

  RawSegment(Home home, LeaseOwner owner, Inode inode, String name) {
    this.home = home;
    this.access = home.access();
    this.owner = owner;
    this.inode = inode;
    this.name = name;
    this.sizeBytes = inode.size();
    this.closing = new SegmentClose(home.dispatcher(), this);
    this.place = access.writers().place();
  }

  @Override
  public Inode inode() {
    return inode;
  }

  @Override
  public long sizeBytes() {
    return sizeBytes;
  }

  @Override
  public boolean isDirty() {
    return content != null || !unmerged.isEmpty();
  }

  @Override
  public void write(long offset, ByteBuffer bytes, CompletionPort<Unit> port) {
    if (offset < 0 || offset > MAX_BYTES - bytes.remaining()) {
      fail(port, new Failure.Invalid("offset " + offset + " of a write is out of range"));
      return;
    }
    begin(port, ended -> write(offset, bytes, /* append= */ false, ended));
  }

  @Override
  public void append(ByteBuffer bytes, CompletionPort<Unit> port) {
    begin(port, ended -> write(sizeBytes, bytes, /* append= */ true, ended));
  }

  @Override
  public void truncate(long newSizeBytes, CompletionPort<Unit> port) {
    if (newSizeBytes < 0 || newSizeBytes > MAX_BYTES) {
      fail(port, new Failure.Invalid("size " + newSizeBytes + " is out of range"));
      return;
    }
    begin(port, ended -> truncateNow(newSizeBytes, ended));
  }

  @Override
  public void flush(CompletionPort<Unit> port) {
    if (!isDirty() && closing.isOpen() && !busy) {
      home.flush(port);
      return;
    }
    enter(port, ended -> merged(ended, () -> commitCollected(MERGE_ATTEMPTS, ended)));
  }

  @Override
  public void close(CompletionPort<Unit> port) {
    if (!closing.isOpen() || closing.state() == SegmentClose.State.FLUSH_REQUESTED) {
      fail(port, new Failure.Closed(name));
    } else {
      closing.close(port);
    }
  }

  @Override
  public void abandon() {
    if (closing.isOpen()) {
      closing.abandon();
    }
  }

  @Override
  public void release() {
    Invariants.check(!busy, "handle given back in the middle of a request", inode.id());
    dropPrivate();
    leaveIfClean();
  }

  // One request at a time; the first write begins a private version over the present one.

  private interface Request {
    void run(CompletionPort<Unit> ended);
  }

  private void enter(CompletionPort<Unit> port, Request request) {
    if (!closing.isOpen()) {
      fail(port, new Failure.Closed(name));
      return;
    }
    Invariants.check(!busy, "two requests at once on the handle of", name);
    busy = true;
    request.run(
        completion -> {
          busy = false;
          leaveIfClean();
          port.complete(completion);
        });
  }

  private void begin(CompletionPort<Unit> port, Request request) {
    enter(
        port,
        ended -> {
          CompletionPort<Unit> checked = completion -> operated(completion, ended);
          if (content != null && unmerged.isEmpty()) {
            home.dispatcher().post(() -> request.run(checked));
          } else if (content == null && unmerged.isEmpty()) {
            CompletionPort<Unit> placed =
                ended.then(taken -> pin(ended.then(done -> request.run(checked))));
            if (place.tryTake()) {
              placed.complete(Completion.done());
            } else {
              awaitPlace(placed);
            }
          } else {
            merged(ended, () -> request.run(checked));
          }
        });
  }

  private void awaitPlace(CompletionPort<Unit> port) {
    waiting = port;
    place.await(
        completion -> {
          waiting = null;
          port.complete(completion);
        });
  }

  @Override
  public void stopWaiting() {
    CompletionPort<Unit> stopped = waiting;
    if (stopped != null) {
      waiting = null;
      place.leave();
      fail(stopped, new Failure.Cancelled("the write"));
    }
  }

  private void leaveIfClean() {
    if (!isDirty()) {
      place.leave();
    }
  }

  /**
   * An operation that failed may have done half its work; as long as all operations are known, the
   * handle goes back to what it was before.
   */
  private void operated(Completion<Unit> completion, CompletionPort<Unit> ended) {
    if (completion instanceof Completion.Failed<Unit> && !spilled) {
      unmerged = patches.operations();
      if (unmerged.isEmpty()) {
        dropPrivate();
      }
    }
    ended.complete(completion);
  }

  /** Goes on when all operations so far are merged with the segment's content. */
  private void merged(CompletionPort<Unit> port, Runnable next) {
    if (unmerged.isEmpty()) {
      next.run();
    } else {
      mergeAgain(unmerged, port.then(done -> next.run()));
    }
  }

  private void pin(CompletionPort<Unit> port) {
    home.reading()
        .pin(
            this::present,
            owner,
            port.then(
                pinned -> {
                  inode = pinned.inode();
                  sizeBytes = inode.size();
                  content = new PrivateContent(access.reader(), owner, pinned);
                  unfoldInline(port);
                }));
  }

  /** Content that lived in the inode moves to a block of its own, so that it can be written to. */
  private void unfoldInline(CompletionPort<Unit> port) {
    if (inode.layout() instanceof Layout.Inline inline && inline.bytes().length > 0) {
      ByteBuffer bytes = ByteBuffer.wrap(inline.bytes());
      patches.add(0, bytes);
      merge(
          0,
          bytes,
          completion -> {
            if (completion instanceof Completion.Failed<Unit> && unmerged.isEmpty()) {
              dropPrivate();
            }
            port.complete(completion);
          });
    } else {
      port.complete(Completion.done());
    }
  }

  private PrivateContent content() {
    return Invariants.present(content, "private content of a handle");
  }

  private void write(long offset, ByteBuffer bytes, boolean append, CompletionPort<Unit> port) {
    if (!bytes.hasRemaining()) {
      port.complete(Completion.done());
      return;
    }
    int length = Math.min(bytes.remaining(), access.writers().pieceBytes());
    ByteBuffer copy = ByteBuffer.allocate(length);
    copy.put(0, bytes, bytes.position(), length);
    merge(
        offset,
        copy,
        port.then(
            merged -> {
              bytes.position(bytes.position() + length);
              sizeBytes = Math.max(sizeBytes, offset + length);
              if (!spilled) {
                patches.add(offset, copy);
                patches.did(new Patches.Operation.Write(offset, copy, append));
              }
              if (collectedBytes() >= access.writers().spillBytes()) {
                spill(
                    /* everything= */ false,
                    port.then(done -> write(offset + length, bytes, append, port)));
              } else {
                write(offset + length, bytes, append, port);
              }
            }));
  }

  private long collectedBytes() {
    return Math.max(content().overlay().blocks() * BLOCK, patches.heapBytes());
  }

  /** Lays bytes over what their blocks hold now. */
  private void merge(long offset, ByteBuffer bytes, CompletionPort<Unit> port) {
    WritePreparer.prepare(
        access.buffers(),
        content(),
        owner,
        new WritePreparer.Write(offset, bytes),
        port.then(
            parts -> {
              for (Overlay.Part part : parts) {
                content().write(part);
              }
              port.complete(Completion.done());
            }));
  }

  private void truncateNow(long newSizeBytes, CompletionPort<Unit> port) {
    cut(
        newSizeBytes,
        port.then(
            done -> {
              if (!spilled) {
                patches.did(new Patches.Operation.Truncate(newSizeBytes));
              }
              port.complete(Completion.done());
            }));
  }

  private void cut(long newSizeBytes, CompletionPort<Unit> port) {
    if (newSizeBytes >= sizeBytes) {
      sizeBytes = newSizeBytes;
      port.complete(Completion.done());
      return;
    }
    List<Extent> freed = new ArrayList<>();
    content().cut(newSizeBytes, freed);
    access.giveBack(freed);
    patches.cut(newSizeBytes);
    sizeBytes = newSizeBytes;
    zeroTail(newSizeBytes, port);
  }

  /**
   * Bytes of the last block behind the size are zero, always: a later growth must not show what was
   * cut.
   */
  private void zeroTail(long size, CompletionPort<Unit> port) {
    int behind = (int) (PrivateContent.blocks(size) * BLOCK - size);
    if (behind == 0) {
      port.complete(Completion.done());
      return;
    }
    ByteBuffer zeros = ByteBuffer.allocate(behind);
    patches.add(size, zeros);
    merge(size, zeros, port);
  }

  /**
   * Gives blocks in frames a place on the volume; without {@code everything} the last ones, which a
   * stream will go on filling, stay.
   */
  private void spill(boolean everything, CompletionPort<Unit> port) {
    spilled = true;
    patches.clear();
    Spill.run(access, content(), everything, port);
  }

  private void commitCollected(int attempts, CompletionPort<Unit> port) {
    if (spilled || patches.sizeBytes() > access.unplacedBytes()) {
      commitPlaced(attempts, port);
    } else {
      commit(patches.all(), attempts, port);
    }
  }

  private void commitPlaced(int attempts, CompletionPort<Unit> port) {
    spill(/* everything= */ true, port.then(done -> commit(List.of(), attempts, port)));
  }

  private void commit(List<SegmentMutations.Patch> small, int attempts, CompletionPort<Unit> port) {
    Commit.Collected collected = new Commit.Collected(name, sizeBytes, content(), small);
    Commit commit = new Commit(access, inode, collected, home.dispatcher().clock().epochNanos());
    home.commit(
        commit,
        completion -> {
          switch (completion) {
            case Completion.Done<Inode>(Inode next) -> {
              inode = next;
              dropPrivate();
              port.complete(Completion.done());
            }
            case Completion.Failed<Inode>(Failure.Conflict _) when attempts > 0 ->
                lookAgain(attempts - 1, port);
            case Completion.Failed<Inode>(Failure why)
                when !small.isEmpty() && home.takesPlaced(why) ->
                commitPlaced(attempts, port);
            case Completion.Failed<Inode> failed -> {
              if (commit.wasApplied()) {
                dropPrivate();
              }
              port.complete(failed.cast());
            }
          }
        });
  }

  /** Another handle was quicker, or somebody replaced or deleted the file. */
  private void lookAgain(int attempts, CompletionPort<Unit> port) {
    home.reading()
        .<Inode>query(
            this::present,
            port.then(
                found -> {
                  if (spilled) {
                    port.complete(Completion.failed(home.changed(name)));
                  } else {
                    mergeAgain(
                        patches.operations(), port.then(merged -> commitCollected(attempts, port)));
                  }
                }));
  }

  private Completion<Inode> present(View view) {
    Inode present = view.inode(inode.id());
    return present == null
        ? Completion.failed(new Failure.NotFound(name))
        : Completion.done(present);
  }

  /** Does all operations again on what is there now: another handle has committed. */
  private void mergeAgain(List<Patches.Operation> operations, CompletionPort<Unit> port) {
    dropPrivate();
    unmerged = operations;
    Iterator<Patches.Operation> left = operations.iterator();
    pin(port.then(pinned -> doAgain(left, port)));
  }

  private void doAgain(Iterator<Patches.Operation> left, CompletionPort<Unit> port) {
    if (!left.hasNext()) {
      unmerged = List.of();
      port.complete(Completion.done());
      return;
    }
    CompletionPort<Unit> next =
        port.then(done -> home.dispatcher().post(() -> doAgain(left, port)));
    switch (left.next()) {
      case Patches.Operation.Truncate(long size) -> truncateNow(size, next);
      case Patches.Operation.Write(long offset, ByteBuffer bytes, boolean append) ->
          write(append ? sizeBytes : offset, bytes.duplicate(), append, next);
    }
  }

  private void dropPrivate() {
    PrivateContent dropped = content;
    if (dropped != null) {
      content = null;
      access.giveBack(dropped.uncommitted());
      dropped.close();
    }
    patches.clear();
    unmerged = List.of();
    spilled = false;
    sizeBytes = inode.size();
  }

  private void fail(CompletionPort<Unit> port, Failure failure) {
    home.dispatcher().complete(port, Completion.failed(failure));
  }
}
