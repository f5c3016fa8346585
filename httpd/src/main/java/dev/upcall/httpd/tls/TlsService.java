package dev.upcall.httpd.tls;

import dev.upcall.fsm.Dispatcher;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpMetrics;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.Status;
import dev.upcall.httpd.answer.Answers;
import dev.upcall.httpd.answer.ResponseEncoder;
import dev.upcall.httpd.message.Request;
import dev.upcall.httpd.session.FlushQueue;
import dev.upcall.httpd.session.SocketConnection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import javax.net.ssl.SSLEngine;

/** The parts that the TLS connections of one server share. Dispatcher's thread. */
public final class TlsService {
  /** Long enough for a client far away, short for one that only wants to hold a place. */
  private static final long HANDSHAKE_NANOS = Duration.ofSeconds(10).toNanos();

  private static final Refusal PLAIN_HTTP =
      new Refusal(Status.BAD_REQUEST, "this port speaks TLS: ask for https:// here, not http://");

  private final Dispatcher dispatcher;
  private final FlushQueue flushQueue;
  private final TlsEngines engines;
  private final Predicate<Runnable> threads;
  private final Answers answers;
  private final long lingerNanos;
  private final RecordWrapper wrapper;
  private final Handshakes handshakes = new Handshakes();

  /** Connections over the certificates in force. */
  public TlsService(
      HttpConfig config,
      Dispatcher dispatcher,
      FlushQueue flushQueue,
      TlsEngines engines,
      HandshakeThreads threads) {
    this(config, dispatcher, flushQueue, engines, threads::compute);
  }

  /**
   * The same.
   *
   * @param threads has a step of a handshake computed, elsewhere than in the call; or says no
   */
  TlsService(
      HttpConfig config,
      Dispatcher dispatcher,
      FlushQueue flushQueue,
      TlsEngines engines,
      Predicate<Runnable> threads) {
    this.dispatcher = dispatcher;
    this.flushQueue = flushQueue;
    this.engines = engines;
    this.threads = threads;
    this.lingerNanos = config.timeouts().sending().lingerNanos();
    this.answers =
        new Answers(
            new ResponseEncoder(dispatcher.clock(), config),
            _ -> {}, // no session's
            Unpooled::directBuffer);
    this.wrapper = new RecordWrapper();
  }

  /** TLS over a connection that has no listener yet. */
  public SocketConnection over(SocketConnection plain) {
    return new TlsConnection(this, plain);
  }

  Dispatcher dispatcher() {
    return dispatcher;
  }

  FlushQueue flushQueue() {
    return flushQueue;
  }

  RecordWrapper wrapper() {
    return wrapper;
  }

  /** Until when a handshake is over, or an end was told. */
  long handshakeNanos() {
    return HANDSHAKE_NANOS;
  }

  /** How long a client that was refused may still send. */
  long lingerNanos() {
    return lingerNanos;
  }

  /** Has a step of a handshake computed; or says no, and counts that the handshake is refused. */
  boolean compute(Runnable step) {
    boolean room = threads.test(step);
    if (!room) {
      handshakes.refused();
    }
    return room;
  }

  /** One begins. */
  void handshakeBegins() {
    handshakes.begun();
  }

  /** One is over and the connection open; what its last step has found of the client. */
  List<String> completed(HandshakeStep last) {
    handshakes.completed();
    return last.certificateNames();
  }

  /** A connection has ended before its handshake was over. */
  void handshakeEnded() {
    handshakes.ended();
  }

  /** Counts of a server, with those of handshakes. */
  public HttpMetrics counted(HttpMetrics metrics) {
    return handshakes.in(metrics);
  }

  /** The answer to a client that speaks plain HTTP. */
  ByteBuf plainRefusal() {
    return answers.refusal(PLAIN_HTTP, Request.refused(PLAIN_HTTP));
  }

  /** An engine of a new connection; on a thread that computes. */
  SSLEngine newEngine() {
    return engines.newEngine();
  }

  /** Whether the engines work on direct memory rather than on arrays. */
  boolean isNative() {
    return engines.isNative();
  }
}
