package dev.upcall;

import dev.upcall.config.DiskKind;
import dev.upcall.config.KeySource;
import dev.upcall.config.Limits;
import dev.upcall.config.TrafficConfig;
import dev.upcall.config.WaitConfig;
import dev.upcall.fsm.DispatcherConfig;
import dev.upcall.fsm.record.RecordRing;
import dev.upcall.io.schedule.IoPolicyConfig;
import dev.upcall.io.volume.NettyReactor;
import dev.upcall.io.volume.VolumeSpec;
import java.util.Objects;
import java.util.Optional;

/**
 * How the volume is read and written, how threads wait for it and for each other, and how much of
 * that is remembered. The defaults suit nearly everybody; {@link UpcallConfig} has a method for
 * each.
 *
 * @param disk how the volume is read and written
 * @param diskThreads threads that read and write where a pool of them drives the volume ({@link
 *     DiskKind#CHANNEL}), 1 to {@value #MAX_DISK_THREADS}; with a ring it means nothing, and in the
 *     engines of threads the callers are the pool
 * @param commitPollNanos how long the store's thread, waiting for nothing but the log, may look for
 *     the end of a durable write before it sleeps, in nanoseconds, 0 to {@value
 *     #MAX_COMMIT_POLL_NANOS}; 0: it sleeps at once. It costs processor time that nobody else
 *     wants, and saves a commit the waking of an idle core. Only with a ring, more than one
 *     processor, and a device whose recent durable writes took less
 * @param waits how a thread that waits for its call and the store's thread look for each other
 *     before they sleep, and how long wake-ups are held back; in the engines of threads it means
 *     nothing
 * @param recordsKept how many of the last records the flight recorder keeps in memory, 48 bytes
 *     each: a power of two, or 0 to record nothing; the engines of threads have no recorder
 * @param ioPolicy in which order requests go to the device: {@code fair}, {@code noop}, {@code
 *     deadline}, {@code anticipatory} or {@code cfq}, and behind it what of its knobs shall be
 *     otherwise, as in {@code deadline,depth=32,read=500ms}; the engines of threads schedule
 *     nothing, and take no other than {@value #DEFAULT_IO_POLICY}
 * @param traffic what is kept of the requests to the device
 * @param key where the key of an encrypted store comes from; empty for a store that is not
 *     encrypted
 */
public record DriveConfig(
    DiskKind disk,
    int diskThreads,
    long commitPollNanos,
    WaitConfig waits,
    int recordsKept,
    String ioPolicy,
    TrafficConfig traffic,
    Optional<KeySource> key) {
  /** The most threads of a disk that is driven by a pool. */
  public static final int MAX_DISK_THREADS = 1024;

  /** The longest time of looking for the end of a durable write. */
  public static final long MAX_COMMIT_POLL_NANOS = 10_000_000;

  /** The order of requests to the device unless said otherwise. */
  public static final String DEFAULT_IO_POLICY = "fair";

  /** What is used unless said otherwise. */
  public static final DriveConfig DEFAULT =
      new DriveConfig(
          DiskKind.AUTO,
          VolumeSpec.DEFAULT_POOL_THREADS,
          NettyReactor.DEFAULT_POLL_NANOS,
          WaitConfig.defaults(),
          DispatcherConfig.defaults().recordsKept(),
          DEFAULT_IO_POLICY,
          TrafficConfig.NONE,
          Optional.empty());

  /** Checks the limits. */
  public DriveConfig {
    Objects.requireNonNull(disk, "disk");
    Objects.requireNonNull(waits, "waits");
    Objects.requireNonNull(ioPolicy, "ioPolicy");
    IoPolicyConfig.parse(ioPolicy);
    Objects.requireNonNull(traffic, "traffic");
    Objects.requireNonNull(key, "key");
    Limits.within("diskThreads", diskThreads, 1, MAX_DISK_THREADS);
    Limits.within("commitPollNanos", commitPollNanos, 0, MAX_COMMIT_POLL_NANOS);
    RecordRing.checkedSize(recordsKept);
  }

  DriveConfig withDisk(DiskKind choice) {
    return new DriveConfig(
        choice, diskThreads, commitPollNanos, waits, recordsKept, ioPolicy, traffic, key);
  }

  DriveConfig withDiskThreads(int threads) {
    return new DriveConfig(
        disk, threads, commitPollNanos, waits, recordsKept, ioPolicy, traffic, key);
  }

  DriveConfig withCommitPollNanos(long nanos) {
    return new DriveConfig(disk, diskThreads, nanos, waits, recordsKept, ioPolicy, traffic, key);
  }

  DriveConfig withWaits(WaitConfig other) {
    return new DriveConfig(
        disk, diskThreads, commitPollNanos, other, recordsKept, ioPolicy, traffic, key);
  }

  DriveConfig withRecordsKept(int records) {
    return new DriveConfig(
        disk, diskThreads, commitPollNanos, waits, records, ioPolicy, traffic, key);
  }

  DriveConfig withIoPolicy(String policy) {
    return new DriveConfig(
        disk, diskThreads, commitPollNanos, waits, recordsKept, policy, traffic, key);
  }

  DriveConfig withTraffic(TrafficConfig kept) {
    return new DriveConfig(
        disk, diskThreads, commitPollNanos, waits, recordsKept, ioPolicy, kept, key);
  }

  DriveConfig withKey(KeySource source) {
    return new DriveConfig(
        disk,
        diskThreads,
        commitPollNanos,
        waits,
        recordsKept,
        ioPolicy,
        traffic,
        Optional.of(source));
  }
}
