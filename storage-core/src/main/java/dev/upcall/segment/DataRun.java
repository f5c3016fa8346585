package dev.upcall.segment;

import dev.upcall.buffer.Lease;
import dev.upcall.io.Disk;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Neighbouring frames of new content that hold more than zeros.
 *
 * @param at how many blocks of the content lie before them
 * @param leases the frames, whose last may be filled in part
 * @param blocks how many blocks they hold
 */
record DataRun(long at, List<Lease> leases, int blocks) {
  /** The bytes of a whole frame. */
  static final int FRAME_BYTES = ContentReader.CHUNK_BLOCKS * Disk.BLOCK_BYTES;

  /** What of some frames is to be written; those of zeros are released. */
  static List<DataRun> of(List<Lease> leases, long from, int blocks) {
    List<DataRun> runs = new ArrayList<>();
    List<Lease> run = new ArrayList<>();
    long start = from;
    long at = from;
    for (Lease lease : leases) {
      int held = (int) Math.min(from + blocks - at, lease.blocks());
      if (isZero(lease, held)) {
        add(runs, run, start, at);
        run = new ArrayList<>();
        lease.release();
        start = at + held;
      } else {
        run.add(lease);
      }
      at += held;
    }
    add(runs, run, start, at);
    return runs;
  }

  private static void add(List<DataRun> runs, List<Lease> leases, long start, long end) {
    if (!leases.isEmpty()) {
      runs.add(new DataRun(start, leases, (int) (end - start)));
    }
  }

  private static boolean isZero(Lease lease, int blocks) {
    ByteBuffer buffer = lease.buffer();
    int at = buffer.position();
    int others = blocks * Disk.BLOCK_BYTES - 1;
    return buffer.get(at) == 0
        && buffer.slice(at, others).mismatch(buffer.slice(at + 1, others)) < 0;
  }

  /** Fills the last block of frames that hold so many bytes. */
  static void zeroTail(List<Lease> leases, int bytes) {
    if (bytes % Disk.BLOCK_BYTES != 0) {
      ByteBuffer last = leases.getLast().buffer();
      int used = bytes - FRAME_BYTES * (leases.size() - 1);
      zero(last, used, (used + Disk.BLOCK_BYTES - 1) / Disk.BLOCK_BYTES * Disk.BLOCK_BYTES);
    }
  }

  /** How much these frames hold. */
  static int capacityBytes(List<Lease> leases) {
    int blocks = 0;
    for (Lease lease : leases) {
      blocks += lease.blocks();
    }
    return blocks * Disk.BLOCK_BYTES;
  }

  /** A copy of the bytes of content that fits one frame, or has none. */
  static byte[] bytes(List<Lease> leases, int length) {
    byte[] bytes = new byte[length];
    if (!leases.isEmpty()) {
      ByteBuffer buffer = leases.getFirst().buffer();
      buffer.get(buffer.position(), bytes);
    }
    return bytes;
  }

  /** Fills a part of a frame. */
  static void zero(ByteBuffer buffer, int from, int to) {
    MemorySegment.ofBuffer(buffer).asSlice(from, to - from).fill((byte) 0);
  }
}
