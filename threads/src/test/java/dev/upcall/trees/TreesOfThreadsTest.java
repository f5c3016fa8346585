package dev.upcall.trees;

import dev.upcall.Engine;
import dev.upcall.fileman.blocking.TestedEngines;
import org.junit.jupiter.api.Nested;

/** Whole trees, with the engine of threads. */
@TestedEngines(Engine.THREADS)
class TreesOfThreadsTest {
  @Nested
  class Copies extends CopyTest {}

  @Nested
  class Damage extends DamagedTreeTest {}

  @Nested
  class Rewrites extends FileRewriteTest {}

  @Nested
  class Transfers extends HostTransferTest {}

  @Nested
  class Walks extends WalkTest {}
}
