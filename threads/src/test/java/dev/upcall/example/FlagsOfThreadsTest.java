package dev.upcall.example;

import dev.upcall.Engine;
import dev.upcall.fileman.blocking.TestedEngines;
import org.junit.jupiter.api.Nested;

/** Which flags a program needs, with the engine of threads. */
@TestedEngines(Engine.THREADS)
class FlagsOfThreadsTest {
  @Nested
  class Flags extends FlagsTest {}
}
