package dev.upcall.txn;

import dev.upcall.completion.Completion;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.HeapBudget;
import dev.upcall.segment.layout.Inode;
import dev.upcall.tree.PageMissing;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the state on other threads than the store's, which neither wait for it nor make it wait.
 * What they see is the present state as far as anybody could know: it has every change that was
 * acknowledged or seen before. They answer what is in memory; all else is the store's to find out.
 */
public final class PublishedReads {
  private final Publication publication;
  private final Dispatcher dispatcher;
  private final Contents contents;
  private final LongAdder answered;

  /** Where the contents of files are found. */
  public interface Contents {
    /**
     * The content of a file as it was at a published SCN, or the part of it for which there is
     * room; or null: there is none, or not all of that is in memory, or may be another one by now.
     * Any thread.
     */
    @Nullable ByteBuffer copy(Inode inode, long scn, Room room);

    /** Somebody has not found one. The store's thread. */
    void wanted();
  }

  /** Memory for the content of one file, or for a part of it. */
  @FunctionalInterface
  public interface Room {
    /**
     * For a content of so many bytes: the bytes that are wanted of it, no more than it has behind
     * {@link #fromByte}, in a buffer that they fill, whatever stands there; or null: too many.
     */
    @Nullable ByteBuffer of(long sizeBytes);

    /** The first byte that is wanted, if there is any. */
    default long fromByte() {
      return 0;
    }

    /** Whether the memory is there before it is asked for, so that it costs nothing in vain. */
    default boolean isAtHand() {
      return false;
    }

    /** An array that the content fills. */
    static Room inHeap(int maxBytes) {
      return size -> size <= maxBytes ? ByteBuffer.allocate((int) size) : null;
    }

    /** An array that a range fills, as far as the content goes. */
    static Room rangeInHeap(long fromByte, int maxBytes) {
      return new Range(fromByte, maxBytes);
    }

    /** The first bytes of a buffer. */
    static Room in(ByteBuffer memory) {
      return size -> size <= memory.capacity() ? memory.slice(0, (int) size) : null;
    }
  }

  private record Range(long fromByte, int maxBytes) implements Room {
    @Override
    public ByteBuffer of(long sizeBytes) {
      return ByteBuffer.allocate(Math.clamp(sizeBytes - fromByte, 0, maxBytes));
    }
  }

  /** Looks at what is published. */
  public PublishedReads(Publication publication, Dispatcher dispatcher, Contents contents) {
    this(publication, dispatcher, contents, new LongAdder());
  }

  private PublishedReads(
      Publication publication, Dispatcher dispatcher, Contents contents, LongAdder answered) {
    this.publication = publication;
    this.dispatcher = dispatcher;
    this.contents = contents;
    this.answered = answered;
  }

  /**
   * Looks at one state for good, until {@link #end}; they count as these do. Nothing that the state
   * has on disk may be given away before. The store's thread.
   */
  public PublishedReads at(View view) {
    PublishedReads fixed =
        new PublishedReads(new Publication(view::scn, () -> view), dispatcher, contents, answered);
    fixed.wanted();
    return fixed;
  }

  /**
   * What a query says, or null: then its caller asks the store, and has {@link #wanted} called
   * there. Any thread.
   */
  public <T> @Nullable Completion<T> look(Query<T> query) {
    View view = view();
    try {
      return view == null ? null : answered(query.run(view));
    } catch (PageMissing missing) {
      return null;
    } catch (OutOfMemoryError noRoom) {
      return answered(HeapBudget.failedFull());
    }
  }

  /** The whole content of a file that a query finds, or null, as {@link #look}. */
  public @Nullable Completion<byte[]> bytes(Query<Inode> which, int maxBytes) {
    return bytes(which, Room.inHeap(maxBytes));
  }

  /**
   * As many bytes of the content of a file that a query finds as a range has of it, or null, as
   * {@link #look}.
   *
   * @param fromByte from 0 on
   */
  public @Nullable Completion<byte[]> range(Query<Inode> which, long fromByte, int maxBytes) {
    return bytes(which, Room.rangeInHeap(fromByte, maxBytes));
  }

  @SuppressWarnings("ByteBufferBackingArray") // the content fills it
  private @Nullable Completion<byte[]> bytes(Query<Inode> which, Room inHeap) {
    return read(which, inode -> inode, inHeap, (_, bytes) -> bytes.array());
  }

  /**
   * What comes of a query and the whole content of the file that it finds, or null, as {@link
   * #look}.
   *
   * @param file which file that is; null for what has no content to be read
   */
  public <S, T> @Nullable Completion<T> read(
      Query<S> which,
      Function<S, @Nullable Inode> file,
      Room room,
      BiFunction<S, ByteBuffer, T> with) {
    View view = view();
    try {
      return view == null ? null : read(view, which.run(view), file, room, with);
    } catch (PageMissing missing) {
      return null;
    } catch (OutOfMemoryError noRoom) {
      return answered(HeapBudget.failedFull());
    }
  }

  private <S, T> @Nullable Completion<T> read(
      View view,
      Completion<S> found,
      Function<S, @Nullable Inode> file,
      Room room,
      BiFunction<S, ByteBuffer, T> with) {
    return switch (found) {
      case Completion.Failed<S> failed -> answered(failed.cast());
      case Completion.Done<S>(S seen) -> {
        Inode inode = file.apply(seen);
        ByteBuffer bytes = inode == null ? null : content(view, inode, room);
        yield bytes == null ? null : answered(Completion.done(with.apply(seen, bytes)));
      }
    };
  }

  /** The content of a file of a view, or null, as {@link #look}. Any thread. */
  public @Nullable ByteBuffer content(View view, Inode inode, Room room) {
    return contents.copy(inode, view.scn(), room);
  }

  private @Nullable View view() {
    boolean ended = dispatcher.hasEnded() || dispatcher.failure().isPresent();
    return ended || !dispatcher.heap().hasRoom() ? null : publication.view();
  }

  private <T> Completion<T> answered(Completion<T> completion) {
    answered.increment();
    return completion;
  }

  /**
   * A look had no answer: the next one shall find a view, unless what is asked of the store is
   * written down, looks too. The store's thread.
   */
  public void wanted() {
    dispatcher.checkOwner();
    if (dispatcher.recorder().inputNames().isEmpty()) {
      publication.wanted();
    }
  }

  /** As {@link #wanted}, where a content was asked for: frames are shared from now on. */
  public void contentsWanted() {
    wanted();
    contents.wanted();
  }

  /** Whether somebody has looked since this was asked last, or began. The store's thread. */
  public boolean takeUsed() {
    dispatcher.checkOwner();
    return publication.takeUsed();
  }

  /** From now on every look comes to the store. The store's thread. */
  public void end() {
    dispatcher.checkOwner();
    publication.end();
  }

  /** How many looks were answered. Any thread. */
  public long answered() {
    return answered.sum();
  }
}
