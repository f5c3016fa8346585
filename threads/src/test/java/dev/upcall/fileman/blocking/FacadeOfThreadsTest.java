package dev.upcall.fileman.blocking;

import dev.upcall.Engine;
import dev.upcall.fileman.keys.SealedVolumeTest;
import dev.upcall.house.FileArgumentsTest;
import org.junit.jupiter.api.Nested;

/** The blocking facade, with the engine of threads. */
@TestedEngines(Engine.THREADS)
class FacadeOfThreadsTest {
  @Nested
  @TestedEngines({Engine.THREADS, Engine.VIRTUAL})
  class Traffic extends BlockTrafficTest {}

  @Nested
  class Channels extends ByteChannelTest {}

  @Nested
  @TestedEngines({Engine.THREADS, Engine.VIRTUAL})
  class ClonesAndExpiry extends CloneAndExpiryTest {}

  @Nested
  @TestedEngines({Engine.THREADS, Engine.VIRTUAL})
  class Tables extends TablesTest {}

  @Nested
  class Conveniences extends ConvenienceTest {}

  @Nested
  class Damage extends DamagedVolumeTest {}

  @Nested
  class Arguments extends FileArgumentsTest {}

  @Nested
  class LimitsListed extends LimitListTest {}

  @Nested
  class LostVolumes extends LostVolumeUpcallTest {}

  @Nested
  class ManyCallers extends ManyCallersTest {}

  @Nested
  class Messages extends MessagesTest {}

  @Nested
  class NoVirtualThreads extends NoVirtualThreadsTest {}

  @Nested
  class ReadOnly extends ReadOnlyVolumeTest {}

  @Nested
  class Sealed extends SealedVolumeTest {}

  @Nested
  class SmallJvms extends SmallJvmTest {}

  @Nested
  class Waiting extends WaitingCallersTest {}
}
