package dev.upcall.segment;

import dev.upcall.base.Invariants;
import dev.upcall.buffer.Lease;
import dev.upcall.content.ContentSlice;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

  private record Unpinned(List<ByteBuffer> buffers, int sizeBytes) implements ContentSlice {
    @Override
    public void release() {}
  }

  private static final class InFrame implements ContentSlice {
    private final List<ByteBuffer> buffers;
    private final int sizeBytes;
    private @Nullable Lease lease;

    InFrame(List<ByteBuffer> buffers, int sizeBytes, Lease lease) {
      this.buffers = buffers;
      this.sizeBytes = sizeBytes;
      this.lease = lease;
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
      Lease held = Invariants.present(lease, "content slice (released twice)");
      lease = null;
      held.release();
    }
  }

  private static final class Pinned implements ContentSlice {
    private final List<ByteBuffer> buffers;
    private final int sizeBytes;
    private @Nullable List<Lease> leases;

    Pinned(List<ByteBuffer> buffers, int sizeBytes, List<Lease> leases) {
      this.buffers = buffers;
      this.sizeBytes = sizeBytes;
      this.leases = leases;
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
      List<Lease> held = Invariants.present(leases, "content slice (released twice)");
      leases = null;
      for (Lease lease : held) {
        lease.release();
      }
    }
  }
}
