package dev.upcall.httpd.server;

import dev.upcall.Engine;
import dev.upcall.fileman.blocking.TestedEngines;
import org.junit.jupiter.api.Nested;

/** Servers on real sockets, with the engine of threads. */
@TestedEngines(Engine.THREADS)
class ServersOfThreadsTest {
  @Nested
  @TestedEngines({Engine.THREADS, Engine.VIRTUAL})
  class Resets extends ClientResetTest {}

  @Nested
  @TestedEngines({Engine.THREADS, Engine.VIRTUAL})
  class Servers extends HttpServerTest {}

  @Nested
  @TestedEngines({Engine.THREADS, Engine.VIRTUAL})
  class Services extends HttpServiceTest {}

  @Nested
  class Patches extends PatchClientsTest {}
}
