package dev.upcall.access;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.LeaseOwner;
import dev.upcall.pressure.PlaceQueue;
import dev.upcall.segment.layout.Inode;
import dev.upcall.txn.SegmentAccess;
import dev.upcall.txn.SegmentMutations;
import dev.upcall.txn.View;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A handle on a segment: one request after the other is done to a private version ({@link
 * RangeEditor}), which a commit makes visible as one, again on what others have committed first.
 */
final class RawSegment implements SegmentHandle, SegmentClose.Segment {
  /** No size that is asked for is larger: what is appended to it and rounded up is a number too. */
  private static final long MAX_BYTES = Long.MAX_VALUE / 2;

  private final Home home;
  private final SegmentAccess access;
  private final LeaseOwner owner;
  private final String name;
  private final SegmentClose closing;
  private Inode inode;
  private @Nullable RangeEditor editor;

  /** What has to be done again before anything else: merging it, or one more operation, failed. */
  private List<Patches.Operation> unmerged = List.of();

  /** Whether policies copy nothing for cuts, because the volume had no room for what they did. */
  private boolean sparing;

  private boolean busy;

  /** Ends its turn to commit. */
  private Runnable leaveTurn = () -> {};

  /** Taken while there is something to commit. */
  private final PlaceQueue.Place place;

  private @Nullable CompletionPort<Unit> waiting;

  RawSegment(Home home, LeaseOwner owner, Inode inode, String name) {
    this.home = home;
    this.access = home.access();
    this.owner = owner;
    this.inode = inode;
    this.name = name;
    this.closing = new SegmentClose(home.dispatcher(), this);
    this.place = access.writers().place();
  }

  @Override
  public Inode inode() {
    return inode;
  }

  @Override
  public long sizeBytes() {
    RangeEditor present = editor;
    return present == null ? inode.size() : present.sizeBytes();
  }

  @Override
  public boolean isDirty() {
    return editor != null || !unmerged.isEmpty();
  }

  @Override
  public void write(long offset, ByteBuffer bytes, CompletionPort<Unit> port) {
    if (offset < 0 || offset > MAX_BYTES - bytes.remaining()) {
      fail(port, new Failure.Invalid("offset " + offset + " of a write is out of range"));
      return;
    }
    begin(port, ended -> editor().write(offset, bytes, /* append= */ false, ended));
  }

  @Override
  public void append(ByteBuffer bytes, CompletionPort<Unit> port) {
    begin(port, ended -> editor().write(sizeBytes(), bytes, /* append= */ true, ended));
  }

  @Override
  public void truncate(long newSizeBytes, CompletionPort<Unit> port) {
    if (newSizeBytes < 0 || newSizeBytes > MAX_BYTES) {
      fail(port, new Failure.Invalid("size " + newSizeBytes + " is out of range"));
      return;
    }
    begin(port, ended -> editor().truncate(newSizeBytes, ended));
  }

  @Override
  public void splice(long offset, long removed, ByteBuffer bytes, CompletionPort<Unit> port) {
    if (offset < 0 || removed < 0) {
      fail(
          port,
          new Failure.Invalid(
              "%d bytes from %d on are no range of %s, which has %d"
                  .formatted(removed, offset, name, sizeBytes())));
      return;
    }
    begin(port, ended -> spliceNow(offset, removed, bytes, ended));
  }

  @Override
  public void gather(long offset, long lengthBytes, CompletionPort<Unit> port) {
    if (offset < 0 || lengthBytes < 0) {
      fail(
          port,
          new Failure.Invalid(
              "%d bytes from %d on are no range of %s".formatted(lengthBytes, offset, name)));
      return;
    }
    begin(
        port,
        ended ->
            editor()
                .gather(
                    offset,
                    lengthBytes,
                    completion -> {
                      if (editor().isUntouched()) {
                        // There is nothing to commit.
                        dropPrivate();
                      }
                      ended.complete(completion);
                    }));
  }

  @Override
  public void flush(CompletionPort<Unit> port) {
    if (!isDirty() && closing.isOpen() && !busy) {
      home.flush(port);
      return;
    }
    enter(port, ended -> home.takeTurn(inode.id(), leave -> flushInTurn(leave, ended)));
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
          if (editor != null && unmerged.isEmpty()) {
            home.dispatcher().post(() -> request.run(checked));
          } else if (editor == null && unmerged.isEmpty()) {
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
    RangeEditor present = editor;
    if (completion instanceof Completion.Failed<Unit>
        && present != null
        && !present.space().hasSpilled()) {
      unmerged = present.space().patches().operations();
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
                  pinned.name(name);
                  RangeEditor begun = new RangeEditor(access, owner, pinned, sparing);
                  editor = begun;
                  begun
                      .space()
                      .unfold(
                          inode.layout(),
                          completion -> {
                            if (completion instanceof Completion.Failed<Unit>
                                && unmerged.isEmpty()) {
                              dropPrivate();
                            }
                            port.complete(completion);
                          });
                }));
  }

  private RangeEditor editor() {
    return Invariants.present(editor, "private content of a handle");
  }

  private void spliceNow(long offset, long removed, ByteBuffer bytes, CompletionPort<Unit> port) {
    long size = sizeBytes();
    if (!editor().has(offset, removed)) {
      port.complete(
          Completion.failed(
              new Failure.Invalid(
                  "%d bytes from %d on are not all in %s, which has %d"
                      .formatted(removed, offset, name, size))));
    } else if (size - removed > MAX_BYTES - bytes.remaining()) {
      port.complete(
          Completion.failed(
              new Failure.Invalid(
                  "%d bytes more are too many for %s, which has %d"
                      .formatted(bytes.remaining() - removed, name, size))));
    } else {
      editor().splice(offset, removed, bytes, port);
    }
  }

  /**
   * Handles that write one segment commit one after the other: with the turn, only requests on its
   * file come between a merge and its commit, and whenever that happens somebody has got on.
   */
  private void flushInTurn(Runnable leave, CompletionPort<Unit> port) {
    leaveTurn = leave;
    CompletionPort<Unit> ended =
        completion -> {
          leave.run();
          port.complete(completion);
        };
    merged(ended, () -> newest(ended, () -> commitCollected(ended)));
  }

  /**
   * Goes on when what will be placed is merged with the newest content: once it has its place that
   * cannot be done any more.
   */
  private void newest(CompletionPort<Unit> port, Runnable next) {
    Patches patches = editor().space().patches();
    if (editor().space().hasSpilled() || patches.sizeBytes() <= access.unplacedBytes()) {
      next.run();
      return;
    }
    home.reading()
        .<Inode>query(
            this::present,
            port.then(
                found -> {
                  if (found.version() == inode.version()) {
                    next.run();
                  } else {
                    mergeAgain(patches.operations(), port.then(merged -> next.run()));
                  }
                }));
  }

  private void commitCollected(CompletionPort<Unit> port) {
    PrivateSpace present = editor().space();
    CompletionPort<Unit> ended = sparing(port);
    if (present.hasSpilled() || present.patches().sizeBytes() > access.unplacedBytes()) {
      commitPlaced(ended);
    } else {
      commit(present.patches().all(), ended);
    }
  }

  /**
   * A port that does cuts again, without what policies have copied, when the volume has no room for
   * that; as long as all operations are known.
   */
  private CompletionPort<Unit> sparing(CompletionPort<Unit> port) {
    List<Patches.Operation> known = editor().space().patches().operations();
    if (sparing || known.isEmpty() || !editor().hasCopiedForCut()) {
      return port;
    }
    return completion -> {
      if (completion instanceof Completion.Failed<Unit>(Failure.VolumeFull _)) {
        sparing = true;
        mergeAgain(known, port.then(merged -> commitCollected(port)));
      } else {
        port.complete(completion);
      }
    };
  }

  private void commitPlaced(CompletionPort<Unit> port) {
    editor().spill(port.then(done -> commit(List.of(), port)));
  }

  private void commit(List<SegmentMutations.Patch> small, CompletionPort<Unit> port) {
    RangeEditor done = editor();
    Commit.Collected collected =
        new Commit.Collected(name, done.space().content(), done.made(), small);
    Inode as =
        done.isAsItWas() ? inode.moved() : inode.touched(home.dispatcher().clock().epochNanos());
    Commit commit = new Commit(access, inode, as, collected);
    commit.whenApplied(leaveTurn); // the next one need not wait until it is durable
    home.commit(
        commit,
        completion -> {
          switch (completion) {
            case Completion.Done<Inode>(Inode next) -> {
              inode = next;
              sparing = false;
              dropPrivate();
              port.complete(Completion.done());
            }
            case Completion.Failed<Inode>(Failure.Conflict conflict) -> lookAgain(conflict, port);
            case Completion.Failed<Inode>(Failure why)
                when !small.isEmpty() && home.takesPlaced(why) ->
                commitPlaced(port);
            case Completion.Failed<Inode> failed -> {
              if (commit.wasApplied()) {
                dropPrivate();
              }
              port.complete(failed.cast());
            }
          }
        });
  }

  /**
   * Somebody was quicker, or has replaced or deleted the file.
   *
   * @param conflict the end where nobody was: then another attempt would find the same
   */
  private void lookAgain(Failure.Conflict conflict, CompletionPort<Unit> port) {
    home.reading()
        .<Inode>query(
            this::present,
            port.then(
                found -> {
                  PrivateSpace present = editor().space();
                  if (found.version() == inode.version()) {
                    port.complete(Completion.failed(conflict));
                  } else if (present.hasSpilled()) {
                    port.complete(Completion.failed(home.changed(name)));
                  } else {
                    mergeAgain(
                        present.patches().operations(), port.then(merged -> commitCollected(port)));
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
      case Patches.Operation.Truncate(long size) -> editor().truncate(size, next);
      case Patches.Operation.Write(long offset, ByteBuffer bytes, boolean append) ->
          editor().write(append ? sizeBytes() : offset, bytes.duplicate(), append, next);
      case Patches.Operation.Gather(long offset, long length) ->
          editor().gather(offset, length, next);
      case Patches.Operation.Splice(long offset, long removed, ByteBuffer bytes) -> {
        if (offset + removed > sizeBytes()) {
          // Somebody else has cut off what it is about.
          port.complete(Completion.failed(home.changed(name)));
        } else {
          editor().splice(offset, removed, bytes.duplicate(), next);
        }
      }
    }
  }

  private void dropPrivate() {
    RangeEditor dropped = editor;
    if (dropped != null) {
      editor = null;
      dropped.space().close();
    }
    unmerged = List.of();
  }

  private void fail(CompletionPort<Unit> port, Failure failure) {
    home.dispatcher().complete(port, Completion.failed(failure));
  }
}
