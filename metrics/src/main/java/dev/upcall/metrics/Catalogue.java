package dev.upcall.metrics;

import dev.upcall.FileManagerMetrics;
import dev.upcall.buffer.BufferCounters;
import dev.upcall.coding.CodingCounters;
import dev.upcall.config.DiskKind;
import dev.upcall.fsm.MachineCounts;
import dev.upcall.fsm.meter.DispatcherMetrics;
import dev.upcall.fsm.meter.LookCounts;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskCounters;
import dev.upcall.pressure.PlaceCounters;
import dev.upcall.pressure.PressureCounters;
import dev.upcall.store.SpaceUse;
import dev.upcall.store.StoreInfo;
import dev.upcall.txn.lock.LockCounters;
import dev.upcall.txn.log.LogCounters;
import dev.upcall.txn.metrics.SnapshotCounters;
import dev.upcall.txn.metrics.StoreWork;
import dev.upcall.txn.metrics.TransactionCounters;
import java.util.Locale;

/** Names, units and meanings of the meters of a store, in the one place where they are given. */
final class Catalogue {
  private static final String BYTES = Series.Meter.BYTES;
  private static final String REQUESTS = "requests";
  private static final String OPERATION = "operation";
  private static final String BY = "by";
  private static final String MACHINE = "machine";
  private static final String STATE = "state";
  private static final String CULPRIT = "culprit";
  private static final String END = "end";
  private static final String OF = "of";

  private final MeterReading to = new MeterReading();

  private Catalogue() {}

  /** All series of a snapshot. Any thread; some hundred microseconds' work. */
  static MeterReading read(MetricsSnapshot snapshot) {
    Catalogue catalogue = new Catalogue();
    catalogue.dispatcher(snapshot.store().dispatcher());
    snapshot.store().machines().forEach(catalogue::machine);
    catalogue.store(snapshot.store().info(), snapshot.store().work());
    snapshot.store().pressure().forEach(catalogue::pressure);
    snapshot.store().places().forEach(catalogue::places);
    catalogue.transactions(snapshot.store().transactions());
    catalogue.snapshots(snapshot.store().snapshots());
    catalogue.log(snapshot.store().log());
    catalogue.cache(snapshot.store().buffers());
    catalogue.disk(snapshot.store().disk());
    new TrafficCatalogue(catalogue.to).add(snapshot.store().traffic());
    catalogue.files(snapshot.files());
    snapshot.sections().forEach(section -> section.addTo(catalogue.to));
    return catalogue.to;
  }

  /** The store's thread looks for the end of durable writes, callers for their answers. */
  private void looks(LookCounts looks, String who) {
    String p = "upcall.dispatcher.look.";
    to.count(
        p + "begun", "waits", "waits in which was looked before sleeping", looks.looks(), BY, who);
    to.count(p + "found", "waits", "those in which it came while looking", looks.found(), BY, who);
    to.time(p + "time", "how long was looked", looks.nanos(), BY, who);
  }

  private void dispatcher(DispatcherMetrics d) {
    String p = "upcall.dispatcher.";
    to.count(p + "turns", "turns", "turns of the store's thread", d.turns());
    to.count(p + "upcalls", "upcalls", "upcalls run", d.upcalls());
    to.count(p + "timers", "timers", "timers run", d.timers());
    to.count(p + "taken", REQUESTS, "requests taken over from other threads", d.crossThread());
    to.count(p + "completions", "completions", "I/O completions reaped", d.reaped());
    to.count(p + "waits", "waits", "times that the thread slept, or looked first", d.waits());
    to.time(p + "busy", "time spent in turns, sleep excluded", d.busyNanos());
    to.time(p + "spun", "time awake with nothing to do, for callers that wait", d.spunNanos());
    looks(d.ioLooks(), "store");
    looks(d.callerLooks(), "callers");
    to.level(p + "queue.depth", "upcalls", "upcalls that wait", d.fifoDepth());
    to.level(p + "queue.depth.max", "upcalls", "most upcalls that ever waited", d.fifoDepthMax());
    to.latency(p + "turn", "how long turns took that ran something", d.turnNanosSpread());
    to.spread(p + "batch", "upcalls", "upcalls and timers of one such turn", d.batches());
    to.spread(
        p + "queue.before", "upcalls", "upcalls that waited when it began them", d.queueBefore());
    to.spread(p + "queue.after", "upcalls", "upcalls that it left waiting", d.queueAfter());
    to.levelTime(p + "upcall.max", "the longest upcall since the start", d.upcallNanosMax());
    for (DispatcherMetrics.Culprit culprit : d.culprits()) {
      to.count(
          p + "stalls",
          "stalls",
          "upcalls over the stall threshold, by who they were",
          culprit.stalls(),
          CULPRIT,
          culprit.name());
      to.time(p + "stalled", "how long these took", culprit.tookNanos(), CULPRIT, culprit.name());
    }
  }

  private void machine(MachineCounts machine) {
    String p = "upcall.machine.";
    String kind = machine.machine();
    to.count(p + "made", "machines", "state machines made", machine.machines(), MACHINE, kind);
    for (MachineCounts.State state : machine.states()) {
      String[] tags = {MACHINE, kind, STATE, state.name().toLowerCase(Locale.ROOT)};
      to.count(
          p + "entered", "moves", "times that a machine came into a state", state.entered(), tags);
      to.level(
          p + "standing",
          "machines",
          "machines that stand in a state now; final states hold none",
          state.standing(),
          tags);
      to.time(p + "time", "time spent in a state by machines that left it", state.nanosIn(), tags);
    }
  }

  private void store(StoreInfo info, StoreWork work) {
    String p = "upcall.store.";
    to.level(
        p + "read.only",
        "0 or 1",
        "1 when the store takes no changes any more, else 0",
        info.readOnlyReason().isEmpty() ? 0 : 1);
    to.level(
        p + "ring",
        "0 or 1",
        "1 when io_uring drives the disk, 0 when threads do",
        info.disk() == DiskKind.RING ? 1 : 0);
    to.count(
        p + "damage",
        "reads",
        "reads that met wrong bytes, or what the device could not read",
        info.damage().reads());
    to.level(
        p + "damaged",
        "places",
        "places that could not be read and that something needs still, the first hundred",
        info.damage().places().size());
    to.level(p + "scn", "commits", "the newest applied commit", info.scn());
    to.level(p + "scn.durable", "commits", "the newest durable commit", info.durableScn());
    to.level(p + "size", BYTES, "the volume's present size", info.sizeBytes());
    to.level(p + "cap", BYTES, "what the volume may grow to", info.capBytes());
    to.level(
        p + "free",
        BYTES,
        "free space inside the present size, what the next checkpoint frees included",
        info.freeBytes());
    to.level(p + "unplaced", BYTES, "dirty content that only the log holds", info.unplacedBytes());
    to.level(
        p + "dirty",
        BYTES,
        "tree pages that the next checkpoint writes",
        work.dirtyPages() * Disk.BLOCK_BYTES);
    to.level(p + "requests", REQUESTS, "queries and changes inside", work.requestsInside());
    to.count(
        p + "refused", REQUESTS, "queries and changes refused as Busy", work.requestsRefused());
    to.level(p + "staging", "files", "new content on its way", work.contentUnderWay());
    to.level(p + "readers", "versions", "versions of files held by readers", work.versionsHeld());
    to.level(p + "pages", BYTES, "heap memory of clean tree pages", work.cleanPageBytes());
    to.count(p + "pages.evicted", "pages", "clean tree pages dropped", work.pagesEvicted());
    to.count(
        p + "pages.repaired",
        "pages",
        "tree pages read from their second copy, the first being damaged",
        work.pagesFromSecondCopy());
    to.latency(p + "commit", "from applying a change until it was durable", work.commitNanos());
    to.latency(p + "checkpoint", "how long durable checkpoints took", work.checkpointNanos());
    to.count(
        p + "checkpoints.failed",
        "checkpoints",
        "checkpoints without room, or that could not be written",
        work.checkpointsFailed());
    to.count(p + "edits", "edits", "edits in the middle of files", work.edits());
    to.count(
        p + "edits.copied",
        BYTES,
        "content copied by such edits, by their files' policies, and to lie together",
        work.editCopiedBytes());
    to.level(
        p + "edits.pending",
        "pieces",
        "pieces of files that such edits have made and that are in no commit yet",
        work.editPendingPieces());
    to.level(
        p + "edits.unused",
        BYTES,
        "what such edits have left unused in blocks since the opening, less what they took back",
        work.editUnusedBytes());
    work.space().ifPresent(this::space);
  }

  private void space(StoreWork.Counted counted) {
    String p = "upcall.space.";
    SpaceUse space = counted.space();
    to.level(p + "scn", "commits", "the last commit when it was counted", counted.scn());
    to.level(p + "logical", BYTES, "sizes of all files", space.logicalBytes());
    to.level(p + "stored", BYTES, "blocks with their content", space.storedBytes());
    to.level(
        p + "saved",
        BYTES,
        "how many bytes more it would take without",
        space.savedByCompressionBytes(),
        BY,
        "compression");
    to.level(
        p + "saved",
        BYTES,
        "how many bytes more it would take without",
        space.savedBySharingBytes(),
        BY,
        "sharing");
    to.level(p + "holes", BYTES, "content without blocks, which is zeros", space.holeBytes());
    to.level(p + "inline", BYTES, "content so small that metadata has it", space.inlineBytes());
    to.level(p + "unused", BYTES, "what blocks have and no content uses", space.unusedBytes());
    to.level(p + "fixed", BYTES, "superblocks, log and free-space map", space.fixedBytes());
    to.level(p + "metadata", BYTES, "tree pages, all their copies", space.metadataBytes());
    to.level(p + "leaving", BYTES, "deleted content on its way back", space.leavingBytes());
    to.level(p + "snapshots", BYTES, "what snapshots alone need", space.snapshotBytes());
    to.level(p + "free", BYTES, "all other space of the volume", space.freeBytes());
  }

  private void pressure(PressureCounters c) {
    String p = "upcall.pressure.";
    String of = c.what().label();
    to.level(p + "level", "units", "how much is in use of what can be scarce", c.level(), OF, of);
    if (c.at().limit() < Long.MAX_VALUE) {
      to.level(p + "limit", "units", "above which level requests wait", c.at().limit(), OF, of);
    }
    to.level(p + "waiting", REQUESTS, "requests that wait for room", c.waiting(), OF, of);
    to.count(p + "waited", REQUESTS, "requests that had to wait for room", c.waited(), OF, of);
    to.count(p + "refused", REQUESTS, "requests that waited in vain", c.refused(), OF, of);
  }

  private void places(PlaceCounters c) {
    String p = "upcall.places.";
    String of = c.what();
    to.level(p + "limit", "places", "how many there are of what is limited", c.places(), OF, of);
    to.level(p + "taken", "places", "places that are taken", c.taken(), OF, of);
    to.level(p + "waiting", REQUESTS, "requests in line for a place", c.waiting(), OF, of);
    to.count(p + "waited", REQUESTS, "requests that had to wait for one", c.waited(), OF, of);
    to.count(p + "refused", REQUESTS, "requests for which the line was full", c.refused(), OF, of);
    to.count(p + "timeouts", REQUESTS, "requests that waited too long", c.timedOut(), OF, of);
  }

  private void snapshots(SnapshotCounters s) {
    String p = "upcall.snapshots.";
    to.level(p + "named", "snapshots", "snapshots that stay until they are dropped", s.named());
    to.level(
        p + "kept",
        BYTES,
        "space that nobody needs but snapshots with names",
        s.keptBlocks() * Disk.BLOCK_BYTES);
    to.levelTime(
        p + "oldest", "for how long the oldest named snapshot has been there", s.oldestAgeNanos());
    to.level(
        p + "open", "snapshots", "snapshots without a name, those of transactions too", s.open());
    to.count(p + "refused", "snapshots", "snapshots refused as Busy", s.refused());
    to.level(
        p + "copied",
        BYTES,
        "heap memory of what open snapshots see and the store has changed since",
        s.copiedBytes());
  }

  private void transactions(TransactionCounters t) {
    String p = "upcall.transactions.";
    String what = "transactions";
    String end = "transactions that have ended, by how";
    to.level(p + "open", what, "transactions open now", t.open());
    to.count(p + "ended", what, end, t.committed(), END, "committed");
    to.count(p + "ended", what, end, t.rolledBack(), END, "rolled back");
    to.count(p + "ended", what, end, t.conflicts(), END, "conflict");
    to.count(p + "ended", what, end, t.expired(), END, "idle too long");
    to.count(p + "refused", what, "transactions refused as Busy", t.refused());
    to.latency(p + "duration", "from the beginning of a transaction to its end", t.openNanos());
    LockCounters locks = t.locks();
    String l = "upcall.locks.";
    to.level(l + "held", "locks", "locks that are held", locks.held());
    to.level(l + "waiting", REQUESTS, "requests that wait for a lock", locks.waiting());
    to.count(l + "timeouts", REQUESTS, "requests that waited too long", locks.timeouts());
    to.count(
        l + "deadlocks", REQUESTS, "requests that would have closed a cycle", locks.deadlocks());
    to.count(l + "refused", REQUESTS, "requests for more locks than allowed", locks.refused());
    to.latency(l + "wait", "how long those waited that had to", locks.waitNanos());
  }

  private void log(LogCounters log) {
    String p = "upcall.log.";
    to.count(p + "batches", "batches", "batches made durable, marks included", log.batches());
    to.count(p + "records", "records", "commits made durable", log.records());
    to.spread(
        p + "batch",
        "records",
        "commits that became durable with one write (and sync)",
        log.batchRecords());
    to.count(p + "syncs", "syncs", "syncs that the log asked for", log.syncs());
    to.count(p + "written", BYTES, "log written", log.blocks() * Disk.BLOCK_BYTES);
    to.level(
        p + "used",
        BYTES,
        "log that may not be written over yet",
        (long) log.usedBlocks() * Disk.BLOCK_BYTES);
    to.level(
        p + "capacity", BYTES, "size of the log", (long) log.capacityBlocks() * Disk.BLOCK_BYTES);
  }

  private void cache(BufferCounters b) {
    String p = "upcall.cache.";
    to.count(p + "hits", "reads", "reads of placed content that found all in memory", b.hits());
    to.count(p + "misses", "reads", "reads of placed content that waited for the disk", b.misses());
    to.count(p + "evictions", "frames", "frames dropped to make room", b.evictions());
    to.count(p + "loads", REQUESTS, "requests to the disk", b.loads());
    to.count(p + "loaded", BYTES, "what they asked for", b.loadedBytes());
    to.count(p + "loads.failed", REQUESTS, "loads that the disk refused", b.failedLoads());
    to.count(p + "corrupt", "frames", "frames that did not match", b.corruptFrames());
    to.count(p + "prefetches", REQUESTS, "read-ahead that began", b.prefetches());
    to.count(p + "prefetches.dropped", REQUESTS, "read-ahead dropped", b.prefetchesDropped());
    to.count(p + "parked", REQUESTS, "requests that waited for memory", b.parked());
    to.count(p + "refused", REQUESTS, "requests refused as Busy", b.refused());
    to.level(p + "waiting", REQUESTS, "requests that wait for memory now", b.waiting());
    to.level(p + "leases", "leases", "leases that are out", b.leases());
    to.level(p + "budget", BYTES, "the limit", b.budgetBytes());
    to.level(p + "allocated", BYTES, "taken from the JVM", b.allocatedBytes());
    to.level(p + "used", BYTES, "in frames", b.usedBytes());
    to.level(p + "pinned", BYTES, "in frames that cannot be evicted", b.pinnedBytes());
    to.level(p + "private", BYTES, "in frames with dirty content", b.privateBytes());
    compression(b.coding());
  }

  private void compression(CodingCounters c) {
    String p = "upcall.compression.";
    to.count(p + "content", BYTES, "content that was stored compressed", c.codedBytes());
    to.count(p + "stored", BYTES, "what it takes", c.storedBytes());
    to.count(p + "plain", BYTES, "content that did not shrink enough", c.plainBytes());
    to.count(p + "decoded", BYTES, "content that was decoded", c.decodedBytes());
  }

  private void disk(DiskCounters disk) {
    String p = "upcall.disk.";
    to.level(p + "in.flight", REQUESTS, "requests that the device has", disk.inFlight());
    to.level(p + "waiting", REQUESTS, "requests that wait for their turn", disk.waiting());
    for (DiskCounters.Kind kind : disk.kinds()) {
      String[] tags = {OPERATION, kind.operation().words().replace(' ', '_')};
      to.latency(p + "request", "how long the device had a request", kind.nanos(), tags);
      to.count(p + "failed", REQUESTS, "requests that failed", kind.failed(), tags);
      to.count(p + "moved", BYTES, "bytes read, written or made room for", kind.bytes(), tags);
    }
  }

  private void files(FileManagerMetrics files) {
    String p = "upcall.files.";
    to.level(p + "requests", REQUESTS, "requests inside", files.info().requestsInside());
    to.level(p + "handles", "handles", "handles and puts open", files.info().handlesOpen());
    to.count(p + "refused", REQUESTS, "requests refused as Busy", files.refused());
    to.count(p + "looked", "looks", "looks that callers answered themselves", files.looked());
    to.count(
        p + "reclaimed",
        "entries",
        "entries of deleted trees taken apart",
        files.info().reclaimedEntries());
    to.count(
        p + "expired", "files", "files that expired and were deleted", files.info().expiredFiles());
    to.levelTime(
        p + "expired.waiting",
        "for how long an expired file has been waiting to be deleted",
        files.info().expiryLagNanos());
    for (FileManagerMetrics.Counts counts : files.operations()) {
      String[] tags = {OPERATION, counts.operation().name().toLowerCase(Locale.ROOT)};
      to.latency(p + "request", "from a request to its completion", counts.nanos(), tags);
      to.count(p + "failed", REQUESTS, "requests that failed", counts.failed(), tags);
    }
  }
}
