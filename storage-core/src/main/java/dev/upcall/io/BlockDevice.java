package dev.upcall.io;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;

/**
 * A volume for threads that wait: each request is served on the thread that brings it, to its end.
 * Any number of threads at once. The same requests and results as those of a {@link Disk}; ports
 * are not used.
 *
 * <p>An interrupt neither ends a request nor gets lost: it is pending again when the call returns.
 * While a request waits a virtual thread keeps its carrier. The JDK lets the scheduler grow
 * meanwhile in transfers of direct I/O and in durable writes, and in nothing else.
 */
public interface BlockDevice {
  /**
   * Serves a request. Failures: {@code Device}, {@code VolumeFull}; {@code Closed} behind close.
   */
  Completion<Unit> perform(DiskRequest request);

  /** The size in blocks when it was opened. */
  long sizeBlocks();

  /** A name for messages: the volume's path. */
  String name();

  /**
   * Releases the descriptors and the lock. The caller sees to it that no request is under way and
   * that none begins meanwhile: another file may get a descriptor's number at once.
   */
  void close();
}
