package dev.upcall.fileman.machine;

import dev.upcall.completion.CompletionPort;
import dev.upcall.content.ContentSlice;
import dev.upcall.io.IoClass;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.Slices;
import dev.upcall.segment.layout.Inode;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A version whose content was copied: nothing is held, and no read waits. */
record CopiedContent(Inode inode, ByteBuffer bytes) implements PinnedContent {
  @Override
  public @Nullable ContentSlice tryRead(long offset, int maxBytes) {
    if (PinnedContent.refuses(offset, maxBytes) != null) {
      return null;
    }
    int from = (int) Math.min(offset, bytes.limit());
    int length = Math.min(maxBytes, bytes.limit() - from);
    return length == 0 ? Slices.empty() : Slices.unpinned(bytes.slice(from, length));
  }

  /** Not offered: {@link #tryRead} has all that there is. */
  @Override
  public void read(long offset, int maxBytes, IoClass ioClass, CompletionPort<ContentSlice> port) {
    throw new IllegalStateException("a copy is read at once");
  }

  @Override
  public void close() {}
}
