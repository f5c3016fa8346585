package dev.upcall.nio.host;

import dev.upcall.Engine;
import dev.upcall.fileman.blocking.TestedEngines;
import org.junit.jupiter.api.Nested;

/** The comparison with the host, with the engine of threads. */
@TestedEngines(Engine.THREADS)
class HostOfThreadsTest {
  @Nested
  class SameAsHost extends SameAsHostTest {}

  @Nested
  class Secure extends SecureDirectoryTest {}
}
