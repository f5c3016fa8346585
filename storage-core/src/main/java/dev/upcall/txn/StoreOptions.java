package dev.upcall.txn;

import dev.upcall.coding.Codecs;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.io.seal.Seal;
import dev.upcall.io.trace.BlockTraffic;
import dev.upcall.tree.TreeConfig;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * How a store is opened.
 *
 * @param config limits
 * @param capBlocks what the volume may grow to, or 0 to keep what its superblock says
 * @param treeFanOut the most entries of a tree page, or 0 for as many as fit; small only in tests
 * @param random the only source of randomness: the number of this incarnation of the log
 * @param readOnly whether to leave the volume as it is, byte for byte. Such a store opens also
 *     where the volume is damaged, with what can be read of it; its {@code info()} says what is
 *     missing
 * @param firstLook what whoever opens the store must find in it; its failure is the opening's, and
 *     nothing was written before. Not asked of a store that is only read
 * @param frontLost whether the volume is opened to be written also where something else lies over
 *     its first blocks, which are written anew then; else such a volume is refused
 * @param traffic what is kept of the requests to the device, for {@code metrics()} to show
 * @param seal what the disk is behind if the volume is to be an encrypted one; null for a plain one
 * @param codecs what reads and writes compressed content
 */
public record StoreOptions(
    StoreConfig config,
    long capBlocks,
    int treeFanOut,
    RandomGenerator random,
    boolean readOnly,
    Query<Unit> firstLook,
    boolean frontLost,
    BlockTraffic traffic,
    @Nullable Seal seal,
    Codecs codecs) {

  private static final Query<Unit> NOTHING = view -> Completion.done();

  /** Options for a store that is read and written. */
  public StoreOptions(StoreConfig config, long capBlocks, int treeFanOut, RandomGenerator random) {
    this(
        config,
        capBlocks,
        treeFanOut,
        random,
        /* readOnly= */ false,
        NOTHING,
        /* frontLost= */ false,
        BlockTraffic.NONE,
        /* seal= */ null,
        Codecs.found());
  }

  /** The same for a store that is only read, or not. */
  public StoreOptions withReadOnly(boolean leftAsItIs) {
    return new StoreOptions(
        config,
        capBlocks,
        treeFanOut,
        random,
        leftAsItIs,
        firstLook,
        frontLost,
        traffic,
        seal,
        codecs);
  }

  /** The same for a store that is only read. */
  public StoreOptions asReadOnly() {
    return withReadOnly(true);
  }

  /** The same for a store in which something must be found. */
  public StoreOptions withFirstLook(Query<Unit> look) {
    return new StoreOptions(
        config, capBlocks, treeFanOut, random, readOnly, look, frontLost, traffic, seal, codecs);
  }

  /** The same for a volume over whose first blocks something else may lie. */
  public StoreOptions withFrontLost(boolean writtenAnew) {
    return new StoreOptions(
        config,
        capBlocks,
        treeFanOut,
        random,
        readOnly,
        firstLook,
        writtenAnew,
        traffic,
        seal,
        codecs);
  }

  /** The same for a store of whose requests to the device something is kept. */
  public StoreOptions withTraffic(BlockTraffic kept) {
    return new StoreOptions(
        config, capBlocks, treeFanOut, random, readOnly, firstLook, frontLost, kept, seal, codecs);
  }

  /** The same for an encrypted volume, behind whose seal the disk is. */
  public StoreOptions withSeal(@Nullable Seal behind) {
    return new StoreOptions(
        config,
        capBlocks,
        treeFanOut,
        random,
        readOnly,
        firstLook,
        frontLost,
        traffic,
        behind,
        codecs);
  }

  /** The same with other codecs. */
  public StoreOptions withCodecs(Codecs others) {
    return new StoreOptions(
        config,
        capBlocks,
        treeFanOut,
        random,
        readOnly,
        firstLook,
        frontLost,
        traffic,
        seal,
        others);
  }

  /** The geometry of the trees on a volume. */
  public TreeConfig treeConfig(long volumeId) {
    return treeFanOut == 0
        ? TreeConfig.standard(volumeId)
        : TreeConfig.ofFanOut(volumeId, treeFanOut);
  }
}
