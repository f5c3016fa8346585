package dev.upcall.access;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import dev.upcall.completion.Unit;
import dev.upcall.content.LeaseOwner;
import dev.upcall.content.StagedContent;
import dev.upcall.io.Disk;
import dev.upcall.pressure.PlaceQueue;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.PieceMap;
import dev.upcall.store.Durability;
import dev.upcall.txn.Overtaken;
import dev.upcall.txn.ReadSource;
import dev.upcall.txn.SegmentChange;
import dev.upcall.txn.SegmentMutations;
import dev.upcall.txn.Store;
import dev.upcall.txn.View;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
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

  /** Whether a policy has copied something for a cut, and whether none does any more. */
  private boolean copiedForCut;

  private boolean sparing;
  private boolean preparing;
  private boolean handedOver;
  private boolean over;

  /** Something in the place of a range. */
  public sealed interface Edit {
    /** Where the range begins. */
    long offset();

    /** How many bytes of it go. */
    long removed();

    /** How many bytes come. */
    long added();
  }

  /**
   * Bytes in the place of a range.
   *
   * @param bytes not changed while the edit is under way; its position stays
   */
  public record Splice(long offset, long removed, ByteBuffer bytes) implements Edit {
    @Override
    public long added() {
      return bytes.remaining();
    }
  }

  /**
   * A range of content in the place of another.
   *
   * @param source whose content: another segment as the change finds it, or the one that is edited
   *     as the edits before leave it
   * @param from where in it the range begins
   * @param added how many bytes it has; all of them are there
   */
  public record Copy(long offset, long removed, Segments.Target source, long from, long added)
      implements Edit {
    /** Whether content of a size has the range. */
    private boolean isOf(long sizeBytes) {
      return from <= sizeBytes - added;
    }
  }

  /**
   * What is done to one segment.
   *
   * @param as its metadata afterwards, with the size; whatever its layout
   * @param name what messages call it
   * @param edits in order; each ends within the content as the ones before leave it
   */
  public record Edited(Inode as, String name, List<Edit> edits) {
    /** Copies the list. */
    public Edited {
      edits = List.copyOf(edits);
    }
  }

  /**
   * What was made of one version of a segment.
   *
   * @param sources of which ranges were copied, by their ids, as they were
   */
  private record Prepared(
      Inode base,
      List<Edit> edits,
      Map<Long, Inode> sources,
      RangeEditor editor,
      Commit commit,
      long patchedBytes) {
    /**
     * Whether it is what is wanted now. As long as a source has its version, write-back moves only
     * what had no place, and that was copied.
     */
    boolean isFor(View view, Inode now, Edited edited) {
      return base.version() == now.version()
          && edits.equals(edited.edits())
          && sources.values().stream().allMatch(source -> isPresent(view, source));
    }

    private static boolean isPresent(View view, Inode source) {
      Inode now = view.inode(source.id());
      return now != null && now.version() == source.version();
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

  /**
   * Makes a change of the store that plans these edits. A cut in it is not refused for what its
   * file's policy has copied besides: on a full volume the change is planned again without.
   */
  public <T> void change(SegmentChange<T> change, Durability durability, CompletionPort<T> port) {
    store.changeSegment(
        change,
        durability,
        completion -> {
          if (completion instanceof Completion.Failed<T>(Failure.VolumeFull _)
              && !sparing
              && copiedForCut
              && !over) {
            sparing = true;
            prepared.values().forEach(Prepared::close);
            prepared.clear();
            change(change, durability, port);
          } else {
            port.complete(completion);
          }
        });
  }

  // ------------------------------------------------------------------ in the plan

  /** Says what the edits do. Throws {@link Overtaken} when something has to be brought first. */
  public void plan(View view, SegmentMutations out, List<Edited> all) {
    for (Edited edited : all) {
      Inode now = present(view, edited);
      Prepared have = prepared.get(now.id());
      if (have == null || !have.isFor(view, now, edited)) {
        if (handedOver) {
          throw new Refused(new Failure.Conflict(edited.name() + " was changed"));
        }
        throw new Overtaken(port -> prepare(lacking(all, view), port));
      }
    }
    // First, for all: what one gives up another may use.
    for (Edited edited : all) {
      Prepared have = prepared(edited);
      have.commit().planLent(out);
      have.sources().keySet().forEach(out::standsOn);
    }
    for (Edited edited : all) {
      prepared(edited).commit().plan(present(view, edited), edited.as(), out);
    }
  }

  private Prepared prepared(Edited edited) {
    return Invariants.present(prepared.get(edited.as().id()), "what an edit stands on");
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
              return have == null || !have.isFor(view, present(view, edited), edited);
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
        view -> found(view, edited.as().id(), edited.name()),
        owner,
        completion -> {
          switch (completion) {
            case Completion.Failed<PinnedContent>(Failure.NotFound _) -> prepareNext(left, port);
            case Completion.Failed<PinnedContent> failed -> port.complete(failed.cast());
            case Completion.Done<PinnedContent>(PinnedContent pinned)
                when !isWithin(pinned.inode(), edited.edits()) -> {
              pinned.close();
              prepareNext(left, port);
            }
            case Completion.Done<PinnedContent>(PinnedContent pinned) -> {
              pinned.name(edited.name());
              new Making(edited, pinned, port.then(made -> prepareNext(left, port))).start();
            }
          }
        });
  }

  /** What is no longer there the next plan will not find, but what is there instead. */
  private static Completion<Inode> found(View view, long segment, String name) {
    Inode now = view.inode(segment);
    return now == null ? Completion.failed(new Failure.NotFound(name)) : Completion.done(now);
  }

  /** Whether nobody has cut off since the plan what the edits are about. */
  private static boolean isWithin(Inode now, List<Edit> edits) {
    long size = now.size();
    for (Edit edit : edits) {
      if (edit.offset() > size
          || edit.removed() > size - edit.offset()
          || edit instanceof Copy copy && copy.source().id() == now.id() && !copy.isOf(size)) {
        return false;
      }
      size += edit.added() - edit.removed();
    }
    return true;
  }

  /** Makes the edits of one segment. */
  private final class Making {
    private final Edited edited;
    private final Inode base;
    private final RangeEditor editor;
    private final Iterator<Edit> left;
    private final Map<Long, Inode> sources = new TreeMap<>();
    private final CompletionPort<Unit> port;

    Making(Edited edited, PinnedContent pinned, CompletionPort<Unit> port) {
      this.edited = edited;
      this.base = pinned.inode();
      this.editor = new RangeEditor(store.access(), owner, pinned, sparing);
      this.left = edited.edits().iterator();
      this.port = port;
    }

    void start() {
      editor.space().unfold(base.layout(), ended().then(unfolded -> next()));
    }

    private CompletionPort<Unit> ended() {
      return completion -> {
        copiedForCut |= editor.hasCopiedForCut();
        if (completion instanceof Completion.Failed<Unit>) {
          editor.space().close();
          port.complete(completion);
        } else {
          made(base, edited, sources, editor, port);
        }
      };
    }

    /** What is no longer there the next plan will not find, but what is there instead. */
    private void giveUp() {
      editor.space().close();
      port.complete(Completion.done());
    }

    private void next() {
      if (!left.hasNext()) {
        fit(editor, ended());
        return;
      }
      CompletionPort<Unit> goingOn = ended().then(done -> store.dispatcher().post(this::next));
      switch (left.next()) {
        case Splice(long offset, long removed, ByteBuffer bytes) ->
            editor.splice(offset, removed, bytes.duplicate(), goingOn);
        case Copy copy when copy.source().id() == base.id() ->
            copy(copy, new OwnSource(editor), goingOn);
        case Copy copy -> copyOf(copy, goingOn);
      }
    }

    private void copy(Copy copy, RangeSource source, CompletionPort<Unit> goingOn) {
      PieceMap.Stretch range = new PieceMap.Stretch(copy.from(), copy.added());
      PieceMap.Stretch removed = new PieceMap.Stretch(copy.offset(), copy.removed());
      RangePut.Ranges ranges = new RangePut.Ranges(range, removed);
      new RangePut(store.access(), editor, source, ranges, goingOn).run();
    }

    private void copyOf(Copy copy, CompletionPort<Unit> goingOn) {
      reading.pin(
          view -> found(view, copy.source().id(), copy.source().name()),
          owner,
          completion -> {
            switch (completion) {
              case Completion.Failed<PinnedContent>(Failure.NotFound _) -> giveUp();
              case Completion.Failed<PinnedContent> failed -> goingOn.complete(failed.cast());
              case Completion.Done<PinnedContent>(PinnedContent pinned) -> {
                pinned.name(copy.source().name());
                Inode source = pinned.inode();
                Inode before = sources.putIfAbsent(source.id(), source);
                if (before != null && before.version() != source.version()
                    || !copy.isOf(source.size())) {
                  pinned.close();
                  giveUp();
                } else {
                  copy(copy, new PinnedSource(pinned), closing(pinned, goingOn));
                }
              }
            }
          });
    }

    private static CompletionPort<Unit> closing(PinnedContent pinned, CompletionPort<Unit> port) {
      return completion -> {
        pinned.close();
        port.complete(completion);
      };
    }
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
      editor.spill(port);
    } else {
      port.complete(Completion.done());
    }
  }

  private void made(
      Inode base,
      Edited edited,
      Map<Long, Inode> sources,
      RangeEditor editor,
      CompletionPort<Unit> port) {
    PrivateSpace space = editor.space();
    Commit.Collected collected =
        new Commit.Collected(
            edited.name(),
            space.content(),
            editor.made(),
            space.hasSpilled() ? List.of() : space.patches().all());
    Commit commit = new Commit(store.access(), base, base.touched(timeNanos), collected);
    long patched = space.hasSpilled() ? 0 : space.patches().sizeBytes();
    prepared.put(base.id(), new Prepared(base, edited.edits(), sources, editor, commit, patched));
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
