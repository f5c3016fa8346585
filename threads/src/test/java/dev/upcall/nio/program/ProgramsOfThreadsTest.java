package dev.upcall.nio.program;

import dev.upcall.Engine;
import dev.upcall.fileman.blocking.TestedEngines;
import org.junit.jupiter.api.Nested;

/** Files of killed programs, with the engine of threads. */
@TestedEngines(Engine.THREADS)
class ProgramsOfThreadsTest {
  @Nested
  class KilledWrites extends KilledWritesTest {}
}
