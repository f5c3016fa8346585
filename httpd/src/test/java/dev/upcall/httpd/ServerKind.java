package dev.upcall.httpd;

import dev.upcall.Engine;
import dev.upcall.fileman.blocking.TestedEngines;
import dev.upcall.io.volume.NettyReactor;
import dev.upcall.io.volume.NettyReactor.Transport;

/** All servers that must answer alike. */
public enum ServerKind implements TestedEngines.Kind {
  RING(Engine.FSM, Transport.IO_URING),
  /** Two of sessions in front of the site's. */
  DISPATCHERS(Engine.FSM, Transport.IO_URING, /* several= */ true),
  /** Sockets where io_uring is refused. */
  EPOLL(Engine.FSM, Transport.EPOLL),
  EPOLL_DISPATCHERS(Engine.FSM, Transport.EPOLL, /* several= */ true),
  NIO(Engine.FSM, Transport.NIO),
  THREADS(Engine.THREADS, Transport.NIO),
  VIRTUAL(Engine.VIRTUAL, Transport.NIO);

  private final Engine engine;

  /** What the dispatcher of the site, and of sessions, turns around. */
  final Transport transport;

  /** Whether sessions have dispatchers of their own. */
  final boolean several;

  ServerKind(Engine engine, Transport transport) {
    this(engine, transport, /* several= */ false);
  }

  ServerKind(Engine engine, Transport transport, boolean several) {
    this.engine = engine;
    this.transport = transport;
    this.several = several;
  }

  @Override
  public Engine engine() {
    return engine;
  }

  @Override
  public boolean isHere() {
    return NettyReactor.unavailable(transport) == null;
  }
}
