package dev.upcall.metrics;

import dev.upcall.FileManager;
import dev.upcall.FileManagerMetrics;
import dev.upcall.feed.FeedMetrics;
import dev.upcall.httpd.HttpMetrics;
import dev.upcall.journal.recording.RecordingCounts;
import dev.upcall.locks.LockWait;
import dev.upcall.txn.StoreMetrics;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a store and what stands on it have counted, as of one upcall; immutable.
 *
 * @param store the store and its dispatcher
 * @param files the file manager
 * @param http the server, or null where there is none
 * @param lockWaits how much threads have waited for locks; empty where machines serve
 * @param recording what of the flight recorder went into files, or null where nothing does
 * @param queue the feed of a queue of requests, or null where there is none
 */
public record MetricsSnapshot(
    StoreMetrics store,
    FileManagerMetrics files,
    @Nullable HttpMetrics http,
    List<LockWait> lockWaits,
    @Nullable RecordingCounts recording,
    @Nullable FeedMetrics queue) {
  /** Copies the list. */
  public MetricsSnapshot {
    lockWaits = List.copyOf(lockWaits);
  }

  /** Takes a snapshot. Dispatcher's thread; some tens of microseconds of copying. */
  public static MetricsSnapshot of(FileManager files, @Nullable HttpMetrics http) {
    return new MetricsSnapshot(
        files.store().metrics(), files.metrics(), http, List.of(), null, null);
  }

  /** The same of a store that threads serve. */
  public MetricsSnapshot withLockWaits(List<LockWait> waits) {
    return new MetricsSnapshot(store, files, http, waits, recording, queue);
  }

  /** The same of a store whose flight recorder goes into files. */
  public MetricsSnapshot withRecording(@Nullable RecordingCounts counts) {
    return new MetricsSnapshot(store, files, http, lockWaits, counts, queue);
  }

  /** The same of a store that does the requests of a queue. */
  public MetricsSnapshot withQueue(@Nullable FeedMetrics feed) {
    return new MetricsSnapshot(store, files, http, lockWaits, recording, feed);
  }
}
