package dev.upcall.httpd;

/**
 * The counts of a server, with the name, the unit and the meaning of each meter, if it has one.
 * Most only grow; levels are what there is now.
 */
public enum HttpCount {
  /** Requests whose head was read. */
  REQUESTS("requests", "requests", "requests whose head was read"),
  /** Bytes of finished writes. */
  BYTES_SENT("sent", "bytes", "bytes of finished writes"),
  /** Versions of files that were opened. */
  FILES_OPENED,
  /** And given back. */
  FILES_CLOSED,
  /** Sessions now, a level. */
  OPEN_CONNECTIONS("connections", "connections", "connections now"),
  /** Threads that serve connections and nothing else, a level; 0 where sessions are machines. */
  THREADS("threads", "threads", "threads that serve connections and nothing else"),
  /** Connections ever accepted. */
  ACCEPTED_CONNECTIONS("accepted", "connections", "connections ever accepted"),
  /** Those of them that were over the limit. */
  REFUSED_CONNECTIONS("turned.away", "connections", "those over a limit"),
  /** Those of them that were over the limit of their address. */
  REFUSED_OF_ADDRESS(
      "turned.away.address", "connections", "those of them over the limit of their address"),
  /** Requests that were not let into the store: too many waited, or for too long. */
  REFUSED_REQUESTS(
      "turned.away.requests", "requests", "those not let into the store, answered 503"),
  /** Requests that wait to be let in now, a level. */
  WAITING_REQUESTS("waiting", "requests", "requests that wait to be let in"),
  /** Responses that were cut off by a failure of the store or of the connection. */
  BROKEN_RESPONSES("broken", "responses", "responses cut off by a failure"),
  /** Sessions that were idle, too slow with a request, or with taking what was sent. */
  TIMEOUTS("timeouts", "connections", "connections ended by a timeout"),
  /** Those of them that were answered 408. */
  REQUEST_TIMEOUTS("timeouts.answered", "requests", "those answered 408: too slow with a request"),
  /** Requests whose line or header section was too large: 414 and 431. */
  REFUSED_HEADS("refused.heads", "requests", "too large a head: 414, 431"),
  /** Requests whose body was too large: 413. */
  REFUSED_BODIES("refused.bodies", "requests", "too large a body: 413"),
  /** Files that the store was asked to take. */
  UPLOADS_BEGUN,
  /** Those of them that became visible and durable. */
  UPLOADS_COMMITTED("uploads", "files", "files that PUTs made durable"),
  /** Those of them of which the server holds nothing any more. */
  UPLOADS_ENDED,
  /** Bytes of the files that were committed. */
  BYTES_RECEIVED("received", "bytes", "bytes of the files made durable"),
  /** Uploads that were begun as ones that can be resumed. */
  RESUMABLE_BEGUN("resumable.begun", "uploads", "uploads begun that can be resumed"),
  /** Requests that went on with one. */
  RESUMABLE_RESUMED("resumable.resumed", "requests", "requests that went on with one of them"),
  /** Those of them that their clients gave up. */
  RESUMABLE_CANCELLED("resumable.cancelled", "uploads", "those that their clients gave up"),
  /** Responses to GET and HEAD that were cut off when the server closed. */
  CUT_DOWNLOADS("cut.downloads", "responses", "responses cut off when the server closed"),
  /** Changes whose clients heard no answer for the same reason. */
  CUT_UPLOADS("cut.uploads", "requests", "changes without an answer for the same reason"),
  /** Requests with credentials that nobody has. */
  REFUSED_LOGINS("refused.logins", "requests", "credentials that nobody has"),
  /** Lines of the access log for which there was no room. */
  DROPPED_LOG_LINES("log.dropped", "lines", "lines of the access log for which there was no room"),
  /** Handshakes of TLS after which a connection was open. */
  HANDSHAKES("handshakes", "handshakes", "handshakes of TLS after which a connection was open"),
  /** Those that ended otherwise: the client went away, was too slow, spoke plain HTTP, or worse. */
  FAILED_HANDSHAKES("failed.handshakes", "handshakes", "handshakes of TLS that ended otherwise"),
  /** Those whose connection was closed since too many steps waited for the threads. */
  REFUSED_HANDSHAKES(
      "refused.handshakes",
      "handshakes",
      "those of connections closed since too many steps of handshakes waited"),
  /** Handshakes under way, a level. */
  WAITING_HANDSHAKES("waiting.handshakes", "handshakes", "handshakes of TLS under way");

  private final String meter;
  private final String unit;
  private final String meaning;

  HttpCount(String meter, String unit, String meaning) {
    this.meter = meter;
    this.unit = unit;
    this.meaning = meaning;
  }

  HttpCount() {
    this("", "", "");
  }

  /** A row in tables of one process; the order of the enum never reaches a disk or a wire. */
  @SuppressWarnings("EnumOrdinal")
  public int index() {
    return ordinal();
  }

  /** Its meter's name, behind {@code upcall.http.}; empty where it has none of its own. */
  public String meter() {
    return meter;
  }

  /** The unit of the count. */
  public String unit() {
    return unit;
  }

  /** The meaning of the meter. */
  public String meaning() {
    return meaning;
  }

  /** Whether it is what there is now, and may fall. */
  public boolean isLevel() {
    return this == OPEN_CONNECTIONS
        || this == THREADS
        || this == WAITING_REQUESTS
        || this == WAITING_HANDSHAKES;
  }
}
