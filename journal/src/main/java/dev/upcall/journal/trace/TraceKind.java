package dev.upcall.journal.trace;

/** What a record tells of, by its number in a recording. */
public enum TraceKind {
  /** A number that this version does not know. */
  UNKNOWN,
  /** A request begins. */
  REQUEST,
  /** A request has ended. */
  COMPLETION,
  /** A state machine has moved. */
  TRANSITION,
  /** The device gets a request. */
  DISK_REQUEST,
  /** The device is done with one. */
  DISK_COMPLETION,
  /** A turn of the store's thread has ended. */
  TURN,
  /** An upcall has taken longer than the store's threshold. */
  STALL,
  /** A request has come to a point of its way. */
  STAGE,
  /** Work serves another request besides the one under whose id it runs. */
  JOIN,
  /** What a call asked for. */
  INPUT;

  private static final TraceKind[] BY_CODE = values();

  static TraceKind of(int code) {
    return code < BY_CODE.length ? BY_CODE[code] : UNKNOWN;
  }
}
