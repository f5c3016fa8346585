package dev.upcall.txn.dedup;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentSlice;
import dev.upcall.io.IoClass;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.KnownContent;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The file that content is compared with, held, and the part of it that was read last. */
final class Master {
  private static final int READ_BYTES = 64 << 10;

  private final byte[] key;
  private final KnownContent file;
  private final PinnedContent content;
  private @Nullable ContentSlice slice;
  private long sliceFrom;
  private boolean isClosed;

  /**
   * A file that has begun as the content does, as its hash says.
   *
   * @param key of all of it
   * @param content which is closed by {@link #close}
   */
  Master(byte[] key, KnownContent file, PinnedContent content) {
    this.key = key;
    this.file = file;
    this.content = content;
  }

  byte[] key() {
    return key;
  }

  KnownContent file() {
    return file;
  }

  /** Whether a byte is in the part at hand. */
  boolean has(long offset) {
    ContentSlice part = slice;
    return part != null && sliceFrom <= offset && offset < sliceFrom + part.sizeBytes();
  }

  /** Makes that part the one at hand which begins with a byte; tells nobody once closed. */
  void read(long offset, CompletionPort<Unit> port) {
    content.read(
        offset,
        READ_BYTES,
        IoClass.FOREGROUND_READ,
        completion -> {
          switch (completion) {
            case Completion.Done<ContentSlice>(ContentSlice part) when isClosed -> part.release();
            case Completion.Failed<ContentSlice> _ when isClosed -> {
              // Nobody waits for it.
            }
            case Completion.Failed<ContentSlice> why -> port.complete(why.cast());
            case Completion.Done<ContentSlice>(ContentSlice part) -> {
              letGo();
              slice = part;
              sliceFrom = offset;
              port.complete(Completion.done());
            }
          }
        });
  }

  /** The bytes at hand from one on, as far as they lie together. */
  ByteBuffer at(long offset) {
    long skip = offset - sliceFrom;
    for (ByteBuffer buffer : Invariants.present(slice, "the part at hand").buffers()) {
      if (skip < buffer.remaining()) {
        return buffer.slice(buffer.position() + (int) skip, buffer.remaining() - (int) skip);
      }
      skip -= buffer.remaining();
    }
    throw new IllegalStateException("byte " + offset + " is not at hand");
  }

  private void letGo() {
    ContentSlice part = slice;
    if (part != null) {
      slice = null;
      part.release();
    }
  }

  /** Lets the file go. */
  void close() {
    isClosed = true;
    letGo();
    content.close();
  }
}
