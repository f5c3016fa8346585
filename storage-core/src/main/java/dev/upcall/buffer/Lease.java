package dev.upcall.buffer;

import dev.upcall.fsm.Invariants;
import dev.upcall.io.Disk;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The right to use the bytes of a frame, or of a part of it, until {@link #release}. As long as a
 * lease is out the memory stays where it is and its content stays as it is, whatever happens to the
 * blocks on disk.
 *
 * <p>The holder of a lease from {@link BufferManager#allocate} may write until it publishes; every
 * other holder may only read.
 */
public final class Lease {
  private final BufferManager manager;
  final Frame frame;
  private final LeaseOwner owner;
  // Copied here because other threads may ask for the bytes.
  private final ByteBuffer region;
  private final int offsetBytes;
  private final int firstBlockInFrame;
  private int blocks;
  private int references = 1;

  // The ledger's links and notes.
  @Nullable Lease previous;
  @Nullable Lease next;
  final long sinceNanos;
  final @Nullable Throwable origin;

  Lease(
      BufferManager manager,
      Piece piece,
      LeaseOwner owner,
      long sinceNanos,
      @Nullable Throwable origin) {
    this.manager = manager;
    this.frame = piece.frame();
    this.owner = owner;
    this.region = manager.memory().regionOf(frame.page());
    this.offsetBytes = manager.memory().offsetOf(frame.page()) + piece.offsetBytes();
    this.firstBlockInFrame = piece.offset();
    this.blocks = piece.blocks();
    this.sinceNanos = sinceNanos;
    this.origin = origin;
  }

  /**
   * The bytes: a new direct little-endian buffer over them, position 0, limit {@link #sizeBytes},
   * aligned to a block. Any thread.
   */
  public ByteBuffer buffer() {
    return region.slice(offsetBytes, sizeBytes()).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** How many blocks. */
  public int blocks() {
    return blocks;
  }

  /** How many bytes: whole blocks. */
  public int sizeBytes() {
    return blocks * Disk.BLOCK_BYTES;
  }

  /** The address of the first block, or -1 as long as the content has none. Owner's thread. */
  public long firstBlock() {
    long block = frame.firstBlock();
    return block < 0 ? block : block + firstBlockInFrame;
  }

  /** Who holds it. */
  public LeaseOwner owner() {
    return owner;
  }

  /** One more {@link #release} will be needed. The dispatcher's thread only. */
  public Lease retain() {
    manager.dispatcher().checkOwner();
    Invariants.check(references > 0, "retain of a released lease", this);
    references++;
    return this;
  }

  /**
   * Gives it back. From any thread: from another than the dispatcher's it is a message that joins
   * others of its kind, and the sender must not touch the bytes any more. Once too often is a
   * programmer's error and stops the store.
   */
  public void release() {
    if (manager.dispatcher().isOwner()) {
      releaseHere();
    } else {
      manager.returns().send(this);
    }
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
