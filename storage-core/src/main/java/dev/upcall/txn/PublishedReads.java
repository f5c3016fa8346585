package dev.upcall.txn;

import dev.upcall.completion.Completion;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.segment.Inode;
import dev.upcall.tree.PageMissing;
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
  private final LongAdder answered = new LongAdder();

  /** Where the contents of files are found. */
  public interface Contents {
    /**
     * The content of a file as it was at a published SCN, or null: it is larger than asked, not all
     * in memory, or may be another one by now. Any thread.
     */
    byte @Nullable [] copy(Inode inode, long scn, int maxBytes);

    /** Somebody has not found one. The store's thread. */
    void wanted();
  }

  /** Looks at what is published. */
  public PublishedReads(Publication publication, Dispatcher dispatcher, Contents contents) {
    this.publication = publication;
    this.dispatcher = dispatcher;
    this.contents = contents;
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
    }
  }

  /** The whole content of a file that a query finds, or null, as {@link #look}. */
  public @Nullable Completion<byte[]> bytes(Query<Inode> which, int maxBytes) {
    return read(which, inode -> inode, maxBytes, (_, bytes) -> bytes);
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
      int maxBytes,
      BiFunction<S, byte[], T> with) {
    View view = view();
    try {
      return view == null ? null : read(view, which.run(view), file, maxBytes, with);
    } catch (PageMissing missing) {
      return null;
    }
  }

  private <S, T> @Nullable Completion<T> read(
      View view,
      Completion<S> found,
      Function<S, @Nullable Inode> file,
      int maxBytes,
      BiFunction<S, byte[], T> with) {
    return switch (found) {
      case Completion.Failed<S> failed -> answered(failed.cast());
      case Completion.Done<S>(S seen) -> {
        Inode inode = file.apply(seen);
        byte[] bytes = inode == null ? null : content(view, inode, maxBytes);
        yield bytes == null ? null : answered(Completion.done(with.apply(seen, bytes)));
      }
    };
  }

  /** The content of a file of a view, or null, as {@link #look}. Any thread. */
  public byte @Nullable [] content(View view, Inode inode, int maxBytes) {
    return contents.copy(inode, view.scn(), maxBytes);
  }

  private @Nullable View view() {
    return dispatcher.hasEnded() || dispatcher.failure() != null ? null : publication.view();
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
    if (dispatcher.recorder().inputNames() == null) {
      publication.wanted();
    }
  }

  /** As {@link #wanted}, where a content was asked for: frames are shared from now on. */
  public void contentsWanted() {
    wanted();
    contents.wanted();
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
