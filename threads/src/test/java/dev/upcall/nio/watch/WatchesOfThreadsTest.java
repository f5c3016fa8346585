package dev.upcall.nio.watch;

import dev.upcall.Engine;
import dev.upcall.fileman.blocking.TestedEngines;
import org.junit.jupiter.api.Nested;

/** Watch services, with the engine of threads. */
@TestedEngines(Engine.THREADS)
class WatchesOfThreadsTest {
  @Nested
  class Watches extends WatchServiceTest {}
}
