package dev.upcall.httpd.relay;

import dev.upcall.base.Invariants;
import dev.upcall.completion.CompletionPort;
import dev.upcall.content.ContentSlice;
import dev.upcall.io.IoClass;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.Inode;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A copy that keeps its memory, and a place, until it is closed and what was read of it sent. */
final class CopyInPlace implements PinnedContent {
  private final PinnedContent copy;
  private final ByteBuffer memory;
  private final FirstSlices places;
  private boolean closed;
  private int users = 1;

  CopyInPlace(PinnedContent copy, ByteBuffer memory, FirstSlices places) {
    this.copy = copy;
    this.memory = memory;
    this.places = places;
  }

  /** A part of the copy, until it is released. */
  private final class Part implements ContentSlice {
    private final ContentSlice slice;
    private boolean released;

    Part(ContentSlice slice) {
      this.slice = slice;
      users++;
    }

    @Override
    public List<ByteBuffer> buffers() {
      return slice.buffers();
    }

    @Override
    public int sizeBytes() {
      return slice.sizeBytes();
    }

    @Override
    public void release() {
      Invariants.check(!released, "content slice released twice");
      released = true;
      slice.release();
      letGo();
    }
  }

  @Override
  public Inode inode() {
    return copy.inode();
  }

  @Override
  public @Nullable ContentSlice tryRead(long offset, int maxBytes) {
    ContentSlice slice = copy.tryRead(offset, maxBytes);
    return slice == null ? null : new Part(slice);
  }

  @Override
  public void read(long offset, int maxBytes, IoClass ioClass, CompletionPort<ContentSlice> port) {
    copy.read(offset, maxBytes, ioClass, port);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      copy.close();
      letGo();
    }
  }

  private void letGo() {
    if (--users == 0) {
      places.spare(memory);
      places.give();
    }
  }
}
