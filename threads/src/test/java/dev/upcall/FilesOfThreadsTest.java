package dev.upcall;

import dev.upcall.fileman.blocking.TestedEngines;
import org.junit.jupiter.api.Nested;

/** Requests, with the engine of threads. */
@TestedEngines(Engine.THREADS)
class FilesOfThreadsTest {
  @Nested
  class Appending extends AppendingHandlesTest {}

  @Nested
  @TestedEngines({Engine.THREADS, Engine.VIRTUAL})
  class Ranges extends ExtremeRangesTest {}
}
