package dev.upcall.txn.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.ForwardingDisk;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.FaultPlan;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import dev.upcall.txn.volume.LogPoint;
import dev.upcall.txn.volume.StoreRoot;
import dev.upcall.txn.volume.Superblock;
import dev.upcall.txn.volume.Superblocks;
import dev.upcall.txn.volume.VolumeLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many lives of a volume's superblock, ended by crashes; after each, one copy decays, too. */
class SuperblockCrashTest {
  private static final int SEEDS = 300;
  private static final int LIVES = 12;
  private static final int ROOTS = 16;
  private static final int ROOT_BYTES = 56;

  /** Superblocks that are broken on purpose, and those that are not. */
  enum Canary {
    /** As they are. */
    SOUND,
    /** The copies behind the log are not synced before those at the front are written. */
    NO_SYNC_BETWEEN,
    /** What a crash has left of a write is not repaired at the opening. */
    STALE_COPIES_LEFT,
    /** Only the copies at the front are looked at. */
    FRONT_COPIES_ONLY
  }

  @Test
  void aCrashLeavesTheOldOrTheNew() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      lives(seed, Canary.SOUND);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SOUND")
  void canariesAreCaught(Canary canary) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      try {
        lives(seed, canary);
      } catch (AssertionError | LogRecovery.Refused e) {
        return;
      }
    }
    throw new AssertionError(canary + " was not noticed in " + SEEDS + " seeds");
  }

  /** A superblock so long that a crash can tear it. */
  private static Superblock sequence(long sequence) {
    List<StoreRoot> roots = new ArrayList<>();
    for (int tree = 1; tree <= ROOTS; tree++) {
      byte[] root = new byte[ROOT_BYTES];
      Arrays.fill(root, (byte) (sequence + tree));
      roots.add(new StoreRoot(tree, root));
    }
    return new Superblock(
        7,
        sequence,
        sequence * 100,
        new LogPoint(sequence, sequence, 5, 6),
        roots,
        8,
        9,
        LogWorkload.LAYOUT,
        LogWorkload.VOLUME_BLOCKS,
        400,
        10,
        /* features= */ 0);
  }

  private static void lives(long seed, Canary canary) {
    SplittableRandom random = new SplittableRandom(seed);
    SimWorld world = new SimWorld(seed, SimDiskConfig.ofBlocks(LogWorkload.VOLUME_BLOCKS));
    Superblocks first = new Superblocks(world.dispatcher(), world.disk());
    world.<Unit>get(port -> first.write(sequence(1), port));
    long durable = 1;
    long tried = 1;
    for (int life = 0; life < LIVES; life++) {
      world.disk().setFaults(FaultPlan.crashAt(world.disk().steps() + 1 + random.nextInt(40)));
      Superblocks superblocks = new Superblocks(world.dispatcher(), new Broken(world, canary));
      Completion<Superblock> opened =
          canary == Canary.STALE_COPIES_LEFT
              ? world.await(port -> superblocks.read(superblock -> null, port))
              : world.await(port -> LogRecovery.open(superblocks, port));
      if (opened != null) {
        Superblock found = LogRecovery.value(opened);
        assertEquals(sequence(found.sequence()), found);
        assertTrue(
            found.sequence() >= durable && found.sequence() <= tried,
            "seed " + seed + ": " + found.sequence() + " of " + durable + " to " + tried);
        // Opening made it the only one: an older one may never come back.
        durable = found.sequence();
        tried = found.sequence();
        while (!world.disk().crashed()) {
          tried++;
          Superblock next = sequence(tried);
          if (world.<Unit>await(port -> superblocks.write(next, port)) != null) {
            durable = tried;
          }
        }
      }
      world.disk().crash();
      DiskImage image = world.disk().crashImage(random);
      if (opened != null) {
        // Opening made all copies whole, and a crash leaves two.
        image.flipBit(
            LogWorkload.LAYOUT.superblock(random.nextInt(VolumeLayout.SUPERBLOCK_COPIES)),
            random.nextInt(8 * Disk.BLOCK_BYTES));
      }
      world = world.reopen(image);
    }
  }

  /** The disk as a broken program would use it. */
  private static final class Broken extends ForwardingDisk {
    private final SimWorld world;
    private final Canary canary;
    private int syncs;

    Broken(SimWorld world, Canary canary) {
      super(world.disk());
      this.world = world;
      this.canary = canary;
    }

    @Override
    public void submit(DiskRequest request) {
      boolean forgotten = canary == Canary.NO_SYNC_BETWEEN && request instanceof DiskRequest.Sync;
      boolean unseen =
          canary == Canary.FRONT_COPIES_ONLY
              && request instanceof DiskRequest.Read read
              && read.block() > 1;
      if (unseen || (forgotten && syncs++ % 2 == 0)) {
        world.dispatcher().complete(request.port(), Completion.done());
      } else {
        pass(request);
      }
    }
  }
}
