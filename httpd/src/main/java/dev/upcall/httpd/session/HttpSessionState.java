package dev.upcall.httpd.session;

import dev.upcall.fsm.Transitions;

/** Where an {@link HttpSession} stands. */
public enum HttpSessionState {
  /** Between requests; what was answered before may still be on its way. */
  AWAITING_REQUEST,
  /** The file of a request is being opened. */
  OPENING,
  /** A slice of content is on its way from the store. */
  READING,
  /** A piece of a directory, or the target of a link in it, is on its way from the store. */
  LISTING,
  /** The client has enough to take before more is read. */
  SENDING,
  /** The store is asked whether it takes a file. */
  PREPARING,
  /** More of a body is awaited from the client. */
  RECEIVING,
  /** A piece of a body is on its way into the store. */
  STORING,
  /** A change, complete and not yet durable, is on its way to the disk. */
  COMMITTING,
  /** The answer to credentials that nobody has waits, since its address has tried too many. */
  HELD,
  /** The last response is complete and on its way. */
  FINISHING,
  /** Everything was taken; the client's remaining bytes are thrown away until it closes. */
  LINGERING,
  /** Given up: the connection is closing and a store request is under way. */
  CLOSE_AND_STORE_PENDING,
  /** The connection is closing; nothing else is held. */
  CLOSE_PENDING,
  /** The connection is gone; a store request is under way. */
  STORE_PENDING,
  /** The end. */
  DONE;

  /** The legal moves. */
  public static final Transitions<HttpSessionState> TRANSITIONS =
      Transitions.of("HttpSession", HttpSessionState.class, AWAITING_REQUEST)
          .on("request for a path", AWAITING_REQUEST, OPENING)
          .on("request for a listing", AWAITING_REQUEST, LISTING)
          .on("last request refused, or no more to come", AWAITING_REQUEST, FINISHING)
          .on("idle too long", AWAITING_REQUEST, CLOSE_PENDING)
          .on("connection lost", AWAITING_REQUEST, DONE)
          .on("answered whole", OPENING, AWAITING_REQUEST)
          .on("answered whole, the last one", OPENING, FINISHING)
          .on("content is not in memory", OPENING, READING)
          .on("window full", OPENING, SENDING)
          .on("a directory without index page", OPENING, LISTING)
          .on("given up", OPENING, CLOSE_AND_STORE_PENDING)
          .on("connection lost", OPENING, STORE_PENDING)
          .on("slice sent, the next is not in memory", READING, READING)
          .on("slice sent, window full", READING, SENDING)
          .on("last slice sent, or first one unreadable", READING, AWAITING_REQUEST)
          .on("the same, the last response", READING, FINISHING)
          .on("a later slice is unreadable", READING, CLOSE_PENDING)
          .on("given up", READING, CLOSE_AND_STORE_PENDING)
          .on("connection lost", READING, STORE_PENDING)
          .on("piece sent, more to list", LISTING, LISTING)
          .on("piece sent, window full", LISTING, SENDING)
          .on("last piece sent, or first one failed", LISTING, AWAITING_REQUEST)
          .on("the same, the last response", LISTING, FINISHING)
          .on("a later piece failed", LISTING, CLOSE_PENDING)
          .on("given up", LISTING, CLOSE_AND_STORE_PENDING)
          .on("connection lost", LISTING, STORE_PENDING)
          .on("window open, content is not in memory", SENDING, READING)
          .on("window open, more to list", SENDING, LISTING)
          .on("window open, rest sent", SENDING, AWAITING_REQUEST)
          .on("the same, the last response", SENDING, FINISHING)
          .on("client takes nothing", SENDING, CLOSE_PENDING)
          .on("connection lost", SENDING, DONE)
          .on("body to store", AWAITING_REQUEST, PREPARING)
          .on("deletion", AWAITING_REQUEST, COMMITTING)
          .on("credentials that nobody has, too often", AWAITING_REQUEST, HELD)
          .on("answered", HELD, AWAITING_REQUEST)
          .on("answered, the last one", HELD, FINISHING)
          .on("given up", HELD, CLOSE_PENDING)
          .on("connection lost", HELD, DONE)
          .on("store takes it", PREPARING, RECEIVING)
          .on("refused", PREPARING, AWAITING_REQUEST)
          .on("refused, the last one", PREPARING, FINISHING)
          .on("given up", PREPARING, CLOSE_AND_STORE_PENDING)
          .on("connection lost", PREPARING, STORE_PENDING)
          .on("piece has come", RECEIVING, STORING)
          .on("body ended", RECEIVING, COMMITTING)
          .on("body broken, too large or too slow", RECEIVING, FINISHING)
          .on("given up", RECEIVING, CLOSE_PENDING)
          .on("connection lost", RECEIVING, DONE)
          .on("piece stored, more to come", STORING, RECEIVING)
          .on("last piece stored", STORING, COMMITTING)
          .on("store failed, the rest is read over", STORING, AWAITING_REQUEST)
          .on("store failed", STORING, FINISHING)
          .on("given up", STORING, CLOSE_AND_STORE_PENDING)
          .on("connection lost", STORING, STORE_PENDING)
          .on("durable, or refused", COMMITTING, AWAITING_REQUEST)
          .on("the same, the last response", COMMITTING, FINISHING)
          .on("given up", COMMITTING, CLOSE_AND_STORE_PENDING)
          .on("connection lost", COMMITTING, STORE_PENDING)
          .on("all taken, the client may still send", FINISHING, LINGERING)
          .on("all taken, or client takes nothing", FINISHING, CLOSE_PENDING)
          .on("connection lost", FINISHING, DONE)
          .on("client ended, or time over", LINGERING, CLOSE_PENDING)
          .on("connection lost", LINGERING, DONE)
          .on("store's completion", CLOSE_AND_STORE_PENDING, CLOSE_PENDING)
          .on("connection closed", CLOSE_AND_STORE_PENDING, STORE_PENDING)
          .on("connection closed", CLOSE_PENDING, DONE)
          .on("store's completion", STORE_PENDING, DONE)
          .build();

  /** Whether the store works for a request. */
  boolean isInStore() {
    return switch (this) {
      case OPENING, READING, LISTING, PREPARING, STORING, COMMITTING -> true;
      case CLOSE_AND_STORE_PENDING, STORE_PENDING -> true;
      case AWAITING_REQUEST, SENDING, RECEIVING, FINISHING, LINGERING, CLOSE_PENDING, DONE -> false;
      case HELD -> false;
    };
  }

  /** Whether it is the client's turn to send or to take. */
  boolean awaitsClient() {
    return switch (this) {
      case AWAITING_REQUEST, SENDING, RECEIVING, FINISHING -> true;
      case OPENING, READING, LISTING, PREPARING, STORING, COMMITTING, LINGERING -> false;
      case CLOSE_AND_STORE_PENDING, CLOSE_PENDING, STORE_PENDING, DONE, HELD -> false;
    };
  }
}
