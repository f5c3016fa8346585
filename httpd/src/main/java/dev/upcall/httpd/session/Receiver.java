package dev.upcall.httpd.session;

import dev.upcall.StorePath;
import dev.upcall.httpd.SiteChanges;

/** The part of a session that takes a body. Dispatcher's thread only. */
interface Receiver {
  /** Asks the store whether a body is worth waiting for. */
  void begin(StorePath path, SiteChanges changes);

  /** Takes what has come of the body; the session is in {@code RECEIVING}. */
  void receive();

  /** How many bytes of the body have come. */
  long receivedBytes();

  /** Whether the body has taken too long. */
  boolean isLate(long nowNanos);

  /**
   * The client is gone or was given up while a piece is on its way into the store: it need not get
   * there.
   */
  void cancel();

  /** Leaves nothing behind, unless it was committed. No request to the store is under way. */
  void close();
}
