package dev.upcall.segment;

import dev.upcall.base.Invariants;
import dev.upcall.buffer.Lease;
import dev.upcall.content.ContentSlice;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The kinds of content slices. */
public final class Slices {
  private static final ContentSlice EMPTY = new Unpinned(List.of(), 0);

  private Slices() {}

  /** No bytes. */
  public static ContentSlice empty() {
    return EMPTY;
  }

  /** Bytes that need no pin: inline content and zeros. */
  public static ContentSlice unpinned(ByteBuffer bytes) {
    return new Unpinned(List.of(bytes), bytes.remaining());
  }

  /** Bytes in one frame; takes the lease over. */
  public static ContentSlice of(ByteBuffer bytes, Lease lease) {
    return new InFrame(List.of(bytes), bytes.remaining(), lease);
  }

  /** Bytes in several frames; takes the leases over. */
  static ContentSlice of(List<ByteBuffer> buffers, int sizeBytes, List<Lease> leases) {
    return new Pinned(buffers, sizeBytes, leases);
  }

  /** Slices of which each goes on where the one before it ends, as one; takes them over. */
  static ContentSlice joined(List<ContentSlice> parts) {
    if (parts.size() == 1) {
      return parts.getFirst();
    }
    List<ByteBuffer> buffers = new ArrayList<>();
    int bytes = 0;
    for (ContentSlice part : parts) {
      buffers.addAll(part.buffers());
      bytes += part.sizeBytes();
    }
    return new Joined(buffers, bytes, parts);
  }

  private record Unpinned(List<ByteBuffer> buffers, int sizeBytes) implements ContentSlice {
    @Override
    public void release() {}
  }

  /** Bytes in frames that its subclass lets go of. */
  private abstract static class Held implements ContentSlice {
    private final List<ByteBuffer> buffers;
    private final int sizeBytes;
    private boolean released;

    Held(List<ByteBuffer> buffers, int sizeBytes) {
      this.buffers = buffers;
      this.sizeBytes = sizeBytes;
    }

    @Override
    public List<ByteBuffer> buffers() {
      return buffers;
    }

    @Override
    public int sizeBytes() {
      return sizeBytes;
    }

    @Override
    public void release() {
      Invariants.check(!released, "content slice released twice");
      released = true;
      letGo();
    }

    abstract void letGo();
  }

  private static final class InFrame extends Held {
    private final Lease lease;

    InFrame(List<ByteBuffer> buffers, int sizeBytes, Lease lease) {
      super(buffers, sizeBytes);
      this.lease = lease;
    }

    @Override
    void letGo() {
      lease.release();
    }
  }

  private static final class Pinned extends Held {
    private final List<Lease> leases;

    Pinned(List<ByteBuffer> buffers, int sizeBytes, List<Lease> leases) {
      super(buffers, sizeBytes);
      this.leases = leases;
    }

    @Override
    void letGo() {
      leases.forEach(Lease::release);
    }
  }

  private static final class Joined extends Held {
    private final List<ContentSlice> parts;

    Joined(List<ByteBuffer> buffers, int sizeBytes, List<ContentSlice> parts) {
      super(buffers, sizeBytes);
      this.parts = parts;
    }

    @Override
    void letGo() {
      parts.forEach(ContentSlice::release);
    }
  }
}
