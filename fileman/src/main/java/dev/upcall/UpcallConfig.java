package dev.upcall;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.upcall.completion.Failure;
import dev.upcall.config.ContentConfig;
import dev.upcall.config.DiskKind;
import dev.upcall.config.KeySource;
import dev.upcall.config.Limits;
import dev.upcall.config.PlaceConfig;
import dev.upcall.config.TrafficConfig;
import dev.upcall.config.WaitConfig;
import dev.upcall.io.seal.Seal;
import dev.upcall.store.LossBound;
import dev.upcall.store.SnapshotConfig;
import dev.upcall.store.TransactionConfig;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Objects;

/**
 * Settings of an embedded store: one immutable record. Take {@link #DEFAULT} and change what should
 * be otherwise: {@code UpcallConfig.DEFAULT.withMemoryBytes(64 << 20).withReadOnly(true)}. A value
 * out of its range is refused with an {@link IllegalArgumentException} that names it.
 *
 * @param memoryBytes memory of the store: three quarters off-heap for content, a quarter on the
 *     heap for tree pages; at least 16 MiB
 * @param capBytes what the volume may grow to, at least 64 MiB; 0 for what it was last opened with,
 *     or {@link #DEFAULT_CAP_BYTES} for a new one. It can be raised later to 16 times what the
 *     volume was made with, and always to {@link #DEFAULT_CAP_BYTES} when it was made with a
 *     sixteenth of that or more
 * @param readOnly whether the volume is left as it is, byte for byte: its file need not be
 *     writable, and others may read it at the same time. It is opened also where it is damaged,
 *     with what can be read of it; {@link Upcall#info} says what is missing, and whether the state
 *     that is shown is older than the newest. Nothing is created
 * @param engine who serves the calls
 * @param limits what callers may ask at once, and what a crash may take from them
 * @param drive how the volume is read and written, how threads wait, and what is remembered of it
 */
public record UpcallConfig(
    long memoryBytes,
    long capBytes,
    boolean readOnly,
    Engine engine,
    StoreLimits limits,
    DriveConfig drive) {
  /** The smallest memory of a store. */
  public static final long MIN_MEMORY_BYTES = 16L << 20;

  /** The smallest cap of a volume. */
  public static final long MIN_CAP_BYTES = 64L << 20;

  /** The cap of a new volume unless said otherwise. */
  public static final long DEFAULT_CAP_BYTES = 256L << 30;

  private static final long OTHER_BUFFERS_BYTES = 4L << 20;
  private static final long USUAL_MEMORY_BYTES = 256L << 20;

  /**
   * What is used unless said otherwise: 256 MiB of memory, or as much as this JVM is made for
   * ({@link #usualMemoryBytes}).
   */
  public static final UpcallConfig DEFAULT =
      new UpcallConfig(
          Math.min(USUAL_MEMORY_BYTES, usualMemoryBytes()),
          0,
          false,
          Engine.FSM,
          StoreLimits.DEFAULT,
          DriveConfig.DEFAULT);

  /** Checks the limits. */
  public UpcallConfig {
    Objects.requireNonNull(engine, "engine");
    Objects.requireNonNull(limits, "limits");
    Objects.requireNonNull(drive, "drive");
    Limits.atLeast("memoryBytes", memoryBytes, MIN_MEMORY_BYTES);
    Limits.require(
        capBytes == 0 || capBytes >= MIN_CAP_BYTES,
        "capBytes is " + capBytes + ", must be 0 or at least " + MIN_CAP_BYTES);
    Limits.require(
        engine == Engine.FSM || drive.ioPolicy().equals(DriveConfig.DEFAULT_IO_POLICY),
        "an I/O policy needs the engine FSM: with "
            + engine
            + " each calling thread sends its own requests, and nothing schedules them");
    Limits.require(
        limits.files().maxStagingBytes() <= memoryBytes / 8,
        "files.maxStagingBytes is "
            + limits.files().maxStagingBytes()
            + ", must be at most an eighth of memoryBytes, which is "
            + memoryBytes);
    Limits.require(
        limits.content().gatherBytes() <= memoryBytes / 8,
        "content.gatherBytes is "
            + limits.content().gatherBytes()
            + ", must be at most an eighth of memoryBytes, which is "
            + memoryBytes);
  }

  /**
   * The memory of a store that leaves room for others in this JVM: so much as its heap may grow to,
   * and as it may use beside the heap, in whole MiB; at least {@link #MIN_MEMORY_BYTES}.
   */
  public static long usualMemoryBytes() {
    long least = Math.min(heapLimitBytes(), directLimitBytes());
    return Math.max(MIN_MEMORY_BYTES, least & -(1L << 20));
  }

  /** What the JVM's heap may grow to, in bytes. */
  public static long heapLimitBytes() {
    return Runtime.getRuntime().maxMemory();
  }

  /** How much memory the JVM may use beside its heap, in bytes; others may have used some. */
  public static long directLimitBytes() {
    HotSpotDiagnosticMXBean hotSpot =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    long option = Long.parseLong(hotSpot.getVMOption("MaxDirectMemorySize").getValue());
    return option > 0 ? option : heapLimitBytes();
  }

  /**
   * Refuses a memory that this JVM cannot give, as every opening does before anything is touched.
   *
   * @throws UpcallException {@code Invalid}
   */
  public void checkFitsJvm() {
    long pagesBytes = memoryBytes / 4;
    long contentBytes = memoryBytes - pagesBytes;
    // Frames are aligned, and what is on its way to the log and from the map has buffers of its
    // own.
    long sealBytes = drive.key().isPresent() ? Seal.SCRATCH_BYTES : 0;
    long directBytes = contentBytes + contentBytes / 64 + OTHER_BUFFERS_BYTES + sealBytes;
    if (pagesBytes > heapLimitBytes() / 2 || directBytes > directLimitBytes()) {
      throw UpcallException.of(
          new Failure.Invalid(
              ("a store with %d bytes of memory takes %d of the Java heap and %d beside it; in this JVM"
                      + " it may take %d of the heap (half of what that may grow to) and %d beside"
                      + " it; %s the JVM more (-Xmx, -XX:MaxDirectMemorySize)")
                  .formatted(
                      memoryBytes,
                      pagesBytes,
                      directBytes,
                      heapLimitBytes() / 2,
                      directLimitBytes(),
                      usualMemoryBytes() < memoryBytes
                          ? "give the store %d, or".formatted(usualMemoryBytes())
                          : "no store has less: give")));
    }
  }

  /** With another memory, in bytes. */
  public UpcallConfig withMemoryBytes(long bytes) {
    return new UpcallConfig(bytes, capBytes, readOnly, engine, limits, drive);
  }

  /** With another cap, in bytes; 0 for that which the volume has. */
  public UpcallConfig withCapBytes(long bytes) {
    return new UpcallConfig(memoryBytes, bytes, readOnly, engine, limits, drive);
  }

  /** With the volume left as it is, or not. */
  public UpcallConfig withReadOnly(boolean leaveAsItIs) {
    return new UpcallConfig(memoryBytes, capBytes, leaveAsItIs, engine, limits, drive);
  }

  /** With another engine. */
  public UpcallConfig withEngine(Engine other) {
    return new UpcallConfig(memoryBytes, capBytes, readOnly, other, limits, drive);
  }

  /** With other limits of the file manager. */
  public UpcallConfig withFiles(FileManagerConfig others) {
    return withLimits(limits.withFiles(others));
  }

  /** With another bound of what a crash may take. */
  public UpcallConfig withLoss(LossBound bound) {
    return withLimits(limits.withLoss(bound));
  }

  /** With other limits of transactions and locks. */
  public UpcallConfig withTransactions(TransactionConfig others) {
    return withLimits(limits.withTransactions(others));
  }

  /** With other limits of snapshots. */
  public UpcallConfig withSnapshots(SnapshotConfig others) {
    return withLimits(limits.withSnapshots(others));
  }

  /** With another way of waiting for what is limited in number: for how long, and how many may. */
  public UpcallConfig withPlaces(PlaceConfig others) {
    return withLimits(limits.withPlaces(others));
  }

  /** With another way of new content to its place. */
  public UpcallConfig withContent(ContentConfig others) {
    return withLimits(limits.withContent(others));
  }

  /** With another disk. */
  public UpcallConfig withDisk(DiskKind choice) {
    return withDrive(drive.withDisk(choice));
  }

  /** With another number of threads of a disk that is driven by a pool. */
  public UpcallConfig withDiskThreads(int threads) {
    return withDrive(drive.withDiskThreads(threads));
  }

  /** With another time of looking for the end of a durable write, 10 ms at most; zero: none. */
  public UpcallConfig withCommitPoll(Duration longest) {
    Objects.requireNonNull(longest, "longest");
    return withDrive(drive.withCommitPollNanos(Limits.nanos(longest)));
  }

  /**
   * With another way of waiting between callers and the store's thread. A program that minds
   * processor time more than the time of a call says {@code
   * withWaits(WaitConfig.defaults().withoutSpinning())}.
   */
  public UpcallConfig withWaits(WaitConfig waits) {
    return withDrive(drive.withWaits(waits));
  }

  /** With another number of records that the flight recorder keeps; 0: it records nothing. */
  public UpcallConfig withRecordsKept(int records) {
    return withDrive(drive.withRecordsKept(records));
  }

  /**
   * With another order of the requests to the device: a policy, and what of its knobs shall be
   * otherwise, such as {@code deadline,depth=32}; {@link DriveConfig} says which there are.
   */
  public UpcallConfig withIoPolicy(String policy) {
    return withDrive(drive.withIoPolicy(policy));
  }

  /**
   * With something kept of the requests to the device: {@code TrafficConfig.NONE.withFile(path)}
   * writes a trace of them into a new file, {@code withMeasures(true)} keeps their measures, which
   * are among the store's meters.
   */
  public UpcallConfig withTraffic(TrafficConfig kept) {
    return withDrive(drive.withTraffic(kept));
  }

  /**
   * With a key: a store that is made is encrypted, all but its superblocks, and one that is opened
   * must be. A key that is not the store's is refused, and nothing is touched.
   */
  public UpcallConfig withKey(KeySource source) {
    return withDrive(drive.withKey(Objects.requireNonNull(source, "source")));
  }

  private UpcallConfig withLimits(StoreLimits others) {
    return new UpcallConfig(memoryBytes, capBytes, readOnly, engine, others, drive);
  }

  private UpcallConfig withDrive(DriveConfig other) {
    return new UpcallConfig(memoryBytes, capBytes, readOnly, engine, limits, other);
  }
}
