package dev.upcall.segment;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.content.ContentSlice;
import dev.upcall.io.IoClass;
import dev.upcall.segment.layout.Inode;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One version of a segment's content, held: whatever is written or deleted meanwhile, reads see
 * exactly this version until {@link #close}. Dispatcher's thread only. Must be closed; the space of
 * the version comes back only then.
 */
public interface PinnedContent extends AutoCloseable {
  /** The version's metadata. */
  Inode inode();

  /** The same content by the bytes of its block space; closing either closes both. */
  default PinnedContent space() {
    return this;
  }

  /**
   * Where a block of the block space is, and how far what is there goes. May throw {@code
   * PageMissing}. Of content that a store has pinned; who only reads through others does not know.
   */
  default ContentReader.Place place(long block) {
    throw new UnsupportedOperationException("content without places: " + this);
  }

  /**
   * Reads at most {@code maxBytes} (at most 1 MiB) from {@code offset}; fewer only where the
   * content ends, where one of its pieces ends, or where the implementation finds a natural border
   * (64 KiB); an empty slice at or behind the end. Sequential callers get read-ahead. Failures:
   * {@code Invalid} (a negative number), {@code Corrupt}, {@code Device}, {@code Closed}.
   */
  void read(long offset, int maxBytes, IoClass ioClass, CompletionPort<ContentSlice> port);

  /**
   * As {@link #read}, at once, if everything is in memory; else, and when {@code read} would refuse
   * the range, null and nothing was started.
   */
  @Nullable ContentSlice tryRead(long offset, int maxBytes);

  /**
   * Copies a range on any thread, from memory that nothing holds there. False, and any bytes, where
   * not all of it is in memory, or where it was not before the copy was done. Bytes that were
   * copied are those of this version, even if it is closed meanwhile.
   *
   * @param offset from 0 on
   * @param into the whole of it is filled, with no more than the content has from there on
   */
  default boolean copy(long offset, ByteBuffer into) {
    return false;
  }

  /** Why a range cannot be read, whatever the content, or null. */
  static @Nullable Failure refuses(long offset, int maxBytes) {
    if (offset < 0) {
      return new Failure.Invalid("offset " + offset + " of a read is negative");
    }
    return maxBytes < 0
        ? new Failure.Invalid("length " + maxBytes + " of a read is negative")
        : null;
  }

  /**
   * Says how failures name this content: by the path under which it was opened. Until then they
   * name its segment.
   */
  default void name(String path) {}

  /** Gives the version back. Slices already delivered stay valid until released. */
  @Override
  void close();
}
