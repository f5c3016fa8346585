package dev.upcall.segment;

import dev.upcall.base.Invariants;
import dev.upcall.buffer.BufferFault;
import dev.upcall.buffer.BufferManager;
import dev.upcall.buffer.Lease;
import dev.upcall.content.Loan;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The frames of new content that are being filled: by the dispatcher's thread, or in part by a
 * caller to whom they are lent. Dispatcher's thread only.
 */
final class Filling {
  private final BufferManager buffers;
  private List<Lease> leases = new ArrayList<>();
  private int bytes;

  /** What of them was lent last, whether it is filled or not. */
  private @Nullable Loan loan;

  Filling(BufferManager buffers) {
    this.buffers = buffers;
  }

  /** How much they hold. */
  int bytes() {
    return bytes;
  }

  int capacityBytes() {
    return DataRun.capacityBytes(leases);
  }

  int frames() {
    return leases.size();
  }

  Lease first() {
    return leases.getFirst();
  }

  List<Lease> leases() {
    return leases;
  }

  /** Whether a caller has still to fill some of it. */
  boolean isLent() {
    return loan != null && loan.isOpen();
  }

  /** One more frame, or a larger one in place of a small one. */
  void accept(Lease lease) {
    if (leases.size() == 1 && leases.getFirst().blocks() < ContentReader.CHUNK_BLOCKS) {
      Lease small = leases.removeFirst();
      ByteBuffer from = small.buffer();
      ByteBuffer to = lease.buffer();
      to.put(to.position(), from, from.position(), bytes);
      small.release();
    }
    leases.add(lease);
  }

  /** Copies as much as the last frame has room for, or lends that; returns how much it was. */
  int take(ByteBuffer from, int mostBytes, @Nullable Loan into) {
    int position = bytes - DataRun.FRAME_BYTES * (leases.size() - 1);
    ByteBuffer to = leases.getLast().buffer();
    int room = Math.min(to.remaining() - position, mostBytes);
    int length = Math.min(room, from.remaining());
    if (into == null) {
      to.put(to.position() + position, from, from.position(), length);
    } else {
      loan = into;
      into.add(from.slice(from.position(), length), to.slice(to.position() + position, length));
    }
    from.position(from.position() + length);
    bytes += length;
    return length;
  }

  /** All frames, which are filled, for who writes them. */
  List<Lease> takeAll() {
    List<Lease> all = leases;
    leases = new ArrayList<>();
    bytes = 0;
    loan = null;
    return all;
  }

  /** Gives the frames back as soon as nobody fills them; allocates only where somebody may. */
  void release() {
    if (isLent()) {
      releaseLent(Invariants.present(loan, "what is lent"));
    } else {
      leases.forEach(Lease::release);
      leases.clear();
      bytes = 0;
      loan = null;
    }
  }

  private void releaseLent(Loan lent) {
    List<Lease> all = takeAll();
    Runnable release = () -> all.forEach(Lease::release);
    boolean atOnce = buffers.isBroken(BufferFault.LENT_FRAMES_RELEASED);
    Runnable later = atOnce ? () -> {} : release;
    if (lent.takeBack(later) || atOnce) {
      release.run();
    }
  }
}
