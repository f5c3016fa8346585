package dev.upcall.io;

import dev.upcall.fsm.Limits;

/**
 * The shares of the classes in {@link FairSharePolicy}.
 *
 * @param depth requests in flight of all classes but {@code LOG}, which has a depth of its own
 * @param logDepth log requests in flight
 * @param backgroundDepth background requests in flight while any other class has something to do;
 *     alone, the background may use the whole depth
 * @param readWeight the share of foreground reads
 * @param writeWeight the share of foreground writes
 * @param backgroundWeight the share of the background
 * @param requestCostBlocks what a request costs beside its blocks, in blocks: seek, or overhead
 */
public record FairShareConfig(
    int depth,
    int logDepth,
    int backgroundDepth,
    int readWeight,
    int writeWeight,
    int backgroundWeight,
    int requestCostBlocks) {

  /** Checks the limits. */
  public FairShareConfig {
    Limits.within("depth", depth, 1, 1 << 16);
    Limits.within("logDepth", logDepth, 1, 1 << 16);
    Limits.within("backgroundDepth", backgroundDepth, 1, depth);
    Limits.within("readWeight", readWeight, 1, 1000);
    Limits.within("writeWeight", writeWeight, 1, 1000);
    Limits.within("backgroundWeight", backgroundWeight, 1, 1000);
    Limits.within("requestCostBlocks", requestCostBlocks, 0, 1 << 16);
  }

  /** Reads get twice what writes get, and eight times what the background gets. */
  public static FairShareConfig defaults() {
    return new FairShareConfig(128, 32, 8, 8, 4, 1, 4);
  }
}
