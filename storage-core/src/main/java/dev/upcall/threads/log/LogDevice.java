package dev.upcall.threads.log;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.io.BlockDevice;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.locks.LockOrder;
import dev.upcall.txn.log.LogBatch;
import dev.upcall.txn.log.LogWriter;
import dev.upcall.txn.log.RingTransfer;
import dev.upcall.txn.volume.VolumeLayout;

/**
 * Makes batches durable on the calling thread, as {@link LogWriter} says what that takes.
 *
 * @param device the volume
 * @param layout where the log lies in it
 */
record LogDevice(BlockDevice device, VolumeLayout layout) {
  /**
   * Writes a sealed batch and makes it durable.
   *
   * @param position where in the log
   * @param syncFirst whether its named extents are synced before, and not after
   */
  Completion<Unit> write(LogBatch batch, long position, boolean syncFirst) {
    assert LockOrder.holdsNone();
    Completion<Unit> result = syncFirst ? sync() : Completion.done();
    boolean alone = batch.namedBytes() == 0 || syncFirst;
    RingTransfer.Kind kind = alone ? RingTransfer.Kind.DURABLE_WRITE : RingTransfer.Kind.WRITE;
    for (RingTransfer.Part part : RingTransfer.parts(layout, position, batch.run())) {
      if (result instanceof Completion.Done<Unit>) {
        result = device.perform(RingTransfer.request(kind, part, ignored -> {}));
      }
    }
    return result instanceof Completion.Done<Unit> && !alone ? sync() : result;
  }

  private Completion<Unit> sync() {
    return device.perform(new DiskRequest.Sync(IoClass.LOG, ignored -> {}));
  }
}
