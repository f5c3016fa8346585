package dev.upcall.nio;

import dev.upcall.Engine;
import dev.upcall.fileman.blocking.TestedEngines;
import org.junit.jupiter.api.Nested;

/** The provider, with the engine of threads. */
@TestedEngines(Engine.THREADS)
class ProviderOfThreadsTest {
  @Nested
  class MadeFiles extends MadeFilesTest {}
}
