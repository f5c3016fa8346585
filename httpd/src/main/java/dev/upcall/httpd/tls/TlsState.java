package dev.upcall.httpd.tls;

import dev.upcall.fsm.Transitions;

/** Where a {@link TlsConnection} stands. */
public enum TlsState {
  /** More of the handshake is awaited from the client. */
  HANDSHAKING,
  /** A step of the handshake is computed on another thread, which has the engine. */
  COMPUTING,
  /** Requests and responses pass. */
  OPEN,
  /** Everything was sent, and that it was everything is on its way; then the connection closes. */
  ENDING,
  /** The client was told that no more will be sent; what still comes is thrown away. */
  FINISHED,
  /** The client is told what was wrong; what still comes is thrown away until it ends. */
  REFUSING,
  /** The connection is closing, and a step of the handshake is computed. */
  CLOSE_AND_STEP_PENDING,
  /** The connection is closing; nothing else is held. */
  CLOSE_PENDING,
  /** The connection is gone; a step of the handshake is computed. */
  STEP_PENDING,
  /** The end. */
  CLOSED;

  /** The legal moves. */
  public static final Transitions<TlsState> TRANSITIONS =
      Transitions.of("TlsConnection", TlsState.class, HANDSHAKING)
          .on("bytes have come", HANDSHAKING, COMPUTING)
          .on("they are no TLS", HANDSHAKING, REFUSING)
          .on("too slow, given up, or no thread is free", HANDSHAKING, CLOSE_PENDING)
          .on("connection lost", HANDSHAKING, CLOSED)
          .on("it is the client's turn", COMPUTING, HANDSHAKING)
          .on("both agree", COMPUTING, OPEN)
          .on("they do not agree", COMPUTING, REFUSING)
          .on("the client has ended", COMPUTING, CLOSE_PENDING)
          .on("too slow, or given up", COMPUTING, CLOSE_AND_STEP_PENDING)
          .on("connection lost", COMPUTING, STEP_PENDING)
          .on("all sent, or the client takes no more", OPEN, ENDING)
          .on("all sent, the client may still send", OPEN, FINISHED)
          .on("a record is broken, or not allowed", OPEN, REFUSING)
          .on("given up, or cut short by the client", OPEN, CLOSE_PENDING)
          .on("connection lost", OPEN, CLOSED)
          .on("told, or too slow", ENDING, CLOSE_PENDING)
          .on("connection lost", ENDING, CLOSED)
          .on("given up", FINISHED, CLOSE_PENDING)
          .on("connection lost", FINISHED, CLOSED)
          .on("the client has ended, or time is over", REFUSING, CLOSE_PENDING)
          .on("connection lost", REFUSING, CLOSED)
          .on("step computed", CLOSE_AND_STEP_PENDING, CLOSE_PENDING)
          .on("connection closed", CLOSE_AND_STEP_PENDING, STEP_PENDING)
          .on("connection closed", CLOSE_PENDING, CLOSED)
          .on("step computed", STEP_PENDING, CLOSED)
          .build();
}
