package dev.upcall.nio;

import dev.upcall.Engine;
import dev.upcall.fileman.blocking.TestedEngines;
import org.junit.jupiter.api.Nested;

/** What the provider does, with the engine of threads. */
@TestedEngines(Engine.THREADS)
class ProviderOfThreadsTest {
  @Nested
  class ChannelModel extends ChannelModelTest {}

  @Nested
  class Collected extends CollectedWritesTest {}

  @Nested
  class KilledWrites extends KilledWritesTest {}

  @Nested
  class MadeFiles extends MadeFilesTest {}

  @Nested
  class Outstanding extends OutstandingOperationsTest {}

  @Nested
  class SameAsHost extends SameAsHostTest {}

  @Nested
  class Secure extends SecureDirectoryTest {}
}
