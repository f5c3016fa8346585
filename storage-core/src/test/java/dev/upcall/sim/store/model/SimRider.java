package dev.upcall.sim.store.model;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.ForwardingDisk;
import dev.upcall.io.IoClass;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Rides along with the writes of a store, which itself never asks for the same block twice at a
 * time: now and then it writes a block that no store uses twice and reads it, all at once. What it
 * reads is not what it wrote first, unless one of the three has failed.
 */
public final class SimRider extends ForwardingDisk {
  private static final int ONE_IN = 8;

  /** Before the log, behind the superblocks and what openers punch. */
  private static final long BLOCK = 3;

  private final long bornNanos;
  private int writes;

  /**
   * Rides with those who ask a disk behind a scheduler that keeps the order of what overlaps.
   *
   * @param bornNanos when this machine began, which no other one of the disk did
   */
  public SimRider(Disk scheduled, long bornNanos) {
    super(scheduled);
    this.bornNanos = bornNanos;
  }

  @Override
  public void submit(DiskRequest request) {
    pass(request);
    // A store that only reads must leave its volume as it is.
    if (request instanceof DiskRequest.Write || request instanceof DiskRequest.DurableWrite) {
      writes++;
      if (writes % ONE_IN == 0) {
        new Ride(writes).begin();
      }
    }
  }

  /** Two writes and a read. */
  private final class Ride {
    private final int number;
    private int written;

    Ride(int number) {
      this.number = number;
    }

    void begin() {
      write(-number);
      write(number);
      ByteBuffer into = Disk.newBuffer(Disk.BLOCK_BYTES);
      pass(
          new DiskRequest.Read(
              BLOCK,
              List.of(into),
              IoClass.FOREGROUND_READ,
              read -> {
                // Another machine that has taken over may have written there since.
                boolean allDone = read instanceof Completion.Done<Unit> && written == 2;
                SimInspection.checkThat(
                    !allDone
                        || into.getInt(0) != -number
                        || into.getLong(Integer.BYTES) != bornNanos,
                    "a scheduler has reordered what overlaps");
              }));
    }

    private void write(int value) {
      ByteBuffer from =
          Disk.newBuffer(Disk.BLOCK_BYTES).putInt(0, value).putLong(Integer.BYTES, bornNanos);
      CompletionPort<Unit> port = done -> written += done instanceof Completion.Done<Unit> ? 1 : 0;
      pass(new DiskRequest.Write(BLOCK, List.of(from), IoClass.FOREGROUND_WRITE, port));
    }
  }
}
