package dev.upcall.journal.trace;

import dev.upcall.journal.recording.RecordingEntry;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/**
 * A record, as the page of recordings draws it. {@code name}, {@code from} and {@code to} are
 * numbers of names, of a TURN counts.
 *
 * @param atNanos when, on the store's clock
 * @param request the id of the request that it served, 0 for none
 * @param kind what it tells of
 * @param name of a request its verb, of a transition the kind of machine, of the device the
 *     operation, of a stall the culprit, of a stage which, of a join why, of an input what it tells
 *     of the call
 * @param from of a request where it came in, of a transition the state before, of the device the
 *     class, of a turn requests taken from other threads
 * @param to of a completion the outcome, of a transition the state after, of a turn the completions
 *     reaped
 * @param number of a transition which machine of its kind, of the device which of its disk, of a
 *     turn the upcalls and timers run, of a join the other request
 * @param extra of a turn and a stall their length in nanoseconds, of the device the first block
 * @param more of the device the blocks, of a turn the queue before (upper half) and after it
 */
public record TraceRecord(
    long atNanos,
    long request,
    TraceKind kind,
    int name,
    int from,
    int to,
    long number,
    long extra,
    long more) {
  private static final long BACKGROUND = 1L << 62;
  private static final int NUMBER_MAX = 0xffff;

  /** Checks the kind. */
  public TraceRecord {
    Objects.requireNonNull(kind, "kind");
  }

  /**
   * The record at a position.
   *
   * @param bytes little-endian, with a whole record there
   */
  public static TraceRecord read(ByteBuffer bytes, int at) {
    Objects.checkFromIndexSize(at, RecordingEntry.RECORD_BYTES, bytes.limit());
    long head = bytes.getLong(at + 2 * Long.BYTES);
    return new TraceRecord(
        bytes.getLong(at),
        bytes.getLong(at + Long.BYTES),
        TraceKind.of((int) head & 0xff),
        (int) (head >>> 16) & NUMBER_MAX,
        (int) (head >>> 32) & NUMBER_MAX,
        (int) (head >>> 48),
        bytes.getLong(at + 3 * Long.BYTES),
        bytes.getLong(at + 4 * Long.BYTES),
        bytes.getLong(at + 5 * Long.BYTES));
  }

  /** An id as people read it: {@code r17}, or {@code b17} of work that nobody asked for. */
  public static String idName(long request) {
    return (isBackground(request) ? "b" : "r") + (request & ~BACKGROUND);
  }

  /** Whether an id is that of work that nobody asked for, such as a checkpoint. */
  public static boolean isBackground(long request) {
    return (request & BACKGROUND) != 0;
  }

  /**
   * The id that people write: {@link #idName}, or the number alone.
   *
   * @throws IllegalArgumentException when it is none
   */
  public static long id(String text) {
    boolean background = text.startsWith("b");
    String digits = background || text.startsWith("r") ? text.substring(1) : text;
    if (digits.isEmpty()
        || digits.length() > 18
        || !digits.chars().allMatch(TraceRecord::isDigit)) {
      throw new IllegalArgumentException("'" + text + "' is no request; write r17, 17 or b17");
    }
    return Long.parseLong(digits) | (background ? BACKGROUND : 0);
  }

  private static boolean isDigit(int character) {
    return character >= '0' && character <= '9';
  }

  /** The upcalls that waited when a turn began them. */
  public long queueBefore() {
    return more >>> Integer.SIZE;
  }

  /** The upcalls that a turn left waiting. */
  public long queueAfter() {
    return more & 0xffff_ffffL;
  }

  /** A name, or its number where there is none. */
  public static String text(List<String> names, int index) {
    return index < names.size() ? names.get(index) : "name " + index;
  }

  /** What it tells, in one line, without its time and its request. */
  public String describe(List<String> names) {
    String what = text(names, name);
    return switch (kind) {
      case UNKNOWN -> "a record of a later version";
      case REQUEST -> "begins " + what + by(names);
      case COMPLETION -> "ends " + what + by(names) + ": " + text(names, to);
      case TRANSITION ->
          "%s#%d %s -> %s".formatted(what, number, text(names, from), text(names, to));
      case DISK_REQUEST -> disk(names, what);
      case DISK_COMPLETION -> disk(names, what) + ": " + text(names, to);
      case TURN ->
          "turn: ran %d, took over %d, reaped %d, left %d"
              .formatted(number, from, to, queueAfter());
      case STALL -> "stall in " + what;
      case STAGE -> "stage " + what;
      case INPUT -> "input " + what;
      case JOIN -> "serves " + idName(number) + " too, " + what;
    };
  }

  private String by(List<String> names) {
    return from == 0 ? "" : " by " + text(names, from);
  }

  private String disk(List<String> names, String operation) {
    return "disk %s (%s) block %d +%d".formatted(operation, text(names, from), extra, more);
  }
}
