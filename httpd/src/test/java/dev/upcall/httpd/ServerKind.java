package dev.upcall.httpd;

import dev.upcall.Engine;
import dev.upcall.io.NettyReactor;
import dev.upcall.io.NettyReactor.Transport;
import java.util.stream.Stream;

/** All servers that must answer alike. */
public enum ServerKind {
  RING(Engine.FSM, Transport.IO_URING),
  /** Two of sessions in front of the site's. */
  DISPATCHERS(Engine.FSM, Transport.IO_URING),
  NIO(Engine.FSM, Transport.NIO),
  THREADS(Engine.THREADS, Transport.NIO),
  VIRTUAL(Engine.VIRTUAL, Transport.NIO);

  final Engine engine;

  /** What the dispatcher of the site, and of sessions, turns around. */
  final Transport transport;

  ServerKind(Engine engine, Transport transport) {
    this.engine = engine;
    this.transport = transport;
  }

  /** Those that this machine can run. */
  public static Stream<ServerKind> here() {
    boolean ring = NettyReactor.ringUnavailable() == null;
    return Stream.of(values()).filter(kind -> ring || kind.transport != Transport.IO_URING);
  }
}
