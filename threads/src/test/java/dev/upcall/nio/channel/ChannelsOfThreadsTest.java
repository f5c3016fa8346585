package dev.upcall.nio.channel;

import dev.upcall.Engine;
import dev.upcall.fileman.blocking.TestedEngines;
import org.junit.jupiter.api.Nested;

/** Channels, with the engine of threads. */
@TestedEngines(Engine.THREADS)
class ChannelsOfThreadsTest {
  @Nested
  class ChannelModel extends ChannelModelTest {}

  @Nested
  class Attributes extends CollectedAttributesTest {}

  @Nested
  class Collected extends CollectedWritesTest {}

  @Nested
  class Outstanding extends OutstandingOperationsTest {}
}
