package dev.upcall.txn.dedup;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentStager;
import dev.upcall.content.LeaseOwner;
import dev.upcall.content.StagedContent;
import dev.upcall.fsm.Faults;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.segment.DedupConfig;
import dev.upcall.segment.Stager;
import dev.upcall.segment.layout.KnownContent;
import dev.upcall.segment.layout.Staged;
import dev.upcall.txn.Store;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * New content that may be what a file has already. When its first frame is full, a file that begins
 * with the same hash is looked for, held, and compared byte by byte from then on, and nothing is
 * written. At a difference what was compared is copied from that file, and the rest goes the way of
 * all content. Content that is the same to its end becomes a clone of the file in its commit; if
 * the file has changed by then, it is copied before that, too.
 *
 * <p>Hashing goes by slices of {@value #SLICE_BYTES} bytes, one in each upcall.
 */
public final class DedupStager extends StateMachine<DedupStager.State> implements ContentStager {
  /** Where the content stands. */
  public enum State {
    /** The first frame is not full: it may stay small. */
    COLLECTING,
    /** A file that begins with the same hash is looked for, and its beginning compared. */
    LOOKING,
    /** All is as in the file so far; nothing of it was kept but the first frame. */
    COMPARING,
    /** It is not the file's: what was compared is copied from there. */
    COPYING,
    /** It goes its way like any other content. */
    PLAIN,
    /** It is the file's, whole; a commit will say whether that still has it. */
    SAME,
    /** It was finished or given up. */
    OVER
  }

  /** The machine's legal moves. */
  public static final Transitions<State> TRANSITIONS =
      Transitions.of("Dedup", State.class, State.COLLECTING)
          .on("first frame is full", State.COLLECTING, State.LOOKING)
          .on("finish, small", State.COLLECTING, State.OVER)
          .on("begins as a file does", State.LOOKING, State.COMPARING)
          .on("no file begins like this", State.LOOKING, State.PLAIN)
          .on("differs", State.COMPARING, State.COPYING)
          .on("finish, all is the same", State.COMPARING, State.SAME)
          .on("the file has changed", State.SAME, State.COPYING)
          .on("taken or discarded", State.SAME, State.OVER)
          .on("copied", State.COPYING, State.PLAIN)
          .on("finish", State.PLAIN, State.OVER)
          .on("discard, or the file cannot be read", State.COPYING, State.OVER)
          .on("discard", State.COLLECTING, State.OVER)
          .on("discard", State.LOOKING, State.OVER)
          .on("discard", State.COMPARING, State.OVER)
          .on("discard", State.PLAIN, State.OVER)
          .build();

  private static final int SLICE_BYTES = 8 << 10;
  private static final Failure CLOSED = new Failure.Closed("new content that has ended");
  private static final Failure BUSY =
      new Failure.Busy(
          "requests at once for the same new content", "wait for the completion of the one before");

  private final Store store;
  private final Stager own;
  private final LeaseOwner owner;
  private final DedupConfig config;
  private final Faults faults;
  private final Hashes hashes;
  private List<byte[]> stale = List.of();
  private long sizeBytes;

  /** How much of what was compared lies with the own content, while it is copied. */
  private long ownBytes;

  private @Nullable Master master;
  private @Nullable ByteBuffer pendingBytes;
  private @Nullable CompletionPort<Unit> pendingAppend;
  private @Nullable CompletionPort<StagedContent> pendingFinish;

  /**
   * Begins empty content.
   *
   * @param store in which it is looked for; its transactions take nothing that was finished here
   * @param own takes what is to be stored; begun for this alone
   * @param owner of what is held meanwhile
   */
  public DedupStager(Store store, Stager own, LeaseOwner owner) {
    super(TRANSITIONS, store.dispatcher());
    this.store = store;
    this.own = own;
    this.owner = owner;
    this.config = own.dedup();
    this.faults = store.access().faults();
    this.hashes = new Hashes(config.hashBits());
  }

  @Override
  public long sizeBytes() {
    return sizeBytes;
  }

  @Override
  public void append(ByteBuffer bytes, CompletionPort<Unit> port) {
    Objects.requireNonNull(bytes, "bytes");
    if (!refuses(port)) {
      pendingBytes = bytes;
      pendingAppend = port;
      step();
    }
  }

  @Override
  public void finish(CompletionPort<StagedContent> port) {
    if (refuses(port)) {
      return;
    }
    switch (state()) {
      case COLLECTING -> {
        become(State.OVER);
        own.finish(port);
      }
      case PLAIN -> finishPlain(port);
      case COMPARING -> finishCompared(port);
      case LOOKING, COPYING, SAME, OVER ->
          throw new IllegalStateException("finish of content that is " + state());
    }
  }

  /** Tells who asks for more than one thing at a time, or behind the end. */
  private boolean refuses(CompletionPort<?> port) {
    Objects.requireNonNull(port, "port");
    boolean isBusy = pendingAppend != null || pendingFinish != null;
    Failure refusal = state() == State.OVER || state() == State.SAME ? CLOSED : null;
    if (isBusy) {
      refusal = BUSY;
    }
    if (refusal != null) {
      store.dispatcher().complete(port, Completion.failed(refusal));
    }
    return refusal != null;
  }

  @Override
  public void discard() {
    switch (state()) {
      case OVER -> own.discard();
      case SAME -> {
        // The holder of the finished content gives it up.
      }
      case COLLECTING, LOOKING, COMPARING, COPYING, PLAIN ->
          giveUp(new Failure.Cancelled("new content"));
    }
  }

  private void giveUp(Failure why) {
    become(State.OVER);
    letMasterGo();
    own.discard();
    endAppend(Completion.failed(why));
    CompletionPort<StagedContent> finish = pendingFinish;
    if (finish != null) {
      pendingFinish = null;
      store.dispatcher().complete(finish, Completion.failed(why));
    }
  }

  private void endAppend(Completion<Unit> completion) {
    CompletionPort<Unit> port = pendingAppend;
    if (port != null) {
      pendingAppend = null;
      pendingBytes = null;
      store.dispatcher().complete(port, completion);
    }
  }

  /** One slice of what is to be appended, in one upcall. */
  private void step() {
    ByteBuffer bytes = pendingBytes;
    if (bytes == null) {
      return;
    }
    if (!bytes.hasRemaining()) {
      endAppend(Completion.done());
      return;
    }
    switch (state()) {
      case COLLECTING -> {
        int room = (int) (config.prefixBytes() - sizeBytes);
        if (room == 0) {
          look();
        } else {
          store(bytes, room);
        }
      }
      case PLAIN -> store(bytes, SLICE_BYTES);
      case COMPARING -> compare(bytes);
      case LOOKING, COPYING, SAME, OVER ->
          throw new IllegalStateException("append to content that is " + state());
    }
  }

  private ByteBuffer next(ByteBuffer bytes, int most) {
    int length = Math.min(bytes.remaining(), Math.min(most, SLICE_BYTES));
    return bytes.slice(bytes.position(), length);
  }

  private void hashed(ByteBuffer bytes, ByteBuffer slice) {
    int length = slice.remaining();
    hashes.update(slice.duplicate());
    bytes.position(bytes.position() + length);
    sizeBytes += length;
  }

  private void store(ByteBuffer bytes, int most) {
    ByteBuffer slice = next(bytes, most);
    hashed(bytes, slice);
    own.append(slice, this::stored);
  }

  private void stored(Completion<Unit> completion) {
    if (completion instanceof Completion.Failed<Unit>) {
      endAppend(completion);
    } else {
      step();
    }
  }

  private void look() {
    become(State.LOOKING);
    MasterSearch search = new MasterSearch(hashes.endOfFirst());
    search.run(
        store,
        owner,
        completion -> {
          stale = List.copyOf(search.stale());
          switch (completion) {
            case Completion.Failed<Master> _ -> goOnPlain();
            case Completion.Done<Master>(Master found) when state() == State.OVER -> found.close();
            case Completion.Done<Master>(Master found) -> {
              master = found;
              comparePrefix(found, 0);
            }
          }
        });
  }

  private void goOnPlain() {
    if (state() != State.OVER) {
      letMasterGo();
      become(State.PLAIN);
      step();
    }
  }

  private void letMasterGo() {
    Master held = master;
    if (held != null) {
      master = null;
      held.close();
    }
  }

  /** Goes on plain where the first frame is no longer in memory alone. */
  private void comparePrefix(Master with, int from) {
    ByteBuffer kept = own.held();
    if (kept == null || with.file().sizeBytes() < sizeBytes) {
      goOnPlain();
    } else if (from == sizeBytes) {
      become(State.COMPARING);
      step();
    } else if (with.has(from)) {
      ByteBuffer theirs = with.at(from);
      int length = Math.min(theirs.remaining(), (int) sizeBytes - from);
      if (isSame(kept.slice(from, length), theirs.slice(theirs.position(), length))) {
        comparePrefix(with, from + length);
      } else {
        goOnPlain();
      }
    } else {
      with.read(
          from,
          read -> {
            if (read instanceof Completion.Failed<Unit>) {
              goOnPlain();
            } else {
              comparePrefix(with, from);
            }
          });
    }
  }

  private boolean isSame(ByteBuffer ours, ByteBuffer theirs) {
    return faults.has(DedupFault.HASH_BELIEVED) || ours.mismatch(theirs) < 0;
  }

  private void compare(ByteBuffer bytes) {
    Master with = held();
    if (sizeBytes == with.file().sizeBytes()) {
      diverge();
    } else if (with.has(sizeBytes)) {
      ByteBuffer theirs = with.at(sizeBytes);
      ByteBuffer slice = next(bytes, theirs.remaining());
      boolean isBelieved = faults.has(DedupFault.PREFIX_FOR_WHOLE);
      if (isBelieved || isSame(slice, theirs.slice(theirs.position(), slice.remaining()))) {
        hashed(bytes, slice);
        store.dispatcher().post(this::step);
      } else {
        diverge();
      }
    } else {
      with.read(
          sizeBytes,
          read -> {
            if (read instanceof Completion.Failed<Unit>) {
              diverge();
            } else {
              step();
            }
          });
    }
  }

  private Master held() {
    Master present = master;
    if (present == null) {
      throw new IllegalStateException("no file is held by content that is " + state());
    }
    return present;
  }

  private void diverge() {
    become(State.COPYING);
    ownBytes = config.prefixBytes();
    copyNext();
  }

  /** Brings what was compared to the own content, out of the file, which still is what it was. */
  private void copyNext() {
    if (state() == State.OVER) {
      return;
    }
    Master from = held();
    if (ownBytes == sizeBytes) {
      letMasterGo();
      become(State.PLAIN);
      CompletionPort<StagedContent> finish = pendingFinish;
      if (finish == null) {
        step();
      } else {
        pendingFinish = null;
        finishPlain(finish);
      }
    } else if (from.has(ownBytes)) {
      ByteBuffer theirs = from.at(ownBytes);
      int length = (int) Math.min(theirs.remaining(), sizeBytes - ownBytes);
      ownBytes += length;
      own.append(theirs.slice(theirs.position(), length), this::copied);
    } else {
      from.read(ownBytes, this::copied);
    }
  }

  private void copied(Completion<Unit> completion) {
    if (state() == State.OVER) {
      return;
    }
    switch (completion) {
      case Completion.Failed<Unit>(Failure why) -> giveUp(why);
      case Completion.Done<Unit> _ -> copyNext();
    }
  }

  private void finishPlain(CompletionPort<StagedContent> port) {
    become(State.OVER);
    byte[] key = hashes.key();
    own.finish(
        port.then(
            staged ->
                port.complete(
                    Completion.done(
                        new Staged.Hashed(key, config.maxEntries(), stale, (Staged) staged)))));
  }

  private void finishCompared(CompletionPort<StagedContent> port) {
    Master with = held();
    if (isWhole(with)) {
      become(State.SAME);
      store
          .dispatcher()
          .complete(
              port,
              Completion.done(
                  new Staged.Hashed(with.key(), config.maxEntries(), stale, new Same(with))));
    } else {
      pendingFinish = port;
      diverge();
    }
  }

  /** The hash is looked at once more: what memory has made of a byte since would show in it. */
  private boolean isWhole(Master with) {
    return sizeBytes == with.file().sizeBytes()
        && (faults.has(DedupFault.PREFIX_FOR_WHOLE) || Arrays.equals(hashes.key(), with.key()));
  }

  /** The content as the file's, until a commit has taken it or wants its own. */
  private final class Same implements Staged.Hashed.Same {
    private final Master with;

    Same(Master with) {
      this.with = with;
    }

    @Override
    public KnownContent file() {
      return with.file();
    }

    @Override
    public long sizeBytes() {
      return sizeBytes;
    }

    @Override
    public void copy(CompletionPort<Staged> port) {
      become(State.COPYING);
      ownBytes = config.prefixBytes();
      // Its owner has finished it: only a store that closes takes it away.
      CompletionPort<Staged> told =
          completion ->
              port.complete(
                  completion instanceof Completion.Failed<Staged>(Failure.Cancelled _)
                      ? Completion.failed(new Failure.Closed("the store"))
                      : completion);
      pendingFinish =
          told.then(staged -> told.complete(Completion.done(((Staged.Hashed) staged).own())));
      copyNext();
    }

    @Override
    public void letGo() {
      if (state() == State.SAME) {
        become(State.OVER);
        letMasterGo();
        own.discard();
      }
    }
  }
}
