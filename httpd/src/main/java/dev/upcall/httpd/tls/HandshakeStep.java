package dev.upcall.httpd.tls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ReferenceCountUtil;
import java.nio.ByteBuffer;
import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The work of a handshake when something has come from the client: up to where it is the client's
 * turn again. Engine and input belong to the thread that runs it until it is brought back to the
 * connection.
 */
final class HandshakeStep implements Runnable {
  /** How it went. */
  enum Outcome {
    /** It is the client's turn. */
    AWAITS_CLIENT,
    /** The connection is open. */
    OPEN,
    /** There will be none; what is sent says why. */
    FAILED
  }

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /** More than any handshake has; an engine that stands still must not hold the thread. */
  private static final int MOST_TURNS = 1000;

  private final TlsConnection connection;
  private final TlsService service;
  private final CipherInput input;
  private final ByteBuf output;

  /** Bytes behind the client's last word: BoringSSL may decrypt them with that. */
  private final ByteBuf content;

  private @Nullable SSLEngine engine;
  private Outcome outcome = Outcome.FAILED;
  private List<String> certificateNames = List.of();
  private volatile boolean cancelled;

  /**
   * A step that was not computed.
   *
   * @param engine null at the first one, which makes it
   */
  HandshakeStep(
      TlsConnection connection, TlsService service, @Nullable SSLEngine engine, CipherInput input) {
    this.connection = connection;
    this.service = service;
    this.engine = engine;
    this.input = input;
    this.output = PooledByteBufAllocator.DEFAULT.directBuffer();
    this.content = input.plainBuffer();
  }

  /** Nobody wants it any more; it is brought back all the same. Any thread. */
  void cancel() {
    cancelled = true;
  }

  @Override
  public void run() {
    try {
      if (!cancelled) {
        compute();
      }
    } catch (SSLException | RuntimeException refused) {
      outcome = Outcome.FAILED;
      sayWhy();
    } finally {
      if (!service.dispatcher().offer(() -> connection.stepped(this))) {
        letGo();
      }
    }
  }

  private void compute() throws SSLException {
    SSLEngine driven = engine;
    if (driven == null) {
      driven = service.newEngine();
      engine = driven;
      driven.beginHandshake();
    }
    RecordWrapper wrapper = new RecordWrapper();
    for (int i = 0; i < MOST_TURNS; i++) {
      switch (driven.getHandshakeStatus()) {
        case NEED_TASK -> {
          Runnable task = driven.getDelegatedTask();
          if (task != null) {
            task.run();
          }
        }
        case NEED_WRAP -> {
          if (wrapper.wrap(driven, service.isNative(), NOTHING, output) != Status.OK) {
            return;
          }
        }
        case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
          if (!input.hasRecord()) {
            outcome = Outcome.AWAITS_CLIENT;
            return;
          }
          SSLEngineResult result = input.unwrapOne(driven, content);
          if (result.getStatus() != Status.OK) {
            return;
          }
        }
        case NOT_HANDSHAKING, FINISHED -> {
          certificateNames = names(driven);
          outcome = Outcome.OPEN;
          return;
        }
      }
    }
  }

  /**
   * The names in the client's certificate, which the engine has verified where it has asked for
   * one.
   */
  private static List<String> names(SSLEngine open) throws SSLException {
    if (!open.getNeedClientAuth()) {
      return List.of();
    }
    try {
      Certificate first = open.getSession().getPeerCertificates()[0];
      Collection<List<?>> all = ((X509Certificate) first).getSubjectAlternativeNames();
      return all == null
          ? List.of()
          : all.stream()
              .map(name -> name.get(1))
              .filter(String.class::isInstance)
              .map(String.class::cast)
              .toList();
    } catch (CertificateParsingException broken) {
      throw new SSLException(broken);
    }
  }

  /** The alert that the engine wants to send, if there is one. */
  private void sayWhy() {
    SSLEngine failed = engine;
    if (failed != null) {
      try {
        new RecordWrapper().wrapEnd(failed, service.isNative(), output);
      } catch (SSLException | RuntimeException nothingToSay) {
        // That the connection closes says enough.
      }
    }
  }

  /** Of the client's certificate. */
  List<String> certificateNames() {
    return certificateNames;
  }

  Outcome outcome() {
    return outcome;
  }

  @Nullable SSLEngine engine() {
    return engine;
  }

  /** The records to be sent, which pass to the caller. */
  ByteBuf output() {
    return output;
  }

  /** The bytes of requests that have come, which pass to the caller. */
  ByteBuf content() {
    return content;
  }

  /** Gives back what nobody wants. */
  void drop() {
    output.release();
    content.release();
  }

  private void letGo() {
    drop();
    input.release();
    ReferenceCountUtil.release(engine);
  }
}
