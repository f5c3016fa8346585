package dev.upcall.sim;

import dev.upcall.io.DiskRequest;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;

/** Decides what goes wrong on one device, as its plan says, and counts what did. */
final class Faults {
  private static final int MOST_BAD_BLOCKS = 8;

  private final SplittableRandom random;
  private final EnumMap<FaultKind, Long> counts = new EnumMap<>(FaultKind.class);
  private final BitSet bad = new BitSet();
  private FaultPlan plan = FaultPlan.NONE;
  private boolean failedOne;
  private long steps;
  private long syncs;
  private long roomRequests;

  Faults(SplittableRandom random) {
    this.random = random;
  }

  /**
   * From now on this goes wrong, and blocks that could not be read can; steps, syncs and requests
   * for room go on being counted.
   */
  void follow(FaultPlan next) {
    plan = next;
    bad.clear();
    failedOne = false;
  }

  void breakBlock(long block) {
    bad.set((int) block);
  }

  long steps() {
    return steps;
  }

  long syncs() {
    return syncs;
  }

  long roomRequests() {
    return roomRequests;
  }

  /** How often each kind has struck; those that did not are missing. */
  Map<FaultKind, Long> counts() {
    return new EnumMap<>(counts);
  }

  /** Whether an honest error has struck. */
  boolean hasFailed() {
    return counts.containsKey(FaultKind.READ_ERROR)
        || counts.containsKey(FaultKind.BAD_BLOCK)
        || counts.containsKey(FaultKind.WRITE_ERROR)
        || counts.containsKey(FaultKind.SYNC_ERROR);
  }

  /** One more submission or completion; whether the machine dies at it. */
  boolean crashesNow() {
    steps++;
    return steps == plan.strikes().crashAtStep() && struck(FaultKind.CRASH);
  }

  /** Whether a request that needs room gets none, although the device has some. */
  boolean hidesRoom() {
    roomRequests++;
    long from = plan.strikes().fullAtRoom();
    return from != 0 && roomRequests >= from;
  }

  /** The device refused for want of room. */
  void wasFull() {
    struck(FaultKind.FULL);
  }

  boolean straggles() {
    return draw(plan.rates().stragglers(), FaultKind.STRAGGLER);
  }

  /** Whether a request that is being submitted will fail. */
  boolean fails(DiskRequest request) {
    if (request instanceof DiskRequest.Stat) {
      return false;
    }
    FaultKind kind =
        switch (request) {
          case DiskRequest.Read read -> FaultKind.READ_ERROR;
          case DiskRequest.Sync sync -> FaultKind.SYNC_ERROR;
          default -> FaultKind.WRITE_ERROR;
        };
    if (kind == FaultKind.SYNC_ERROR && ++syncs == plan.strikes().failAtSync()) {
      return struck(kind);
    }
    long failAt = plan.strikes().failAtStep();
    if (!failedOne && failAt != 0 && steps + 1 >= failAt) {
      failedOne = true;
      return struck(kind);
    }
    FaultPlan.Rates rates = plan.rates();
    return switch (kind) {
      case READ_ERROR -> draw(rates.readErrors(), kind) || findsBadBlock(request);
      case SYNC_ERROR -> draw(rates.syncErrors(), kind);
      default -> {
        heal(request);
        yield draw(rates.writeErrors(), kind);
      }
    };
  }

  /** Whether a read touches a block that cannot be read, from now on if it could so far. */
  private boolean findsBadBlock(DiskRequest request) {
    int rate = plan.rates().badBlocks();
    if (rate == 0 && bad.isEmpty()) {
      return false;
    }
    int block = (int) request.firstBlock();
    int blocks = (int) request.blocks();
    int next = bad.nextSetBit(block);
    if (next >= 0 && next < block + blocks) {
      return struck(FaultKind.BAD_BLOCK);
    }
    boolean found = bad.cardinality() < MOST_BAD_BLOCKS && draw(rate, FaultKind.BAD_BLOCK);
    if (found) {
      bad.set(block + random.nextInt(blocks));
    }
    return found;
  }

  /** What is written can be read: the device puts it elsewhere. */
  private void heal(DiskRequest request) {
    if (!bad.isEmpty()) {
      int block = (int) request.firstBlock();
      bad.clear(block, block + (int) request.blocks());
    }
  }

  boolean losesWrite(long block, long blocks) {
    return mayLie(block, blocks) && draw(plan.rates().lost(), FaultKind.LOST_WRITE);
  }

  boolean misdirects(long block, long blocks) {
    return mayLie(block, blocks) && draw(plan.rates().misdirected(), FaultKind.MISDIRECTED);
  }

  boolean rots(long block, long blocks) {
    return mayLie(block, blocks) && draw(plan.rates().bitRot(), FaultKind.BIT_ROT);
  }

  /** Where a misdirected write lands on a device of this size. */
  long astray(long blocks, long sizeBlocks) {
    long end = Math.min(sizeBlocks, plan.endBlock());
    return plan.firstBlock() + random.nextLong(end - blocks - plan.firstBlock() + 1);
  }

  private boolean mayLie(long block, long blocks) {
    return block >= plan.firstBlock() && block + blocks <= plan.endBlock();
  }

  private boolean draw(int perMillion, FaultKind kind) {
    return perMillion > 0 && random.nextInt(1_000_000) < perMillion && struck(kind);
  }

  /** Counts one that has struck. */
  boolean struck(FaultKind kind) {
    counts.merge(kind, 1L, Long::sum);
    return true;
  }
}
