package dev.upcall.buffer;

import dev.upcall.base.Invariants;
import dev.upcall.content.LeaseOwner;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The right to use the bytes of a frame of a {@link BufferManager}, or of a part of it. */
final class FrameLease extends UnpinnedBytes implements Lease {
  private final BufferManager manager;
  final Frame frame;
  private final LeaseOwner owner;
  private final int firstBlockInFrame;
  private int blocks;
  private int references = 1;

  // The ledger's links and notes.
  @Nullable FrameLease previous;
  @Nullable FrameLease next;
  final long sinceNanos;
  final @Nullable Throwable origin;

  FrameLease(
      BufferManager manager,
      Piece piece,
      LeaseOwner owner,
      long sinceNanos,
      @Nullable Throwable origin) {
    // Copied here because other threads may ask for the bytes.
    super(
        manager.memory().regionOf(piece.frame().page),
        manager.memory().offsetOf(piece.frame().page) + piece.offsetBytes());
    this.manager = manager;
    this.frame = piece.frame();
    this.owner = owner;
    this.firstBlockInFrame = piece.offset();
    this.blocks = piece.blocks();
    this.sinceNanos = sinceNanos;
    this.origin = origin;
  }

  @Override
  public ByteBuffer buffer() {
    return slice(0, sizeBytes()).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public ByteBuffer buffer(int fromBytes, int lengthBytes) {
    Objects.checkFromIndexSize(fromBytes, lengthBytes, sizeBytes());
    return slice(fromBytes, lengthBytes);
  }

  @Override
  public boolean copy(int fromBytes, ByteBuffer into, int at, int lengthBytes) {
    return copyUnpinned(fromBytes, into, at, lengthBytes);
  }

  @Override
  public UnpinnedBytes unpinned() {
    return this;
  }

  @Override
  public int blocks() {
    return blocks;
  }

  @Override
  public long firstBlock() {
    long block = frame.firstBlock();
    return block < 0 ? block : block + firstBlockInFrame;
  }

  LeaseOwner owner() {
    return owner;
  }

  @Override
  public Lease retain() {
    manager.dispatcher().checkOwner();
    Invariants.check(references > 0, "retain of a released lease", this);
    references++;
    return this;
  }

  @Override
  public void release() {
    if (manager.dispatcher().isOwner()) {
      releaseHere();
    } else {
      manager.returns().send(this);
    }
  }

  @Override
  public void publish(BlockRun run) {
    manager.publish(this, run);
  }

  void releaseHere() {
    Invariants.check(references > 0, "double release", this);
    if (--references == 0) {
      manager.take(this);
    }
  }

  boolean isOut() {
    return references > 0;
  }

  void shrink(int remainingBlocks) {
    blocks = remainingBlocks;
  }

  @Override
  public String toString() {
    return "lease of " + owner + " on " + blocks + " blocks at " + firstBlock();
  }
}
