package dev.upcall.sim.store.plan;

import dev.upcall.access.TableEdits;
import dev.upcall.buffer.BufferFault;
import dev.upcall.fsm.Faults;
import dev.upcall.fsm.InjectedFaults;
import dev.upcall.io.Disk;
import dev.upcall.io.IoClass;
import dev.upcall.io.schedule.BrokenPolicy;
import dev.upcall.io.seal.Seal;
import dev.upcall.segment.paging.PageFault;
import dev.upcall.sim.LyingDisk;
import dev.upcall.sim.OneCopyDisk;
import dev.upcall.sim.RetryingDisk;
import dev.upcall.sim.SimWorld;
import dev.upcall.txn.EditFault;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreOptions;
import dev.upcall.txn.dedup.DedupFault;
import dev.upcall.txn.engine.StaleLayouts;
import dev.upcall.txn.state.StoreFault;
import dev.upcall.txn.volume.VolumeFault;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Stores that are broken on purpose, and the one that is not. */
public enum Canary {
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
  CHECKSUM_NOT_CHECKED(40, BufferFault.CHECKSUM_NOT_CHECKED),
  /** Tree pages are written to one of their two places. */
  SECOND_COPY_NOT_WRITTEN(20),
  /** The bits of a named snapshot are written to one of their two places. */
  SECOND_BITS_NOT_WRITTEN(40),
  /** Chunks of the free-space map are written to one of their two places. */
  SECOND_MAP_NOT_WRITTEN(40),
  /** A tree page whose first copy is damaged is taken for lost. */
  SECOND_COPY_NOT_READ(200, PageFault.SECOND_COPY_NOT_READ),
  /** {@link PageFault#ONLY_COPY_BELIEVED_TWICE}. */
  ONLY_COPY_BELIEVED_TWICE(200, PageFault.ONLY_COPY_BELIEVED_TWICE),
  /** {@link StoreFault#REUSE_BEFORE_CHECKPOINT}. */
  REUSE_BEFORE_CHECKPOINT(40, StoreFault.REUSE_BEFORE_CHECKPOINT),
  /** {@link StoreFault#RELEASE_AT_FREEZE}. */
  RELEASE_AT_FREEZE(60, StoreFault.RELEASE_AT_FREEZE),
  /** {@link StoreFault#READERS_FORGOTTEN}. */
  READERS_FORGOTTEN(150, StoreFault.READERS_FORGOTTEN),
  /** {@link StoreFault#UNPLACED_IMAGE_SKIPPED}. */
  UNPLACED_IMAGE_SKIPPED(60, StoreFault.UNPLACED_IMAGE_SKIPPED),
  /** {@link StoreFault#PLACES_TAKEN_FOR_SYNCED}. */
  PLACES_TAKEN_FOR_SYNCED(40, StoreFault.PLACES_TAKEN_FOR_SYNCED),
  /** {@link StoreFault#MAP_IMAGE_FOLLOWS_CHANGES}. */
  MAP_IMAGE_FOLLOWS_CHANGES(100, StoreFault.MAP_IMAGE_FOLLOWS_CHANGES),
  /** {@link StoreFault#REPLAY_POINT_TOO_LATE}. */
  REPLAY_POINT_TOO_LATE(60, StoreFault.REPLAY_POINT_TOO_LATE),
  /** {@link StoreFault#FLUSH_TOO_EARLY}. */
  FLUSH_TOO_EARLY(100, StoreFault.FLUSH_TOO_EARLY),
  /** {@link StoreFault#LOSS_UNBOUNDED}. */
  LOSS_UNBOUNDED(100, StoreFault.LOSS_UNBOUNDED),
  /** {@link StoreFault#RANGES_NOT_COUNTED}. */
  RANGES_NOT_COUNTED(900, StoreFault.RANGES_NOT_COUNTED),
  /** {@link StoreFault#PUNCH_WHILE_ALLOCATABLE}. */
  PUNCH_WHILE_ALLOCATABLE(150, StoreFault.PUNCH_WHILE_ALLOCATABLE),
  /** {@link StoreFault#PUNCH_BEFORE_CHECKPOINT}. */
  PUNCH_BEFORE_CHECKPOINT(150, StoreFault.PUNCH_BEFORE_CHECKPOINT),
  /** {@link StoreFault#SNAPSHOT_NOT_PINNED}. */
  SNAPSHOT_NOT_PINNED(150, StoreFault.SNAPSHOT_NOT_PINNED),
  /** {@link StoreFault#SNAPSHOT_KEEPS_NOTHING}. */
  SNAPSHOT_KEEPS_NOTHING(100, StoreFault.SNAPSHOT_KEEPS_NOTHING),
  /** {@link StoreFault#LOCK_RELEASED_EARLY}. */
  LOCK_RELEASED_EARLY(60, StoreFault.LOCK_RELEASED_EARLY),
  /** {@link StoreFault#TRANSACTION_NOT_VALIDATED}. */
  TRANSACTION_NOT_VALIDATED(60, StoreFault.TRANSACTION_NOT_VALIDATED),
  /** {@link StoreFault#TRANSACTION_READS_LIVE}. */
  TRANSACTION_READS_LIVE(60, StoreFault.TRANSACTION_READS_LIVE),
  /** {@link StoreFault#OWN_CHANGES_NOT_PUBLISHED}. */
  OWN_CHANGES_NOT_PUBLISHED(60, StoreFault.OWN_CHANGES_NOT_PUBLISHED),
  /** {@link StoreFault#CHANGED_BACK_UNNOTICED}. */
  CHANGED_BACK_UNNOTICED(60, StoreFault.CHANGED_BACK_UNNOTICED),
  /** {@link StoreFault#NAMES_NOT_FORGOTTEN}. */
  NAMES_NOT_FORGOTTEN(40, StoreFault.NAMES_NOT_FORGOTTEN),
  /** Ranges that a transaction wrote are committed for where the content lay then. */
  OVERTAKEN_UNNOTICED(200),
  /** {@link StoreFault#OWN_RANGES_HIDE_THE_REST}. */
  OWN_RANGES_HIDE_THE_REST(100, StoreFault.OWN_RANGES_HIDE_THE_REST),
  /** {@link StoreFault#HALF_A_TRANSACTION}. */
  HALF_A_TRANSACTION(60, StoreFault.HALF_A_TRANSACTION),
  /** {@link StoreFault#HALF_A_TRANSACTION_LOGGED}. */
  HALF_A_TRANSACTION_LOGGED(60, StoreFault.HALF_A_TRANSACTION_LOGGED),
  /** A store that is opened to be read only is opened like any other. */
  READ_ONLY_IGNORED(60),
  /** {@link StoreFault#SNAPSHOT_BEFORE_CHECKPOINT}. */
  SNAPSHOT_BEFORE_CHECKPOINT(100, StoreFault.SNAPSHOT_BEFORE_CHECKPOINT),
  /** {@link StoreFault#SNAPSHOTS_FORGOTTEN}. */
  SNAPSHOTS_FORGOTTEN(40, StoreFault.SNAPSHOTS_FORGOTTEN),
  /** {@link StoreFault#DROP_FORGETS_OTHERS}. */
  DROP_FORGETS_OTHERS(40, StoreFault.DROP_FORGETS_OTHERS),
  /** {@link StoreFault#DROP_NOT_AWAITED}. */
  DROP_NOT_AWAITED(900, StoreFault.DROP_NOT_AWAITED),
  /** {@link StoreFault#NOTHING_PROMISED}. */
  NOTHING_PROMISED(900, StoreFault.NOTHING_PROMISED),
  /** {@link StoreFault#ROOM_MAKER_WAITS}. */
  ROOM_MAKER_WAITS(60, StoreFault.ROOM_MAKER_WAITS),
  /** {@link StoreFault#WAITERS_NOT_TOLD}. */
  WAITERS_NOT_TOLD(60, StoreFault.WAITERS_NOT_TOLD),
  /** A sync that failed is tried again, and believed. */
  FAILED_SYNC_RETRIED(900),
  /** {@link VolumeFault#EPOCH_NOT_COMPARED}. */
  EPOCH_NOT_COMPARED(60, VolumeFault.EPOCH_NOT_COMPARED),
  /** That there is no thread for a helper ends the store's own. */
  NO_THREAD_IS_FATAL(40),
  /** {@link StoreFault#FULL_HEAP_IS_FATAL}. */
  FULL_HEAP_IS_FATAL(100, StoreFault.FULL_HEAP_IS_FATAL),
  /** The store's thread does not wait for a full heap to have room again. */
  UPCALLS_DO_NOT_WAIT(100),
  /** {@link StoreFault#CHANGE_WITHOUT_HEAP_IS_FATAL}. */
  CHANGE_WITHOUT_HEAP_IS_FATAL(40, StoreFault.CHANGE_WITHOUT_HEAP_IS_FATAL),
  /** Who takes over a volume does not wait for what its killed owner still writes. */
  NOT_FENCED(1000),
  /** {@link StoreFault#CLONE_NOT_COUNTED}. */
  CLONE_NOT_COUNTED(100, StoreFault.CLONE_NOT_COUNTED),
  /** {@link StoreFault#FREED_ALTHOUGH_SHARED}. */
  FREED_ALTHOUGH_SHARED(100, StoreFault.FREED_ALTHOUGH_SHARED),
  /** {@link StoreFault#COUNT_NOT_LOGGED}. */
  COUNT_NOT_LOGGED(100, StoreFault.COUNT_NOT_LOGGED),
  /** {@link StoreFault#ENTRIES_NOT_REPLAYED}. */
  ENTRIES_NOT_REPLAYED(100, StoreFault.ENTRIES_NOT_REPLAYED),
  /** {@link StoreFault#ENTRIES_LEFT_OUT}. */
  ENTRIES_LEFT_OUT(200, StoreFault.ENTRIES_LEFT_OUT),
  /** {@link StoreFault#ENTRIES_OF_ANY_MOMENT}. */
  ENTRIES_OF_ANY_MOMENT(100, StoreFault.ENTRIES_OF_ANY_MOMENT),
  /** {@link TableEdits.Fault#COUNT_DRIFTS}. */
  COUNT_DRIFTS(100, TableEdits.Fault.COUNT_DRIFTS),
  /** {@link TableEdits.Fault#NEIGHBOUR_TAKEN}. */
  NEIGHBOUR_TAKEN(100, TableEdits.Fault.NEIGHBOUR_TAKEN),
  /** {@link TableEdits.Fault#GONE_TABLE_TAKES_ENTRIES}. */
  GONE_TABLE_TAKES_ENTRIES(900, TableEdits.Fault.GONE_TABLE_TAKES_ENTRIES),
  /** {@link TableEdits.Fault#CONTENT_FREED_EARLY}. */
  CONTENT_FREED_EARLY(100, TableEdits.Fault.CONTENT_FREED_EARLY),
  /** {@link TableEdits.Fault#CONTENT_LEFT_BEHIND}. */
  CONTENT_LEFT_BEHIND(100, TableEdits.Fault.CONTENT_LEFT_BEHIND),
  /** {@link StoreFault#TOLD_BEFORE_PUBLISHED}. */
  TOLD_BEFORE_PUBLISHED(40, StoreFault.TOLD_BEFORE_PUBLISHED),
  /** {@link StoreFault#UNPLACED_OF_ANY_MOMENT}. */
  UNPLACED_OF_ANY_MOMENT(40, StoreFault.UNPLACED_OF_ANY_MOMENT),
  /** {@link StoreFault#LET_GO_UNNOTICED}. */
  LET_GO_UNNOTICED(300, StoreFault.LET_GO_UNNOTICED),
  /** {@link StoreFault#REMEMBERED_AT_ANY_MOMENT}. */
  REMEMBERED_AT_ANY_MOMENT(40, StoreFault.REMEMBERED_AT_ANY_MOMENT),
  /** {@link StoreFault#CHANGE_NOT_STAMPED}. */
  CHANGE_NOT_STAMPED(40, StoreFault.CHANGE_NOT_STAMPED),
  /** {@link StoreFault#EDITION_KEPT}. */
  EDITION_KEPT(40, StoreFault.EDITION_KEPT),
  /** {@link StoreFault#PUBLISHED_AFTER_CLOSE}. */
  PUBLISHED_AFTER_CLOSE(40, StoreFault.PUBLISHED_AFTER_CLOSE),
  /** {@link EditFault#FEATURE_NOT_SAID}. */
  FEATURE_NOT_SAID(40, EditFault.FEATURE_NOT_SAID),
  /** {@link EditFault#NAMED_BLOCK_DROPPED}. */
  NAMED_BLOCK_DROPPED(100, EditFault.NAMED_BLOCK_DROPPED),
  /** {@link EditFault#NUMBER_GIVEN_AGAIN}. */
  NUMBER_GIVEN_AGAIN(400, EditFault.NUMBER_GIVEN_AGAIN),
  /** {@link EditFault#HALF_AN_EDIT_LOGGED}. */
  HALF_AN_EDIT_LOGGED(100, EditFault.HALF_AN_EDIT_LOGGED),
  /** {@link EditFault#MAP_PAGE_NOT_COUNTED}. */
  MAP_PAGE_NOT_COUNTED(300, EditFault.MAP_PAGE_NOT_COUNTED),
  /** {@link EditFault#EDIT_LOST_BY_WRITE_BACK}. */
  EDIT_LOST_BY_WRITE_BACK(400, EditFault.EDIT_LOST_BY_WRITE_BACK),
  /** {@link EditFault#SHARED_RANGE_NOT_COUNTED}. */
  SHARED_RANGE_NOT_COUNTED(100, EditFault.SHARED_RANGE_NOT_COUNTED),
  /** {@link EditFault#GATHERED_OVER_AN_EDIT}. */
  GATHERED_OVER_AN_EDIT(900, EditFault.GATHERED_OVER_AN_EDIT),
  /** {@link EditFault#SUM_OVERFLOWS}. */
  SUM_OVERFLOWS(200, EditFault.SUM_OVERFLOWS),
  /** {@link DedupFault#HASH_BELIEVED}. */
  HASH_BELIEVED(40, DedupFault.HASH_BELIEVED),
  /** {@link DedupFault#PREFIX_FOR_WHOLE}. */
  PREFIX_FOR_WHOLE(40, DedupFault.PREFIX_FOR_WHOLE),
  /** {@link DedupFault#CHANGED_MASTER_CLONED}. */
  CHANGED_MASTER_CLONED(200, DedupFault.CHANGED_MASTER_CLONED),
  /** {@link EditFault#CODED_NOT_SAID}. */
  CODED_NOT_SAID(40, EditFault.CODED_NOT_SAID),
  /** {@link EditFault#UNIT_FREED_IN_PART}. */
  UNIT_FREED_IN_PART(300, EditFault.UNIT_FREED_IN_PART),
  /** {@link EditFault#SPLIT_NOT_COUNTED}. */
  SPLIT_NOT_COUNTED(300, EditFault.SPLIT_NOT_COUNTED),
  /** {@link BufferFault#DECODED_NOT_FORGOTTEN}. */
  DECODED_NOT_FORGOTTEN(300, BufferFault.DECODED_NOT_FORGOTTEN),
  /** {@link BufferFault#LENT_FRAMES_RELEASED}. */
  LENT_FRAMES_RELEASED(300, BufferFault.LENT_FRAMES_RELEASED),
  /** Who reads a version of an edited file finds each part by the map that it has by then. */
  MAP_MOVES(400),
  /** A scheduler lets a request wait for ever. */
  REQUEST_FORGOTTEN(40),
  /** A scheduler serves first who came last, also where requests overlap. */
  OVERLAPS_REORDERED(40),
  /** A scheduler lets a request wait although the device has nothing to do. */
  REQUEST_STARVED(40),
  /** A write goes past the seal of an encrypted volume. */
  WRITE_PAST_SEAL(40),
  /** Blocks of an encrypted volume are encrypted by the number of the next one. */
  BLOCK_NUMBER_OFF(40),
  /** {@link VolumeFault#KEY_LEFT_IN_ONE_COPY}. */
  KEY_LEFT_IN_ONE_COPY(40, VolumeFault.KEY_LEFT_IN_ONE_COPY);

  private final int seeds;
  private final Faults faults;

  Canary(int seeds) {
    this.seeds = seeds;
    this.faults = Faults.NONE;
  }

  Canary(int seeds, Enum<?> fault) {
    this.seeds = seeds;
    this.faults = InjectedFaults.of(fault);
  }

  /** Within how many seeds the simulator has to notice. */
  public int seeds() {
    return seeds;
  }

  /** The command that runs a seed again. */
  public String replay(long seed) {
    return "./upcall-sim --seed " + seed + (this == SOUND ? "" : " --canary " + name());
  }

  public Disk disk(SimWorld world) {
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

  /** Whether only lifetimes of encrypted volumes can notice it. */
  public boolean isOfSeal() {
    return switch (this) {
      case WRITE_PAST_SEAL, BLOCK_NUMBER_OFF, KEY_LEFT_IN_ONE_COPY -> true;
      default -> false;
    };
  }

  /** A disk behind a seal. */
  public Disk sealed(Disk disk, Seal seal, SimWorld world, long dataStart) {
    return switch (this) {
      case WRITE_PAST_SEAL -> BrokenSeal.leaking(disk, seal, world.dispatcher(), dataStart);
      case BLOCK_NUMBER_OFF -> BrokenSeal.shifted(disk, seal, world.dispatcher(), dataStart);
      default -> seal.over(disk, world.dispatcher());
    };
  }

  /** How the policy of a scheduler is broken, if it is. */
  BrokenPolicy.@Nullable Way scheduling() {
    return switch (this) {
      case REQUEST_FORGOTTEN -> BrokenPolicy.Way.FORGETS;
      case OVERLAPS_REORDERED -> BrokenPolicy.Way.REORDERS;
      case REQUEST_STARVED -> BrokenPolicy.Way.STARVES;
      default -> null;
    };
  }

  /** How a store is opened that is only to be read. */
  public StoreOptions readOnly(StoreOptions options) {
    return this == READ_ONLY_IGNORED ? options : options.asReadOnly();
  }

  /** What becomes of it that there is no thread for a helper. */
  public Runnable threadRefused() {
    return () -> {
      if (this == NO_THREAD_IS_FATAL) {
        throw new IllegalStateException("unable to create native thread");
      }
    };
  }

  /** Whether who opens a volume waits for what a killed owner still writes. */
  public boolean fences() {
    return this != NOT_FENCED;
  }

  /** How an open store looks to its clients. */
  public Store shown(Store store) {
    return switch (this) {
      case OVERTAKEN_UNNOTICED -> StaleLayouts.over(store);
      case MAP_MOVES -> MovingMaps.over(store);
      default -> store;
    };
  }

  /** What is broken inside the store. */
  public Faults faults() {
    return faults;
  }
}
