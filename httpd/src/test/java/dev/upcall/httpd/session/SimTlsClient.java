package dev.upcall.httpd.session;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/** A client's half of TLS, without a connection: what comes in, what goes out. */
public final class SimTlsClient {
  private static final int ROOM_BYTES = 40_000;
  private static final byte[] NOTHING = {};

  private final SSLEngine engine;
  private final ByteArrayOutputStream unsent = new ByteArrayOutputStream();
  private final ByteBuffer cipher = ByteBuffer.allocate(ROOM_BYTES);
  private final ByteBuffer plain = ByteBuffer.allocate(ROOM_BYTES);
  private byte[] input = {};
  private boolean wantsEnd;
  private boolean ended;
  private boolean broken;
  private boolean serverEnded;
  private boolean open;

  /** Says whether the end is said, or just comes. */
  public boolean saysEnd = true;

  /** The damage that somebody in between does to each record. */
  public UnaryOperator<byte[]> onTheWay = UnaryOperator.identity();

  /** A client that has sent nothing. */
  public SimTlsClient(SSLEngine engine) {
    this.engine = engine;
    engine.setUseClientMode(true);
  }

  void send(byte[] bytes) {
    unsent.writeBytes(bytes);
  }

  void end() {
    wantsEnd = true;
  }

  /** Whether it has sent all that it wants to send. */
  boolean hasEnded() {
    return ended || broken;
  }

  /** Whether the server has said that it sends no more. */
  public boolean serverSaidEnd() {
    return serverEnded;
  }

  /** Whether the handshake is over. */
  public boolean isOpen() {
    return open;
  }

  /** Whether something has come that is no TLS, or an alert. */
  public boolean isBroken() {
    return broken;
  }

  public SSLEngine engine() {
    return engine;
  }

  /** Begins another handshake, or in TLS 1.3 changes the keys. */
  public void beginHandshake() {
    try {
      engine.beginHandshake();
    } catch (SSLException over) {
      broken = true;
    }
  }

  void received(byte[] bytes) {
    byte[] all = new byte[input.length + bytes.length];
    System.arraycopy(input, 0, all, 0, input.length);
    System.arraycopy(bytes, 0, all, input.length, bytes.length);
    input = all;
  }

  /** Goes on as far as it gets. */
  void pump(Consumer<byte[]> toServer, Consumer<byte[]> toClient) {
    try {
      boolean goesOn = !broken;
      while (goesOn) {
        goesOn = step(toServer, toClient);
      }
    } catch (SSLException alert) {
      broken = true;
    }
  }

  private boolean step(Consumer<byte[]> toServer, Consumer<byte[]> toClient) throws SSLException {
    HandshakeStatus status = engine.getHandshakeStatus();
    switch (status) {
      case NEED_TASK -> {
        engine.getDelegatedTask().run();
        return true;
      }
      case NEED_WRAP -> {
        wrap(NOTHING, 0, toServer);
        return !engine.isOutboundDone();
      }
      case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
        return unwrap(toClient);
      }
      case NOT_HANDSHAKING, FINISHED -> {
        if (!open && engine.getSession().getProtocol().equals("NONE")) {
          engine.beginHandshake();
          return true;
        }
        open = true;
        if (input.length > 0 && !serverEnded && unwrap(toClient)) {
          return true;
        }
        if (unsent.size() > 0 && !ended) {
          byte[] all = unsent.toByteArray();
          int sent = wrap(all, Math.min(all.length, 16_384), toServer);
          unsent.reset();
          unsent.write(all, sent, all.length - sent);
          return !engine.isOutboundDone();
        }
        if (wantsEnd && !ended) {
          ended = true;
          if (saysEnd) {
            engine.closeOutbound();
            wrap(NOTHING, 0, toServer);
          }
        }
        return false;
      }
    }
    return false;
  }

  private int wrap(byte[] bytes, int size, Consumer<byte[]> toServer) throws SSLException {
    SSLEngineResult result = engine.wrap(ByteBuffer.wrap(bytes, 0, size), cipher.clear());
    byte[] made = new byte[result.bytesProduced()];
    cipher.flip().get(made);
    if (made.length > 0) {
      toServer.accept(onTheWay.apply(made));
    }
    return result.bytesConsumed();
  }

  private boolean unwrap(Consumer<byte[]> toClient) throws SSLException {
    ByteBuffer from = ByteBuffer.wrap(input);
    SSLEngineResult result = engine.unwrap(from, plain.clear());
    byte[] rest = new byte[from.remaining()];
    from.get(rest);
    input = rest;
    byte[] made = new byte[result.bytesProduced()];
    plain.flip().get(made);
    if (made.length > 0) {
      toClient.accept(made);
    }
    serverEnded |= result.getStatus() == Status.CLOSED;
    return result.getStatus() == Status.OK;
  }
}
