package dev.upcall.threads.log;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.io.BlockDevice;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.locks.LockOrder;
import dev.upcall.space.Extent;
import dev.upcall.txn.log.LogBatch;
import dev.upcall.txn.log.LogWriter;
import dev.upcall.txn.log.RingTransfer;
import dev.upcall.txn.volume.VolumeLayout;
import org.jspecify.annotations.Nullable;

/**
 * Makes batches durable on the calling thread, as {@link LogWriter} says what that takes.
 *
 * @param device the volume
 * @param layout where the log lies in it
 */
record LogDevice(BlockDevice device, VolumeLayout layout) {
  /**
   * What became of a part of the ring.
   *
   * @param failure why it is not prepared, or null
   * @param synced whether no sync failed
   */
  record Prepared(@Nullable Failure failure, boolean synced) {}

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

  /** Prepares a part of the ring; a failure other than of the sync leaves all as it was. */
  Prepared prepare(Extent run) {
    assert LockOrder.holdsNone();
    for (var left = RingTransfer.preparing(layout, run).iterator(); left.hasNext(); ) {
      Completion<Unit> step = device.perform(left.next().apply(ignored -> {}));
      if (step instanceof Completion.Failed<Unit>(Failure why)) {
        return new Prepared(why, /* synced= */ left.hasNext());
      }
    }
    return new Prepared(null, /* synced= */ true);
  }

  private Completion<Unit> sync() {
    return device.perform(new DiskRequest.Sync(IoClass.LOG, ignored -> {}));
  }
}
