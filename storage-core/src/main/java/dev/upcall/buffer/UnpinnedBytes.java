package dev.upcall.buffer;

import dev.upcall.base.Invariants;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * Bytes in the memory of a frame that other threads may copy without a pin. They never change; but
 * the owner may let them go, and then their memory becomes something else. A copy is good if they
 * were not let go before it was done: so the copy is made, and then looked at whether it counts (a
 * sequence lock whose sequence has two values, since nothing is used a second time).
 */
public abstract class UnpinnedBytes {
  private static final VarHandle GONE = gone();

  private final ByteBuffer region;
  private final int offsetBytes;

  @SuppressWarnings("UnusedVariable") // through GONE
  private boolean gone;

  UnpinnedBytes(ByteBuffer region, int offsetBytes) {
    this.region = region;
    this.offsetBytes = offsetBytes;
  }

  private static VarHandle gone() {
    try {
      return MethodHandles.lookup().findVarHandle(UnpinnedBytes.class, "gone", boolean.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  /**
   * Copies a part of them; false, and any bytes, where they were let go before all were there. Any
   * thread.
   */
  public abstract boolean copy(int fromBytes, ByteBuffer into, int at, int lengthBytes);

  /** A part of them, as a new direct buffer of its own in Java's order. Any thread. */
  final ByteBuffer slice(int fromBytes, int lengthBytes) {
    return region.slice(offsetBytes + fromBytes, lengthBytes);
  }

  /** The copy itself. Any thread. */
  final boolean copyUnpinned(int fromBytes, ByteBuffer into, int at, int lengthBytes) {
    into.put(at, region, offsetBytes + fromBytes, lengthBytes);
    VarHandle.acquireFence(); // all bytes are there before the look
    return !(boolean) GONE.getOpaque(this);
  }

  /** Nobody's copy counts any more; before their memory is anybody else's. The owner's thread. */
  final void letGo() {
    Invariants.check(!gone, "bytes let go twice", offsetBytes);
    GONE.setOpaque(this, true);
    VarHandle.storeStoreFence(); // known before a new byte is
  }
}
