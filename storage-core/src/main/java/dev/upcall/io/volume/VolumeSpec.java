package dev.upcall.io.volume;

import dev.upcall.base.Invariants;
import dev.upcall.config.DiskKind;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Which volume to open, and how.
 *
 * @param path a regular file or a block device
 * @param name what it is called in messages
 * @param kind the implementation
 * @param createBlocks the size of the file to create, which must not exist; 0 to open an existing
 *     one
 * @param inFlightLimit requests that the kernel, or the pool, is given at once; more wait in the
 *     order of their submission. At most {@value #MAX_IN_FLIGHT}
 * @param poolThreads threads of a channel disk
 * @param readOnly whether it is opened so that nothing can be written to it, beside others that
 *     only read it
 * @param claim the right to write it, which was waited for and is used up by the opening; or null
 */
public record VolumeSpec(
    Path path,
    String name,
    DiskKind kind,
    long createBlocks,
    int inFlightLimit,
    int poolThreads,
    boolean readOnly,
    @Nullable VolumeClaim claim) {
  /** The ring's tag has room for so many slots. */
  public static final int MAX_IN_FLIGHT = 1024;

  /** Requests in flight unless told otherwise. */
  public static final int DEFAULT_IN_FLIGHT = 512;

  /** Pool threads unless told otherwise. */
  public static final int DEFAULT_POOL_THREADS = 32;

  /** Checks the limits. */
  public VolumeSpec {
    Invariants.check(createBlocks >= 0, "size", createBlocks);
    Invariants.check(
        inFlightLimit > 0 && inFlightLimit <= MAX_IN_FLIGHT, "inFlightLimit", inFlightLimit);
    Invariants.check(poolThreads > 0 && poolThreads <= 1024, "poolThreads", poolThreads);
    Invariants.check(!readOnly || createBlocks == 0, "to be made, and only read", createBlocks);
    Invariants.check(
        claim == null || (createBlocks == 0 && !readOnly), "claimed, to be made or read", name);
  }

  /** An existing volume. */
  public static VolumeSpec existing(Path path, DiskKind kind) {
    return new VolumeSpec(
        path, path.toString(), kind, 0, DEFAULT_IN_FLIGHT, DEFAULT_POOL_THREADS, false, null);
  }

  /** A volume file to be created with a size; its blocks are allocated and read as zeros. */
  public static VolumeSpec create(Path path, DiskKind kind, long blocks) {
    Invariants.check(blocks > 0, "size", blocks);
    return new VolumeSpec(
        path, path.toString(), kind, blocks, DEFAULT_IN_FLIGHT, DEFAULT_POOL_THREADS, false, null);
  }

  /** An existing volume that was waited for. */
  public static VolumeSpec claimed(VolumeClaim claim, DiskKind kind) {
    VolumeSpec spec = existing(claim.path(), kind);
    return new VolumeSpec(
        spec.path, spec.name, kind, 0, spec.inFlightLimit, spec.poolThreads, false, claim);
  }

  /** The same under another name in messages: that which it will get. */
  public VolumeSpec named(Path called) {
    return new VolumeSpec(
        path, called.toString(), kind, createBlocks, inFlightLimit, poolThreads, readOnly, claim);
  }

  /** The same with another bound on what is in flight. */
  public VolumeSpec withInFlightLimit(int limit) {
    return new VolumeSpec(path, name, kind, createBlocks, limit, poolThreads, readOnly, claim);
  }

  /** The same with another number of threads of a channel disk. */
  public VolumeSpec withPoolThreads(int threads) {
    return new VolumeSpec(path, name, kind, createBlocks, inFlightLimit, threads, readOnly, claim);
  }

  /** The same, only to be read or not. */
  public VolumeSpec withReadOnly(boolean onlyRead) {
    return new VolumeSpec(
        path, name, kind, createBlocks, inFlightLimit, poolThreads, onlyRead, claim);
  }
}
