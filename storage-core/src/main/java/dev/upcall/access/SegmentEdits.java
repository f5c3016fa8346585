package dev.upcall.access;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import dev.upcall.completion.Unit;
import dev.upcall.content.LeaseOwner;
import dev.upcall.content.StagedContent;
import dev.upcall.io.Disk;
import dev.upcall.pressure.PlaceQueue;
import dev.upcall.segment.Inode;
import dev.upcall.segment.PinnedContent;
import dev.upcall.txn.Overtaken;
import dev.upcall.txn.ReadSource;
import dev.upcall.txn.SegmentMutations;
import dev.upcall.txn.Store;
import dev.upcall.txn.View;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Edits in the middle of segments that are part of a larger change. Its plan says which; what they
 * read and write first is brought as a missing page is, by {@link Overtaken}, and again when
 * somebody else was quicker. So the change waits for nobody and refuses nothing that a plan over
 * what is there then would not refuse.
 *
 * <p>All of them together hold no more than one handle does, of which they take the place. What is
 * more than rides in the log with one commit is placed before. In a transaction it is a part of the
 * step that brought it. Dispatcher's thread only; must be closed, or handed over and discarded.
 */
public final class SegmentEdits implements StagedContent {
  private final Store store;
  private final ReadSource reading;
  private final LeaseOwner owner;
  private final long timeNanos;
  private final PlaceQueue.Place place;
  private final SortedMap<Long, Prepared> prepared = new TreeMap<>();
  private boolean preparing;
  private boolean handedOver;
  private boolean over;

  /**
   * Bytes in the place of a range.
   *
   * @param bytes not changed while the edit is under way; its position stays
   */
  public record Splice(long offset, long removed, ByteBuffer bytes) {}

  /**
   * What is done to one segment.
   *
   * @param as its metadata afterwards, with the size; whatever its layout
   * @param name what messages call it
   * @param splices in order; each ends within the content as the ones before leave it
   */
  public record Edited(Inode as, String name, List<Splice> splices) {
    /** Copies the list. */
    public Edited {
      splices = List.copyOf(splices);
    }
  }

  /** What was made of one version of a segment. */
  private record Prepared(
      Inode base, List<Splice> splices, RangeEditor editor, Commit commit, long patchedBytes) {
    boolean isFor(Inode now, Edited edited) {
      return base.version() == now.version() && splices.equals(edited.splices());
    }

    void close() {
      commit.ended();
      editor.space().close();
    }
  }

  /**
   * Edits, none so far.
   *
   * @param reading what the change sees: the store, or the transaction of which it is a step
   * @param timeNanos of the change
   */
  public SegmentEdits(Store store, ReadSource reading, LeaseOwner owner, long timeNanos) {
    this.store = store;
    this.reading = reading;
    this.owner = owner;
    this.timeNanos = timeNanos;
    this.place = store.access().writers().place();
  }

  /**
   * Takes the place that a handle with writes takes; {@code Busy} when that is too long in vain.
   */
  public void takePlace(CompletionPort<Unit> port) {
    if (place.tryTake()) {
      port.complete(Completion.done());
    } else {
      place.await(port);
    }
  }

  // ------------------------------------------------------------------ in the plan

  /** Says what the edits do. Throws {@link Overtaken} when something has to be brought first. */
  public void plan(View view, SegmentMutations out, List<Edited> all) {
    for (Edited edited : all) {
      Inode now = present(view, edited);
      Prepared have = prepared.get(now.id());
      if (have == null || !have.isFor(now, edited)) {
        if (handedOver) {
          throw new Refused(new Failure.Conflict(edited.name() + " was changed"));
        }
        throw new Overtaken(port -> prepare(lacking(all, view), port));
      }
    }
    for (Edited edited : all) {
      Inode now = present(view, edited);
      Prepared have = prepared.get(now.id());
      if (have != null) {
        have.commit().plan(now, edited.as(), out);
      }
    }
  }

  private static Inode present(View view, Edited edited) {
    Inode now = view.inode(edited.as().id());
    if (now == null) {
      throw new Refused(new Failure.NotFound(edited.name()));
    }
    return now;
  }

  /** Those that are not prepared for what is there now. */
  private List<Edited> lacking(List<Edited> all, View view) {
    return all.stream()
        .filter(
            edited -> {
              Prepared have = prepared.get(edited.as().id());
              return have == null || !have.isFor(present(view, edited), edited);
            })
        .toList();
  }

  // ------------------------------------------------------------------ fetch

  private void prepare(List<Edited> lacking, CompletionPort<Unit> port) {
    preparing = true;
    prepareNext(
        lacking.iterator(),
        completion -> {
          preparing = false;
          if (over) {
            release();
          }
          port.complete(completion);
        });
  }

  private void prepareNext(Iterator<Edited> left, CompletionPort<Unit> port) {
    if (!left.hasNext() || over) {
      port.complete(Completion.done());
      return;
    }
    Edited edited = left.next();
    Prepared old = prepared.remove(edited.as().id());
    if (old != null) {
      old.close();
    }
    reading.pin(
        view -> found(view, edited),
        owner,
        completion -> {
          switch (completion) {
            case Completion.Failed<PinnedContent>(Failure.NotFound _) -> prepareNext(left, port);
            case Completion.Failed<PinnedContent> failed -> port.complete(failed.cast());
            case Completion.Done<PinnedContent>(PinnedContent pinned)
                when !isWithin(pinned.inode().size(), edited.splices()) -> {
              pinned.close();
              prepareNext(left, port);
            }
            case Completion.Done<PinnedContent>(PinnedContent pinned) ->
                make(pinned, edited, port.then(made -> prepareNext(left, port)));
          }
        });
  }

  /** What is no longer there the next plan will not find, but what is there instead. */
  private static Completion<Inode> found(View view, Edited edited) {
    Inode now = view.inode(edited.as().id());
    return now == null
        ? Completion.failed(new Failure.NotFound(edited.name()))
        : Completion.done(now);
  }

  /** Whether nobody has cut off since the plan what the edits are about. */
  private static boolean isWithin(long sizeBytes, List<Splice> splices) {
    long size = sizeBytes;
    for (Splice splice : splices) {
      if (splice.offset() > size || splice.removed() > size - splice.offset()) {
        return false;
      }
      size += splice.bytes().remaining() - splice.removed();
    }
    return true;
  }

  private void make(PinnedContent pinned, Edited edited, CompletionPort<Unit> port) {
    Inode base = pinned.inode();
    RangeEditor editor = new RangeEditor(store.access(), owner, pinned);
    CompletionPort<Unit> edits =
        completion -> {
          if (completion instanceof Completion.Failed<Unit>) {
            editor.space().close();
            port.complete(completion);
          } else {
            made(base, edited, editor, port);
          }
        };
    editor
        .space()
        .unfold(
            base.layout(),
            edits.then(unfolded -> edit(editor, edited.splices().iterator(), edits)));
  }

  private void edit(RangeEditor editor, Iterator<Splice> left, CompletionPort<Unit> port) {
    if (!left.hasNext()) {
      fit(editor, port);
      return;
    }
    Splice next = left.next();
    editor.splice(
        next.offset(),
        next.removed(),
        next.bytes().duplicate(),
        port.then(done -> store.dispatcher().post(() -> edit(editor, left, port))));
  }

  /** What is too much to ride in the log with all others, or to be held with them, is placed. */
  private void fit(RangeEditor editor, CompletionPort<Unit> port) {
    PrivateSpace space = editor.space();
    long patches = space.patches().sizeBytes();
    long held = space.content().overlay().blocks();
    for (Prepared other : prepared.values()) {
      patches += other.patchedBytes();
      held += other.commit().frameBlocks();
    }
    boolean tooMuch =
        patches > store.access().unplacedBytes()
            || held * Disk.BLOCK_BYTES > store.access().writers().spillBytes();
    if (space.hasSpilled() || tooMuch) {
      space.spill(/* everything= */ true, port);
    } else {
      port.complete(Completion.done());
    }
  }

  private void made(Inode base, Edited edited, RangeEditor editor, CompletionPort<Unit> port) {
    PrivateSpace space = editor.space();
    Commit.Collected collected =
        new Commit.Collected(
            edited.name(),
            editor.sizeBytes(),
            space.content(),
            editor.pieces(),
            editor.removed(),
            space.hasSpilled() ? List.of() : space.patches().all());
    Commit commit = new Commit(store.access(), base, base.touched(timeNanos), collected);
    long patched = space.hasSpilled() ? 0 : space.patches().sizeBytes();
    prepared.put(base.id(), new Prepared(base, edited.splices(), editor, commit, patched));
    commit.prepare(port);
  }

  // ------------------------------------------------------------------ who has it

  /** A transaction has it now; it is given back when that discards it. */
  public void handOver() {
    handedOver = true;
    for (Prepared each : prepared.values()) {
      each.commit().handOver();
      each.editor().space().close();
    }
    place.leave();
  }

  /** The change is over, whatever its outcome: what nobody has taken is given back. */
  public void close() {
    over = true;
    if (!preparing) {
      release();
    }
  }

  private void release() {
    prepared.values().forEach(Prepared::close);
    prepared.clear();
    place.leave();
  }

  @Override
  public long sizeBytes() {
    return prepared.values().stream().mapToLong(each -> each.commit().sizeBytes()).sum();
  }

  @Override
  public long frameBlocks() {
    return prepared.values().stream().mapToLong(each -> each.commit().frameBlocks()).sum();
  }

  /** The transaction has ended that has it; of what was never handed over nothing happens. */
  @Override
  public void discard() {
    prepared.values().forEach(each -> each.commit().discard());
  }
}
