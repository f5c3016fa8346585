package dev.upcall.fileman.machine;

import dev.upcall.completion.CompletionPort;
import dev.upcall.content.ContentSlice;
import dev.upcall.io.IoClass;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.Inode;
import org.jspecify.annotations.Nullable;

/** Content whose reads are recorded as inputs. */
record RecordedContent(PinnedContent content, Inputs inputs, long number) implements PinnedContent {
  @Override
  public Inode inode() {
    return content.inode();
  }

  @Override
  public void read(long offset, int maxBytes, IoClass ioClass, CompletionPort<ContentSlice> port) {
    inputs.read(number, offset, maxBytes);
    content.read(offset, maxBytes, ioClass, port);
  }

  @Override
  public @Nullable ContentSlice tryRead(long offset, int maxBytes) {
    inputs.tryRead(number, offset, maxBytes);
    return content.tryRead(offset, maxBytes);
  }

  @Override
  public void close() {
    inputs.closed(number);
    content.close();
  }
}
