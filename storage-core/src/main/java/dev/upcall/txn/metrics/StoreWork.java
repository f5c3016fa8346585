package dev.upcall.txn.metrics;

import dev.upcall.fsm.meter.DistributionSnapshot;
import dev.upcall.store.SpaceUse;
import java.util.Optional;

/**
 * What a store is doing and has done, besides what its log, buffers and disk count themselves; an
 * immutable copy. Counts are since the opening.
 *
 * @param requestsInside queries, changes and work of the store itself that have begun and not ended
 * @param requestsRefused queries and changes that got {@code Busy}
 * @param contentUnderWay new content that is being staged
 * @param versionsHeld versions of files that readers hold
 * @param dirtyPages tree pages that the next checkpoint has to write
 * @param cleanPageBytes heap memory of clean tree pages
 * @param pagesEvicted clean tree pages dropped to make room
 * @param pagesFromSecondCopy tree pages whose first copy was damaged
 * @param commitNanos from the moment a change was applied until it was durable
 * @param checkpointNanos how long the checkpoints took that became durable
 * @param checkpointsFailed checkpoints for which there was no room, or that could not be written
 * @param edits edits in the middle of files
 * @param editCopiedBytes what they, their policies and gathering copied of what was there
 * @param editPendingPieces pieces that they have made and that are in no commit yet
 * @param editUnusedBytes what they have left unused in the blocks of pieces, less what they have
 *     used or given back of it; may be negative
 * @param space what a walk has counted last; empty before the first since the opening
 */
public record StoreWork(
    int requestsInside,
    long requestsRefused,
    int contentUnderWay,
    int versionsHeld,
    long dirtyPages,
    long cleanPageBytes,
    long pagesEvicted,
    long pagesFromSecondCopy,
    DistributionSnapshot commitNanos,
    DistributionSnapshot checkpointNanos,
    long checkpointsFailed,
    long edits,
    long editCopiedBytes,
    long editPendingPieces,
    long editUnusedBytes,
    Optional<Counted> space) {
  /**
   * The count of a walk.
   *
   * @param scn the last commit that it has seen
   */
  public record Counted(long scn, SpaceUse space) {}
}
