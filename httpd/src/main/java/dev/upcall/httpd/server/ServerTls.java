package dev.upcall.httpd.server;

import dev.upcall.UpcallException;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.TlsConfig;
import dev.upcall.httpd.session.FlushQueue;
import dev.upcall.httpd.tls.HandshakeThreads;
import dev.upcall.httpd.tls.TlsEngines;
import dev.upcall.httpd.tls.TlsService;
import java.util.Objects;

/**
 * Certificates in force, for any number of servers, and the two threads that compute their
 * handshakes. Any thread that may wait. Close it behind the servers.
 */
public final class ServerTls implements AutoCloseable {
  private final TlsEngines engines;
  private final HandshakeThreads threads = new HandshakeThreads();

  private ServerTls(TlsEngines engines) {
    this.engines = engines;
  }

  /**
   * Reads the files, and tries a handshake with what they hold.
   *
   * @throws UpcallException {@code Invalid} with the file that is bad and why, or why the engine
   *     cannot be used
   */
  public static ServerTls load(TlsConfig config) {
    return new ServerTls(TlsEngines.load(Objects.requireNonNull(config, "config")));
  }

  /**
   * Reads the files again. Connections that begin from now on use what they hold; those that there
   * are keep what they have.
   *
   * @throws UpcallException {@code Invalid} with the file that is bad and why; then nothing changes
   */
  public void reload() {
    engines.reload();
  }

  /** Which engine, whose certificate, and until when, in one line. */
  public String describe() {
    return engines.describe();
  }

  TlsService service(HttpConfig config, Dispatcher dispatcher, FlushQueue flushQueue) {
    return new TlsService(config, dispatcher, flushQueue, engines, threads);
  }

  /** Ends its threads and gives its memory back, once no server uses it. */
  @Override
  public void close() {
    threads.close();
    engines.close();
  }
}
