package dev.upcall.fileman.blocking;

import dev.upcall.FileInfo;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.content.ContentSlice;
import dev.upcall.segment.PinnedContent;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** What a stream reads of a small file that it has copied: nothing is held open inside. */
final class CopySource implements FileReadStream.Source {
  private final Calls calls;
  private final FileInfo info;
  private final ByteBuffer bytes;
  private volatile boolean closed;

  /**
   * Of a copy.
   *
   * @param bytes all of it, from 0 to the limit; not changed
   */
  CopySource(Calls calls, FileInfo info, ByteBuffer bytes) {
    this.calls = calls;
    this.info = info;
    this.bytes = bytes;
  }

  @Override
  public FileInfo info() {
    return info;
  }

  @Override
  public int read(long offset, ByteBuffer into) {
    ByteBuffer found = range(offset, into.remaining());
    int count = found.remaining();
    if (count == 0 && into.hasRemaining()) {
      return -1;
    }
    into.put(found);
    return count;
  }

  @Override
  public ContentSlice slice(long offset, int maxBytes) {
    return dev.upcall.segment.Slices.unpinned(range(offset, maxBytes).asReadOnlyBuffer());
  }

  private ByteBuffer range(long offset, int maxBytes) {
    calls.checkOpen();
    Failure refusal = closed ? new Failure.Closed(info.name()) : refusal(offset, maxBytes);
    if (refusal != null) {
      throw UpcallException.of(refusal);
    }
    int from = (int) Math.min(offset, bytes.limit());
    return bytes.slice(from, Math.min(maxBytes, bytes.limit() - from));
  }

  private static @Nullable Failure refusal(long offset, int maxBytes) {
    return PinnedContent.refuses(offset, maxBytes);
  }

  @Override
  public void close() {
    closed = true;
  }
}
