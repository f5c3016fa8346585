package dev.upcall.txn;

import dev.upcall.tree.TreeConfig;
import java.util.random.RandomGenerator;

/**
 * How a store is opened.
 *
 * @param config limits
 * @param capBlocks what the volume may grow to, or 0 to keep what its superblock says
 * @param treeFanOut the most entries of a tree page, or 0 for as many as fit; small only in tests
 * @param random the only source of randomness: the number of this incarnation of the log
 */
public record StoreOptions(
    StoreConfig config, long capBlocks, int treeFanOut, RandomGenerator random) {

  /** The geometry of the trees on a volume. */
  TreeConfig treeConfig(long volumeId) {
    return treeFanOut == 0
        ? TreeConfig.standard(volumeId)
        : TreeConfig.ofFanOut(volumeId, treeFanOut);
  }
}
