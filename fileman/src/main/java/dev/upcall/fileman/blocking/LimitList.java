package dev.upcall.fileman.blocking;

import static dev.upcall.store.Limit.Unit.BYTES;
import static dev.upcall.store.Limit.Unit.COUNT;
import static dev.upcall.store.Limit.Unit.NANOSECONDS;

import dev.upcall.AsyncFiles;
import dev.upcall.AsyncReads;
import dev.upcall.Engine;
import dev.upcall.Listing;
import dev.upcall.MetadataChange;
import dev.upcall.StoreLimits;
import dev.upcall.StorePath;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallReads;
import dev.upcall.fileman.plan.Looks;
import dev.upcall.request.FileRequest;
import dev.upcall.segment.layout.Inode;
import dev.upcall.stage.StageLimits;
import dev.upcall.store.Limit;
import dev.upcall.store.Limit.Beyond;
import dev.upcall.store.Limit.Unit;
import dev.upcall.trees.ExportOptions;
import dev.upcall.trees.ImportOptions;
import dev.upcall.trees.TreeSummary;
import dev.upcall.trees.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The limits of a store: the one place that names them all. Their numbers stand where they hold.
 */
public final class LimitList {
  private static final String TRANSACTIONS = "UpcallConfig.withTransactions";
  private static final String FILES = "UpcallConfig.withFiles";
  private static final String PLACES = "UpcallConfig.withPlaces";
  private static final String SNAPSHOTS = "UpcallConfig.withSnapshots";
  private static final String LOSS = "UpcallConfig.withLoss";
  private static final String STAGES = "FsmUpcall.newStageFiles";

  private final StoreLimits limits;
  private final List<Limit> all = new ArrayList<>();

  private LimitList(StoreLimits limits) {
    this.limits = limits;
  }

  /**
   * All of them, in the order of the page; those of transactions and snapshots where there are any.
   *
   * @param capBytes what the volume may grow to
   */
  public static List<Limit> of(UpcallConfig config, long capBytes) {
    LimitList list = new LimitList(config.limits());
    list.names();
    list.requests();
    list.loss();
    if (config.engine() == Engine.FSM) {
      list.transactions();
      list.snapshots();
    }
    list.trees();
    list.add(
        "memoryBytes",
        "memory for content and metadata; cold ones give way",
        BYTES,
        UpcallConfig.DEFAULT.memoryBytes(),
        config.memoryBytes(),
        Beyond.WAITS,
        "UpcallConfig.withMemoryBytes");
    list.add(
        "capBytes",
        "what the volume may grow to; removing still works then",
        BYTES,
        UpcallConfig.DEFAULT_CAP_BYTES,
        capBytes,
        Beyond.VOLUME_FULL,
        "UpcallConfig.withCapBytes");
    return List.copyOf(list.all);
  }

  private void names() {
    fixed("path.maxNameBytes", "a name, in UTF-8", BYTES, StorePath.MAX_NAME_BYTES, Beyond.INVALID);
    fixed("path.maxNames", "names of a path", COUNT, StorePath.MAX_NAMES, Beyond.INVALID);
    fixed(
        "link.maxTargetBytes",
        "the target of a symbolic link",
        BYTES,
        FileRequest.MAX_TARGET_BYTES,
        Beyond.TOO_LARGE);
    fixed("link.maxFollowed", "links on one way", COUNT, Looks.MAX_LINKS, Beyond.LINK_LOOP);
    fixed(
        "attributes.maxCount",
        "attributes of a file",
        COUNT,
        MetadataChange.MAX_ATTRIBUTES,
        Beyond.TOO_LARGE);
    fixed(
        "attributes.maxBytes",
        "names and values of a file's attributes together",
        BYTES,
        Inode.MAX_ATTRIBUTES_BYTES,
        Beyond.TOO_LARGE);
    fixed(
        "property.maxNameBytes",
        "the name of a property of the store",
        BYTES,
        FileRequest.MAX_PROPERTY_NAME_BYTES,
        Beyond.INVALID);
    fixed(
        "property.maxBytes",
        "the value of a property",
        BYTES,
        FileRequest.MAX_PROPERTY_BYTES,
        Beyond.TOO_LARGE);
    fixed(
        "range.maxCopiedBytes",
        "ranges that one batch copies, together",
        BYTES,
        FileRequest.MAX_COPIED_BYTES,
        Beyond.TOO_LARGE);
  }

  private void requests() {
    fixed(
        "listing.maxEntries", "a page of a directory", COUNT, Listing.MAX_ENTRIES, Beyond.INVALID);
    fixed(
        "read.maxArrayBytes",
        "a whole file as an array or a text",
        BYTES,
        UpcallReads.MAX_ARRAY_BYTES,
        Beyond.TOO_LARGE);
    fixed(
        "read.maxBytes",
        "one read of a range, by calls that wait",
        BYTES,
        Slices.MAX_READ_BYTES,
        Beyond.IN_PIECES);
    fixed(
        "async.maxReadBytes",
        "one read of a range, by `AsyncFiles` and `StageFiles`",
        BYTES,
        AsyncReads.MAX_READ_BYTES,
        Beyond.INVALID);
    set(
        "files.maxRequests",
        "requests inside the store",
        COUNT,
        all -> all.files().maxRequests(),
        Beyond.BUSY,
        FILES);
    set(
        "files.maxBatchRequests",
        "requests of one batch",
        COUNT,
        all -> all.files().maxBatchRequests(),
        Beyond.TOO_LARGE,
        FILES);
    set(
        "files.maxStagingBytes",
        "content that a batch is given as bytes, not staged",
        BYTES,
        all -> all.files().maxStagingBytes(),
        Beyond.TOO_LARGE,
        FILES);
    set(
        "files.maxStagingBatches",
        "batches that bring content at once",
        COUNT,
        all -> all.files().maxStagingBatches(),
        Beyond.WAITS,
        FILES);
    fixed(
        "async.maxInside",
        "requests of one `AsyncFiles`",
        COUNT,
        AsyncFiles.MAX_INSIDE,
        Beyond.BUSY);
    StageLimits stages = StageLimits.DEFAULT;
    add(
        "stages.maxInside",
        "requests of one `StageFiles` inside the store",
        COUNT,
        stages.maxInside(),
        stages.maxInside(),
        Beyond.WAITS,
        STAGES);
    add(
        "stages.maxWaiting",
        "requests in line behind those",
        COUNT,
        stages.maxWaiting(),
        stages.maxWaiting(),
        Beyond.BUSY,
        STAGES);
    set(
        "places.maxWaiting",
        "those in line to bring new content, or to commit a handle",
        COUNT,
        all -> all.places().maxWaiting(),
        Beyond.BUSY,
        PLACES);
    set(
        "places.waitNanos",
        "how long one stands in such a line",
        NANOSECONDS,
        all -> all.places().waitNanos(),
        Beyond.BUSY,
        PLACES);
  }

  private void transactions() {
    set(
        "transactions.maxOpen",
        "transactions open at once",
        COUNT,
        all -> all.transactions().maxOpen(),
        Beyond.BUSY,
        TRANSACTIONS);
    set(
        "transactions.idleNanos",
        "how long nobody asks anything of one",
        NANOSECONDS,
        all -> all.transactions().idleNanos(),
        Beyond.ROLLED_BACK,
        TRANSACTIONS);
    set(
        "transactions.locks.maxLocksPerOwner",
        "locks of one transaction",
        COUNT,
        all -> all.transactions().locks().maxLocksPerOwner(),
        Beyond.TOO_LARGE,
        TRANSACTIONS);
    set(
        "transactions.locks.maxLocks",
        "locks of all, those waited for too",
        COUNT,
        all -> all.transactions().locks().maxLocks(),
        Beyond.BUSY,
        TRANSACTIONS);
    set(
        "transactions.locks.timeoutNanos",
        "a wait for a lock",
        NANOSECONDS,
        all -> all.transactions().locks().timeoutNanos(),
        Beyond.LOCK_TIMEOUT,
        TRANSACTIONS);
    set(
        "transactions.retry.maxAttempts",
        "how often `transact` runs its body",
        COUNT,
        all -> all.transactions().retry().maxAttempts(),
        Beyond.CONFLICT,
        TRANSACTIONS);
    set(
        "transactions.retry.maxNanos",
        "when it begins no more",
        NANOSECONDS,
        all -> all.transactions().retry().maxNanos(),
        Beyond.CONFLICT,
        TRANSACTIONS);
  }

  private void snapshots() {
    set(
        "snapshots.maxOpen",
        "snapshots open at once, those of transactions not counted",
        COUNT,
        all -> all.snapshots().maxOpen(),
        Beyond.BUSY,
        SNAPSHOTS);
    set(
        "snapshots.maxNamed",
        "snapshots with names",
        COUNT,
        all -> all.snapshots().maxNamed(),
        Beyond.TOO_LARGE,
        SNAPSHOTS);
  }

  private void loss() {
    set(
        "loss.maxBytes",
        "changes acknowledged with `ASYNC` and not yet durable",
        BYTES,
        all -> all.loss().maxBytes(),
        Beyond.DURABLE_FIRST,
        LOSS);
    set(
        "loss.maxNanos",
        "how long one of those waits for the disk",
        NANOSECONDS,
        all -> all.loss().maxNanos(),
        Beyond.DURABLE_FIRST,
        LOSS);
  }

  private void trees() {
    fixed(
        "trees.maxHeldEntries",
        "entries that a walk holds",
        COUNT,
        Trees.MAX_HELD_ENTRIES,
        Beyond.IN_PIECES);
    fixed(
        "trees.maxListed", "problems of a summary", COUNT, TreeSummary.MAX_LISTED, Beyond.COUNTED);
    add(
        "import.readers",
        "host files that an import reads at once",
        COUNT,
        ImportOptions.DEFAULT_READERS,
        ImportOptions.DEFAULT_READERS,
        Beyond.WAITS,
        "ImportOptions.withReaders");
    add(
        "export.writers",
        "host files that an export writes at once",
        COUNT,
        ExportOptions.DEFAULT_WRITERS,
        ExportOptions.DEFAULT_WRITERS,
        Beyond.WAITS,
        "ExportOptions.withWriters");
    fixed(
        "copy.readers", "files that a copy reads at once", COUNT, Trees.COPY_READERS, Beyond.WAITS);
  }

  private void fixed(String name, String meaning, Unit unit, long value, Beyond beyond) {
    add(name, meaning, unit, value, value, beyond, "");
  }

  private void set(
      String name,
      String meaning,
      Unit unit,
      ToLongFunction<StoreLimits> value,
      Beyond beyond,
      String setting) {
    add(
        name,
        meaning,
        unit,
        value.applyAsLong(StoreLimits.DEFAULT),
        value.applyAsLong(limits),
        beyond,
        setting);
  }

  private void add(
      String name,
      String meaning,
      Unit unit,
      long usual,
      long value,
      Beyond beyond,
      String setting) {
    all.add(new Limit(name, meaning, unit, usual, value, beyond, setting));
  }
}
