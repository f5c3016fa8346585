package dev.upcall.httpd;

import dev.upcall.Engine;
import dev.upcall.fileman.blocking.TestedEngines;
import dev.upcall.io.volume.NettyReactor;
import dev.upcall.io.volume.NettyReactor.Transport;

/** All servers that must answer alike. */
public enum ServerKind implements TestedEngines.Kind {
  RING(Engine.FSM, Transport.IO_URING),
  /** Two of sessions in front of the site's. */
  DISPATCHERS(Engine.FSM, Transport.IO_URING),
  NIO(Engine.FSM, Transport.NIO),
  THREADS(Engine.THREADS, Transport.NIO),
  VIRTUAL(Engine.VIRTUAL, Transport.NIO);

  private final Engine engine;

  /** What the dispatcher of the site, and of sessions, turns around. */
  final Transport transport;

  ServerKind(Engine engine, Transport transport) {
    this.engine = engine;
    this.transport = transport;
  }

  @Override
  public Engine engine() {
    return engine;
  }

  @Override
  public boolean isHere() {
    return transport != Transport.IO_URING || NettyReactor.ringUnavailable() == null;
  }
}
