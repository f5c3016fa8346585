package dev.upcall.fileman.blocking;

import static dev.upcall.store.Limit.Beyond.BUSY;
import static dev.upcall.store.Limit.Beyond.CONFLICT;
import static dev.upcall.store.Limit.Beyond.COUNTED;
import static dev.upcall.store.Limit.Beyond.DURABLE_FIRST;
import static dev.upcall.store.Limit.Beyond.INVALID;
import static dev.upcall.store.Limit.Beyond.IN_PIECES;
import static dev.upcall.store.Limit.Beyond.LINK_LOOP;
import static dev.upcall.store.Limit.Beyond.LOCK_TIMEOUT;
import static dev.upcall.store.Limit.Beyond.ROLLED_BACK;
import static dev.upcall.store.Limit.Beyond.TOO_LARGE;
import static dev.upcall.store.Limit.Beyond.VOLUME_FULL;
import static dev.upcall.store.Limit.Beyond.WAITS;

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
import dev.upcall.request.TableRequest;
import dev.upcall.segment.layout.Inode;
import dev.upcall.stage.StageLimits;
import dev.upcall.store.Limit;
import dev.upcall.store.Limit.Beyond;
import dev.upcall.store.Limit.Unit;
import dev.upcall.trees.ExportOptions;
import dev.upcall.trees.ImportOptions;
import dev.upcall.trees.TreeSummary;
import dev.upcall.trees.Trees;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;

/**
 * The limits of a store: the one place that names them all. Their numbers stand where they hold.
 */
public final class LimitList {
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
    if (config.engine() == Engine.FSM) {
      list.transactionsAndSnapshots();
      list.content();
    }
    list.trees();
    list.add(
        "memoryBytes",
        UpcallConfig.DEFAULT.memoryBytes(),
        config.memoryBytes(),
        WAITS,
        "UpcallConfig.withMemoryBytes",
        "memory for content and metadata; cold ones give way");
    list.add(
        "capBytes",
        UpcallConfig.DEFAULT_CAP_BYTES,
        capBytes,
        VOLUME_FULL,
        "UpcallConfig.withCapBytes",
        "what the volume may grow to; removing still works then");
    return List.copyOf(list.all);
  }

  private void names() {
    fixed("path.maxNameBytes", StorePath.MAX_NAME_BYTES, INVALID, "a name, in UTF-8");
    fixed("path.maxNames", StorePath.MAX_NAMES, INVALID, "names of a path");
    long target = FileRequest.MAX_TARGET_BYTES;
    fixed("link.maxTargetBytes", target, TOO_LARGE, "the target of a symbolic link");
    fixed("link.maxFollowed", Looks.MAX_LINKS, LINK_LOOP, "links on one way");
    long attributes = MetadataChange.MAX_ATTRIBUTES;
    fixed("attributes.maxCount", attributes, TOO_LARGE, "attributes of a file");
    long ofFile = Inode.MAX_ATTRIBUTES_BYTES;
    String together = "names and values of a file's attributes together";
    fixed("attributes.maxBytes", ofFile, TOO_LARGE, together);
    long name = FileRequest.MAX_PROPERTY_NAME_BYTES;
    fixed("property.maxNameBytes", name, INVALID, "the name of a property of the store");
    long property = FileRequest.MAX_PROPERTY_BYTES;
    fixed("property.maxBytes", property, TOO_LARGE, "the value of a property");
    long key = TableRequest.MAX_KEY_BYTES;
    fixed("table.maxKeyBytes", key, TOO_LARGE, "the key of an entry of a table");
    long value = TableRequest.MAX_VALUE_BYTES;
    fixed("table.maxValueBytes", value, TOO_LARGE, "an expected value, a record, a `PutEntry`");
    long copied = FileRequest.MAX_COPIED_BYTES;
    fixed("range.maxCopiedBytes", copied, TOO_LARGE, "ranges that one batch copies, together");
  }

  private void requests() {
    fixed("listing.maxEntries", Listing.MAX_ENTRIES, INVALID, "a page of a directory");
    long array = UpcallReads.MAX_ARRAY_BYTES;
    fixed("read.maxArrayBytes", array, TOO_LARGE, "a whole file as an array or a text");
    long read = Slices.MAX_READ_BYTES;
    fixed("read.maxBytes", read, IN_PIECES, "one read of a range, by calls that wait");
    long asynchronous = AsyncReads.MAX_READ_BYTES;
    String byPorts = "one read of a range, by `AsyncFiles` and `StageFiles`";
    fixed("async.maxReadBytes", asynchronous, INVALID, byPorts);
    String files = "UpcallConfig.withFiles";
    set("files.maxRequests", BUSY, files, "requests inside the store");
    set("files.maxBatchRequests", TOO_LARGE, files, "requests of one batch");
    String given = "content that a batch is given as bytes, not staged";
    set("files.maxStagingBytes", TOO_LARGE, files, given);
    set("files.maxStagingBatches", WAITS, files, "batches that bring content at once");
    fixed("async.maxInside", AsyncFiles.MAX_INSIDE, BUSY, "requests of one `AsyncFiles`");
    String stages = "FsmUpcall.newStageFiles";
    String inside = "requests of one `StageFiles` inside the store";
    same("stages.maxInside", StageLimits.DEFAULT.maxInside(), WAITS, stages, inside);
    long waiting = StageLimits.DEFAULT.maxWaiting();
    same("stages.maxWaiting", waiting, BUSY, stages, "requests in line behind those");
    String places = "UpcallConfig.withPlaces";
    String line = "those in line to bring new content, or to commit a handle";
    set("places.maxWaiting", BUSY, places, line);
    set("places.waitNanos", BUSY, places, "how long one stands in such a line");
    String loss = "UpcallConfig.withLoss";
    String unsafe = "changes acknowledged with `ASYNC` and not yet durable";
    set("loss.maxBytes", DURABLE_FIRST, loss, unsafe);
    set("loss.maxNanos", DURABLE_FIRST, loss, "how long one of those waits for the disk");
  }

  private void content() {
    String content = "UpcallConfig.withContent";
    set("content.gatherBytes", IN_PIECES, content, "new content for which space is asked at once");
    set("content.maxKnown", COUNTED, content, "contents that are known, so that others share them");
  }

  private void transactionsAndSnapshots() {
    String with = "UpcallConfig.withTransactions";
    set("transactions.maxOpen", BUSY, with, "transactions open at once");
    String idle = "how long nobody asks anything of one";
    set("transactions.idleNanos", ROLLED_BACK, with, idle);
    set("transactions.locks.maxLocksPerOwner", TOO_LARGE, with, "locks of one transaction");
    set("transactions.locks.maxLocks", BUSY, with, "locks of all, those waited for too");
    set("transactions.locks.timeoutNanos", LOCK_TIMEOUT, with, "a wait for a lock");
    String attempts = "how often `transact` runs its body";
    set("transactions.retry.maxAttempts", CONFLICT, with, attempts);
    set("transactions.retry.maxNanos", CONFLICT, with, "when it begins no more");
    String snapshots = "UpcallConfig.withSnapshots";
    String open = "snapshots open at once, those of transactions not counted";
    set("snapshots.maxOpen", BUSY, snapshots, open);
    set("snapshots.maxNamed", TOO_LARGE, snapshots, "snapshots with names");
  }

  private void trees() {
    long held = Trees.MAX_HELD_ENTRIES;
    fixed("trees.maxHeldEntries", held, IN_PIECES, "entries that a walk holds");
    fixed("trees.maxListed", TreeSummary.MAX_LISTED, COUNTED, "problems of a summary");
    long readers = ImportOptions.DEFAULT_READERS;
    String imported = "host files that an import reads at once";
    same("import.readers", readers, WAITS, "ImportOptions.withReaders", imported);
    long writers = ExportOptions.DEFAULT_WRITERS;
    String exported = "host files that an export writes at once";
    same("export.writers", writers, WAITS, "ExportOptions.withWriters", exported);
    fixed("copy.readers", Trees.COPY_READERS, WAITS, "files that a copy reads at once");
  }

  /** One that nobody sets. */
  private void fixed(String name, long value, Beyond beyond, String meaning) {
    same(name, value, beyond, "", meaning);
  }

  /** One that is set elsewhere than in a store's configuration. */
  private void same(String name, long value, Beyond beyond, String setting, String meaning) {
    add(name, value, value, beyond, setting, meaning);
  }

  /** One that has the name of a component of the store's limits. */
  private void set(String name, Beyond beyond, String setting, String meaning) {
    add(name, value(StoreLimits.DEFAULT, name), value(limits, name), beyond, setting, meaning);
  }

  private static long value(StoreLimits limits, String name) {
    Object value = limits;
    for (String part : name.split("\\.", -1)) {
      value = component((Record) value, part);
    }
    return ((Number) value).longValue();
  }

  private static Object component(Record limits, String name) {
    for (RecordComponent component : limits.getClass().getRecordComponents()) {
      if (component.getName().equals(name)) {
        try {
          return component.getAccessor().invoke(limits);
        } catch (ReflectiveOperationException closed) {
          throw new IllegalStateException("a limit that cannot be read: " + component, closed);
        }
      }
    }
    throw new IllegalStateException(limits.getClass() + " has no " + name);
  }

  private void add(
      String name, long usual, long value, Beyond beyond, String setting, String meaning) {
    Unit unit =
        name.endsWith("Bytes")
            ? Unit.BYTES
            : name.endsWith("Nanos") ? Unit.NANOSECONDS : Unit.COUNT;
    all.add(new Limit(name, meaning, unit, usual, value, beyond, setting));
  }
}
