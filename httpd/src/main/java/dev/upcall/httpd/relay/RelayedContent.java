package dev.upcall.httpd.relay;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.content.ContentSlice;
import dev.upcall.io.IoClass;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.Inode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A version that is held on another dispatcher, and maybe its first slice here. Made there, then
 * the asking dispatcher's. Slices could be released on any thread; their releases travel with what
 * else this turn asks, because a message of their own would wake the other side once more.
 */
final class RelayedContent implements PinnedContent {
  private final Relay relay;
  private final PinnedContent content;
  private final boolean closedAtHome;
  private final FirstSlices places;
  private @Nullable ContentSlice first;
  private boolean closed;

  /**
   * A version.
   *
   * @param closedAtHome whether that has happened, because nothing of it is left to be read
   * @param first its first slice, or null
   * @param places gets the place of the first slice back
   */
  RelayedContent(
      Relay relay,
      PinnedContent content,
      boolean closedAtHome,
      @Nullable ContentSlice first,
      FirstSlices places) {
    this.relay = relay;
    this.content = content;
    this.closedAtHome = closedAtHome;
    this.first = first;
    this.places = places;
  }

  /** Whether the first slice is here, and nobody has taken it. */
  boolean hasFirst() {
    return first != null;
  }

  @Override
  public Inode inode() {
    return content.inode();
  }

  /** {@inheritDoc} What is in memory here is the first slice, once. */
  @Override
  public @Nullable ContentSlice tryRead(long offset, int maxBytes) {
    Invariants.check(!closed, "read of content that was closed");
    ContentSlice here = first;
    if (here == null || PinnedContent.refuses(offset, maxBytes) != null || maxBytes == 0) {
      return null;
    }
    first = null;
    places.give();
    if (offset < here.sizeBytes()) {
      return Leased.of(here, (int) offset, maxBytes, relay);
    }
    relay.tell(here::release);
    return null;
  }

  @Override
  public void read(long offset, int maxBytes, IoClass ioClass, CompletionPort<ContentSlice> port) {
    Invariants.check(!closed && !closedAtHome, "read of content that was closed");
    relay.<ContentSlice>ask(
        answer -> readAtHome(offset, maxBytes, ioClass, answer),
        read ->
            port.complete(
                read.map(slice -> new Leased(slice, slice.buffers(), slice.sizeBytes(), relay))));
  }

  private void readAtHome(
      long offset, int maxBytes, IoClass ioClass, CompletionPort<ContentSlice> port) {
    ContentSlice slice = content.tryRead(offset, maxBytes);
    if (slice == null) {
      content.read(offset, maxBytes, ioClass, port);
    } else {
      port.complete(Completion.done(slice));
    }
  }

  @Override
  public void close() {
    Invariants.check(!closed, "content closed twice");
    closed = true;
    ContentSlice here = first;
    if (here != null) {
      first = null;
      places.give();
      relay.tell(here::release);
    }
    if (!closedAtHome) {
      relay.tell(content::close);
    }
  }

  /** A slice here, or a part of one; releases the whole there. */
  private record Leased(ContentSlice whole, List<ByteBuffer> buffers, int sizeBytes, Relay relay)
      implements ContentSlice {
    static ContentSlice of(ContentSlice whole, int from, int maxBytes, Relay relay) {
      if (from == 0 && maxBytes >= whole.sizeBytes()) {
        return new Leased(whole, whole.buffers(), whole.sizeBytes(), relay);
      }
      int size = Math.min(maxBytes, whole.sizeBytes() - from);
      List<ByteBuffer> buffers = new ArrayList<>();
      int skip = from;
      int left = size;
      for (ByteBuffer buffer : whole.buffers()) {
        int length = Math.clamp((long) buffer.remaining() - skip, 0, left);
        if (length > 0) {
          buffers.add(buffer.slice(buffer.position() + skip, length));
          left -= length;
        }
        skip = Math.max(0, skip - buffer.remaining());
      }
      Invariants.check(left == 0, "a slice is shorter than it says; bytes missing", left);
      return new Leased(whole, buffers, size, relay);
    }

    @Override
    public void release() {
      relay.tell(whole::release);
    }
  }
}
