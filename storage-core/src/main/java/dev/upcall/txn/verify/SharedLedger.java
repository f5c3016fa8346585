package dev.upcall.txn.verify;

import dev.upcall.txn.state.SharedRun;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How many users shared blocks should have, and how many a verification has found. */
final class SharedLedger {
  private final TreeMap<Long, Counted> runs = new TreeMap<>();
  private long blocks;

  /** Hears of blocks that have fewer users than they should. */
  interface Missing {
    /** A block, the number of its users as counted, and as found. */
    void found(long block, int users, int found);
  }

  /** A run, and for each of its blocks how often it was found after the first time. */
  private record Counted(SharedRun run, int[] again) {}

  /** Adds a run; false if part of it is counted already. */
  boolean add(SharedRun run) {
    Map.Entry<Long, Counted> before = runs.lowerEntry(run.end());
    if (before != null && before.getValue().run().end() > run.block()) {
      return false;
    }
    runs.put(run.block(), new Counted(run, new int[Math.toIntExact(run.blocks())]));
    blocks += run.blocks();
    return true;
  }

  /** How many blocks are shared. */
  long blocks() {
    return blocks;
  }

  /** How many users a block should have. */
  int users(long block) {
    Counted counted = at(block);
    return counted == null ? 1 : counted.run().users();
  }

  /** One more user of a block was found; false if those before were all. */
  boolean claimAgain(long block) {
    Counted counted = at(block);
    if (counted == null) {
      return false;
    }
    int found = 2 + counted.again()[(int) (block - counted.run().block())]++;
    return found <= counted.run().users();
  }

  /** Reports the first block of each run that does not have all its users. */
  void forEachMissing(Missing port) {
    for (Counted counted : runs.values()) {
      for (int i = 0; i < counted.again().length; i++) {
        int found = 1 + counted.again()[i];
        if (found < counted.run().users()) {
          port.found(counted.run().block() + i, counted.run().users(), found);
          break;
        }
      }
    }
  }

  private @Nullable Counted at(long block) {
    Map.Entry<Long, Counted> entry = runs.floorEntry(block);
    return entry == null || entry.getValue().run().end() <= block ? null : entry.getValue();
  }
}
