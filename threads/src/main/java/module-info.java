/**
 * The engine of threads: stores whose calls are served by the threads that make them, and an HTTP
 * server with a thread for each connection. A program that has this module chooses it by {@code
 * UpcallConfig.withEngine}; the server is for programs that have {@code dev.upcall.httpd}, too.
 */
@SuppressWarnings("module") // the storage core exports to those above, which are compiled later
module dev.upcall.threads {
  requires static transitive org.jspecify;
  requires transitive dev.upcall.fileman;
  requires static transitive dev.upcall.httpd;
  requires static io.netty.buffer;
  requires static io.netty.codec.http;

  exports dev.upcall.httpd.blocking;

  provides dev.upcall.fileman.engine.EngineProvider with
      dev.upcall.threads.files.ThreadEngines;
}
