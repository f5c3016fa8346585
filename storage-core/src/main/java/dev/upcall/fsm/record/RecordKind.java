package dev.upcall.fsm.record;

import dev.upcall.config.Limits;

/** What a {@link FlightRecord} tells of. The codes are part of recordings and never change. */
public enum RecordKind {
  /** A request begins: at a socket, at the API, from a queue, or in the background. */
  REQUEST(1),
  /** A request has ended, and how. */
  COMPLETION(2),
  /** A state machine has moved. */
  TRANSITION(3),
  /** The device gets a request. */
  DISK_REQUEST(4),
  /** The device is done with one. */
  DISK_COMPLETION(5),
  /** A turn of the dispatcher that ran something has ended. */
  TURN(6),
  /** An upcall has taken longer than the dispatcher's threshold. */
  STALL(7),
  /** A request has come to a point of its way whose time was asked for. */
  STAGE(8),
  /** Work serves another request besides the one under whose id it runs. */
  JOIN(9),
  /** What a call asked for, where that was asked for; {@link Input} says what. */
  INPUT(10);

  private static final RecordKind[] BY_CODE = new RecordKind[values().length + 1];

  static {
    for (RecordKind kind : values()) {
      BY_CODE[kind.code] = kind;
    }
  }

  private final int code;

  RecordKind(int code) {
    this.code = code;
  }

  /** The number that stands for it in a record. */
  public int code() {
    return code;
  }

  /** The kind of that number; throws if there is none. */
  public static RecordKind of(int code) {
    return BY_CODE[(int) Limits.within("code", code, 1, BY_CODE.length - 1L)];
  }
}
