package dev.upcall.buffer;

import dev.upcall.completion.Failure;
import dev.upcall.space.Extent;

/** A request that may have to wait for memory. */
interface MemoryWaiter {
  /** Whom it serves, as the flight recorder knows it. */
  long asker();

  /** Tries to go on; false, having changed nothing, when there is still no memory. */
  boolean serve();

  /** Blocks were freed: what waits for their content must not find what comes in their place. */
  void forgotten(Extent extent);

  /** Will never be served. */
  void refuse(Failure why);
}
