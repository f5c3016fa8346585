package dev.upcall.txn;

import dev.upcall.buffer.BrokenBuffers;
import dev.upcall.io.Disk;
import dev.upcall.io.IoClass;
import dev.upcall.segment.BrokenPages;
import dev.upcall.sim.SimWorld;
import java.util.EnumSet;
import java.util.Set;

/** Stores that are broken on purpose, and the one that is not. */
enum Canary {
  /** The store as it is. */
  SOUND(1),
  /** Records are acknowledged although nothing made them durable. */
  ACKNOWLEDGED_BEFORE_DURABLE(10),
  /** Commits do not wait for the sync of the extents that they name. */
  COMMIT_WITHOUT_SYNC(40),
  /** Large content is committed without a sync of its extents and its extent tree. */
  LARGE_CONTENT_WITHOUT_SYNC(500),
  /** The superblock is written before what it names is synced. */
  SUPERBLOCK_BEFORE_SYNC(150),
  /** Content is believed without looking at its checksum. */
  CHECKSUM_NOT_CHECKED(40),
  /** Tree pages are written to one of their two places. */
  SECOND_COPY_NOT_WRITTEN(20),
  /** The bits of a named snapshot are written to one of their two places. */
  SECOND_BITS_NOT_WRITTEN(40),
  /** Chunks of the free-space map are written to one of their two places. */
  SECOND_MAP_NOT_WRITTEN(40),
  /** A tree page whose first copy is damaged is taken for lost. */
  SECOND_COPY_NOT_READ(200),
  /** {@link StoreFault#REUSE_BEFORE_CHECKPOINT}. */
  REUSE_BEFORE_CHECKPOINT(40),
  /** {@link StoreFault#RELEASE_AT_FREEZE}. */
  RELEASE_AT_FREEZE(60),
  /** {@link StoreFault#READERS_FORGOTTEN}. */
  READERS_FORGOTTEN(150),
  /** {@link StoreFault#UNPLACED_IMAGE_SKIPPED}. */
  UNPLACED_IMAGE_SKIPPED(60),
  /** {@link StoreFault#REPLAY_POINT_TOO_LATE}. */
  REPLAY_POINT_TOO_LATE(60),
  /** {@link StoreFault#FLUSH_TOO_EARLY}. */
  FLUSH_TOO_EARLY(100),
  /** {@link StoreFault#LOSS_UNBOUNDED}. */
  LOSS_UNBOUNDED(100),
  /** {@link StoreFault#RANGES_NOT_COUNTED}. */
  RANGES_NOT_COUNTED(900),
  /** {@link StoreFault#PUNCH_WHILE_ALLOCATABLE}. */
  PUNCH_WHILE_ALLOCATABLE(150),
  /** {@link StoreFault#PUNCH_BEFORE_CHECKPOINT}. */
  PUNCH_BEFORE_CHECKPOINT(150),
  /** {@link StoreFault#SNAPSHOT_NOT_PINNED}. */
  SNAPSHOT_NOT_PINNED(150),
  /** {@link StoreFault#SNAPSHOT_KEEPS_NOTHING}. */
  SNAPSHOT_KEEPS_NOTHING(100),
  /** {@link StoreFault#LOCK_RELEASED_EARLY}. */
  LOCK_RELEASED_EARLY(60),
  /** {@link StoreFault#TRANSACTION_NOT_VALIDATED}. */
  TRANSACTION_NOT_VALIDATED(60),
  /** {@link StoreFault#TRANSACTION_READS_LIVE}. */
  TRANSACTION_READS_LIVE(60),
  /** {@link StoreFault#CHANGED_BACK_UNNOTICED}. */
  CHANGED_BACK_UNNOTICED(60),
  /** {@link StoreFault#NAMES_NOT_FORGOTTEN}. */
  NAMES_NOT_FORGOTTEN(40),
  /** Ranges that a transaction wrote are committed for where the content lay then. */
  OVERTAKEN_UNNOTICED(200),
  /** {@link StoreFault#OWN_RANGES_HIDE_THE_REST}. */
  OWN_RANGES_HIDE_THE_REST(100),
  /** {@link StoreFault#HALF_A_TRANSACTION}. */
  HALF_A_TRANSACTION(60),
  /** {@link StoreFault#HALF_A_TRANSACTION_LOGGED}. */
  HALF_A_TRANSACTION_LOGGED(60),
  /** A store that is opened to be read only is opened like any other. */
  READ_ONLY_IGNORED(60),
  /** {@link StoreFault#SNAPSHOT_BEFORE_CHECKPOINT}. */
  SNAPSHOT_BEFORE_CHECKPOINT(100),
  /** {@link StoreFault#SNAPSHOTS_FORGOTTEN}. */
  SNAPSHOTS_FORGOTTEN(40),
  /** {@link StoreFault#DROP_FORGETS_OTHERS}. */
  DROP_FORGETS_OTHERS(40),
  /** {@link StoreFault#DROP_NOT_AWAITED}. */
  DROP_NOT_AWAITED(500),
  /** {@link StoreFault#NOTHING_PROMISED}. */
  NOTHING_PROMISED(900),
  /** A sync that failed is tried again, and believed. */
  FAILED_SYNC_RETRIED(900),
  /** {@link StoreFault#CLONE_NOT_COUNTED}. */
  CLONE_NOT_COUNTED(100),
  /** {@link StoreFault#FREED_ALTHOUGH_SHARED}. */
  FREED_ALTHOUGH_SHARED(100),
  /** {@link StoreFault#COUNT_NOT_LOGGED}. */
  COUNT_NOT_LOGGED(100);

  private final int seeds;

  Canary(int seeds) {
    this.seeds = seeds;
  }

  /** Within how many seeds the simulator has to notice. */
  int seeds() {
    return seeds;
  }

  /** The command that runs a seed again. */
  String replay(long seed) {
    return "./upcall-sim --seed " + seed + (this == SOUND ? "" : " --canary " + name());
  }

  Disk disk(SimWorld world) {
    return switch (this) {
      case ACKNOWLEDGED_BEFORE_DURABLE -> new LyingDisk(world, Set.of(IoClass.LOG), true);
      case COMMIT_WITHOUT_SYNC -> new LyingDisk(world, Set.of(IoClass.LOG), false);
      case LARGE_CONTENT_WITHOUT_SYNC ->
          new LyingDisk(world, Set.of(IoClass.FOREGROUND_WRITE), false);
      case SUPERBLOCK_BEFORE_SYNC -> new LyingDisk(world, Set.of(IoClass.BACKGROUND), false);
      case SECOND_COPY_NOT_WRITTEN -> new OneCopyDisk(world, OneCopyDisk.TREE_PAGE);
      case SECOND_BITS_NOT_WRITTEN -> new OneCopyDisk(world, OneCopyDisk.SNAPSHOT_BITS);
      case SECOND_MAP_NOT_WRITTEN -> new OneCopyDisk(world, OneCopyDisk.MAP_CHUNK);
      case FAILED_SYNC_RETRIED -> new RetryingDisk(world.disk());
      default -> world.disk();
    };
  }

  /** How a store is opened that is only to be read. */
  StoreOptions readOnly(StoreOptions options) {
    return this == READ_ONLY_IGNORED ? options : options.asReadOnly();
  }

  /** How an open store looks to its clients. */
  Store shown(Store store) {
    return this == OVERTAKEN_UNNOTICED ? StaleLayouts.over(store) : store;
  }

  void inject(Store store) {
    switch (this) {
      case CHECKSUM_NOT_CHECKED -> BrokenBuffers.believeEverything(store.access().buffers());
      case SECOND_COPY_NOT_READ -> BrokenPages.readNoSecondCopy(store.access().loader());
      case REUSE_BEFORE_CHECKPOINT -> inject(store, StoreFault.REUSE_BEFORE_CHECKPOINT);
      case RELEASE_AT_FREEZE -> inject(store, StoreFault.RELEASE_AT_FREEZE);
      case READERS_FORGOTTEN -> inject(store, StoreFault.READERS_FORGOTTEN);
      case UNPLACED_IMAGE_SKIPPED -> inject(store, StoreFault.UNPLACED_IMAGE_SKIPPED);
      case REPLAY_POINT_TOO_LATE -> inject(store, StoreFault.REPLAY_POINT_TOO_LATE);
      case FLUSH_TOO_EARLY -> inject(store, StoreFault.FLUSH_TOO_EARLY);
      case LOSS_UNBOUNDED -> inject(store, StoreFault.LOSS_UNBOUNDED);
      case RANGES_NOT_COUNTED -> inject(store, StoreFault.RANGES_NOT_COUNTED);
      case CHANGED_BACK_UNNOTICED -> inject(store, StoreFault.CHANGED_BACK_UNNOTICED);
      case NAMES_NOT_FORGOTTEN -> inject(store, StoreFault.NAMES_NOT_FORGOTTEN);
      case PUNCH_WHILE_ALLOCATABLE -> inject(store, StoreFault.PUNCH_WHILE_ALLOCATABLE);
      case PUNCH_BEFORE_CHECKPOINT -> inject(store, StoreFault.PUNCH_BEFORE_CHECKPOINT);
      case SNAPSHOT_NOT_PINNED -> inject(store, StoreFault.SNAPSHOT_NOT_PINNED);
      case NOTHING_PROMISED -> inject(store, StoreFault.NOTHING_PROMISED);
      case SNAPSHOT_KEEPS_NOTHING -> inject(store, StoreFault.SNAPSHOT_KEEPS_NOTHING);
      case LOCK_RELEASED_EARLY -> inject(store, StoreFault.LOCK_RELEASED_EARLY);
      case TRANSACTION_NOT_VALIDATED -> inject(store, StoreFault.TRANSACTION_NOT_VALIDATED);
      case TRANSACTION_READS_LIVE -> inject(store, StoreFault.TRANSACTION_READS_LIVE);
      case OWN_RANGES_HIDE_THE_REST -> inject(store, StoreFault.OWN_RANGES_HIDE_THE_REST);
      case HALF_A_TRANSACTION -> inject(store, StoreFault.HALF_A_TRANSACTION);
      case HALF_A_TRANSACTION_LOGGED -> inject(store, StoreFault.HALF_A_TRANSACTION_LOGGED);
      case SNAPSHOT_BEFORE_CHECKPOINT -> inject(store, StoreFault.SNAPSHOT_BEFORE_CHECKPOINT);
      case SNAPSHOTS_FORGOTTEN -> inject(store, StoreFault.SNAPSHOTS_FORGOTTEN);
      case DROP_FORGETS_OTHERS -> inject(store, StoreFault.DROP_FORGETS_OTHERS);
      case DROP_NOT_AWAITED -> inject(store, StoreFault.DROP_NOT_AWAITED);
      case CLONE_NOT_COUNTED -> inject(store, StoreFault.CLONE_NOT_COUNTED);
      case FREED_ALTHOUGH_SHARED -> inject(store, StoreFault.FREED_ALTHOUGH_SHARED);
      case COUNT_NOT_LOGGED -> inject(store, StoreFault.COUNT_NOT_LOGGED);
      default -> {}
    }
  }

  private static void inject(Store store, StoreFault fault) {
    ((StoreEngine) store).inject(EnumSet.of(fault));
  }
}
