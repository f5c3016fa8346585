package dev.upcall.httpd.tls;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.ReferenceCountUtil;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/**
 * A handshake of an engine with itself, in memory: a library may be there and not work, on a new
 * processor or JDK, and a certificate may be one that no client takes. Threads that may wait.
 */
final class TlsTrial {
  private static final int ROOM_BYTES = 1 << 17;
  private static final int MOST_TURNS = 100;

  private final SSLEngine client;
  private final SSLEngine server;
  private final ByteBuffer toClient = ByteBuffer.allocate(ROOM_BYTES);
  private final ByteBuffer toServer = ByteBuffer.allocate(ROOM_BYTES);
  private final ByteBuffer plain = ByteBuffer.allocate(ROOM_BYTES);

  private TlsTrial(SSLEngine client, SSLEngine server) {
    this.client = client;
    this.server = server;
  }

  /** Returns when both sides agree. */
  static void run(SslContext tried, SslProvider provider) throws SSLException {
    SslContext other =
        SslContextBuilder.forClient()
            .sslProvider(provider)
            .trustManager(InsecureTrustManagerFactory.INSTANCE) // it is this very process
            .endpointIdentificationAlgorithm("")
            .build();
    try {
      SSLEngine client = other.newEngine(UnpooledByteBufAllocator.DEFAULT);
      SSLEngine server = tried.newEngine(UnpooledByteBufAllocator.DEFAULT);
      try {
        new TlsTrial(client, server).shakeHands();
      } finally {
        ReferenceCountUtil.release(client);
        ReferenceCountUtil.release(server);
      }
    } finally {
      ReferenceCountUtil.release(other);
    }
  }

  private void shakeHands() throws SSLException {
    client.beginHandshake();
    server.beginHandshake();
    for (int i = 0; i < MOST_TURNS; i++) {
      boolean clientIsDone = step(client, toClient, toServer);
      boolean serverIsDone = step(server, toServer, toClient);
      if (clientIsDone && serverIsDone) {
        return;
      }
    }
    throw new SSLException("a handshake with itself does not end");
  }

  private boolean step(SSLEngine engine, ByteBuffer from, ByteBuffer to) throws SSLException {
    HandshakeStatus status = engine.getHandshakeStatus();
    switch (status) {
      case NEED_TASK -> {
        Runnable task = engine.getDelegatedTask();
        if (task != null) {
          task.run();
        }
      }
      case NEED_WRAP -> engine.wrap(ByteBuffer.allocate(0), to);
      case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
        from.flip();
        SSLEngineResult result = engine.unwrap(from, plain.clear());
        from.compact();
        if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
          throw new SSLException("the other side ended it");
        }
      }
      case NOT_HANDSHAKING, FINISHED -> {}
    }
    return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
  }
}
