package dev.upcall.fsm.record;

import dev.upcall.config.Limits;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/**
 * One record of a recording, as a reader meets it. In memory it is six longs, each in the byte
 * order of the buffer into which it was copied:
 *
 * <pre>
 *   byte  0   atNanos
 *   byte  8   request
 *   byte 16   kind (8 bits, lowest), 0 (8), name (16), from (16), to (16)
 *   byte 24   number
 *   byte 32   extra
 *   byte 40   more
 * </pre>
 *
 * <p>{@code name}, {@code from} and {@code to} are numbers of names ({@link RecordNames}; 0 is no
 * name) except where the table says otherwise; what is not in the table is 0.
 *
 * <table>
 * <caption>What the fields mean</caption>
 * <tr><th>kind<th>name<th>from<th>to<th>number<th>extra<th>more
 * <tr><td>REQUEST<td>verb<td>where it came in<td><td><td><td>
 * <tr><td>COMPLETION<td>verb<td>where it came in<td>outcome<td><td><td>
 * <tr><td>TRANSITION<td>kind of machine<td>state before<td>state after<td>which of its kind<td><td>
 * <tr><td>DISK_REQUEST<td>operation<td>class<td><td>which of its disk<td>first block<td>blocks
 * <tr><td>DISK_COMPLETION<td>operation<td>class<td>outcome<td>which of its disk<td>first block
 *     <td>blocks
 * <tr><td>TURN<td><td>taken from other threads (a count)<td>completions reaped (a count)<td>upcalls
 *     and timers run<td>length in nanoseconds<td>FIFO before (upper half) and after (lower half)
 * <tr><td>STALL<td>culprit, as of its begin<td><td><td><td>length in nanoseconds<td>
 * <tr><td>STAGE<td>stage<td><td><td><td><td>
 * <tr><td>JOIN<td>why<td><td><td>the other request that is served<td><td>
 * <tr><td>INPUT<td>which {@link Input}<td colspan="5">as that says
 * </table>
 *
 * @param atNanos when, on the dispatcher's monotonic clock; but for STAGE as of the start of the
 *     upcall in which it was written
 * @param request the id of the request that this served, 0 for none; {@link #isBackground} and
 *     {@link #isWhole} tell the sorts of ids apart, all of which are drawn in one order
 * @param kind what it tells of
 * @param name see the table
 * @param from see the table
 * @param to see the table
 * @param number see the table
 * @param extra see the table
 * @param more see the table
 */
public record FlightRecord(
    long atNanos,
    long request,
    RecordKind kind,
    int name,
    int from,
    int to,
    long number,
    long extra,
    long more) {
  /** Names and counts end here; larger counts are recorded as this. */
  public static final int NAME_MAX = 0xffff;

  private static final long BACKGROUND = 1L << 62;

  /** Checks the kind. */
  public FlightRecord {
    Objects.requireNonNull(kind, "kind");
  }

  /** The record at a position of a buffer, in the buffer's byte order. */
  public static FlightRecord read(ByteBuffer records, int at) {
    Objects.requireNonNull(records, "records");
    Limits.within("at", at, 0, records.capacity() - RecordRing.RECORD_BYTES);
    long head = records.getLong(at + 16);
    return new FlightRecord(
        records.getLong(at),
        records.getLong(at + 8),
        RecordKind.of((int) head & 0xff),
        (int) (head >>> 16) & NAME_MAX,
        (int) (head >>> 32) & NAME_MAX,
        (int) (head >>> 48),
        records.getLong(at + 24),
        records.getLong(at + 32),
        records.getLong(at + 40));
  }

  /** The third long of a record; names and counts are cut at {@link #NAME_MAX}. */
  public static long head(RecordKind kind, int name, int from, int to) {
    Objects.requireNonNull(kind, "kind");
    return kind.code()
        | (long) (name & NAME_MAX) << 16
        | (long) Math.min(from, NAME_MAX) << 32
        | (long) Math.min(to, NAME_MAX) << 48;
  }

  /** Whether an id is that of work that nobody asked for, such as a checkpoint. */
  public static boolean isBackground(long request) {
    return (request & BACKGROUND) != 0;
  }

  /** The same id as one of work that nobody asked for. */
  public static long background(long request) {
    return request | BACKGROUND;
  }

  /**
   * Whether calls of the API that are made meanwhile are parts of it: so it is with requests of
   * sessions, doors and queues, and with background work, which have even ids, but not with a call
   * itself.
   */
  public static boolean isWhole(long request) {
    return request != 0 && (request & 1) == 0;
  }

  /** The stage that a record of the kind STAGE tells of. */
  public Stage stage() {
    Limits.require(kind == RecordKind.STAGE, "only a STAGE has one");
    return Stage.ofName(name);
  }

  /** An id as people read it: {@code r17}, or {@code b17} of work in the background. */
  public static String idName(long request) {
    return (isBackground(request) ? "b" : "r") + (request & ~BACKGROUND);
  }

  /** All of it in one line, with the recorder's names. */
  public String describe(List<String> names) {
    Objects.requireNonNull(names, "names");
    String what =
        switch (kind) {
          case REQUEST -> "begins " + text(names, name) + by(names);
          case COMPLETION -> "ends " + text(names, name) + by(names) + ": " + text(names, to);
          case TRANSITION ->
              "%s#%d %s -> %s"
                  .formatted(text(names, name), number, text(names, from), text(names, to));
          case DISK_REQUEST -> disk(names);
          case DISK_COMPLETION -> disk(names) + ": " + text(names, to);
          case TURN ->
              "turn of %d ns ran %d, took %d, reaped %d, FIFO %d -> %d"
                  .formatted(extra, number, from, to, more >>> 32, more & 0xffff_ffffL);
          case STALL -> "stall of " + extra + " ns in " + text(names, name);
          case STAGE -> "stage " + text(names, name);
          case INPUT -> "input " + text(names, name);
          case JOIN -> "serves " + idName(number) + " too, " + text(names, name);
        };
    return request == 0 ? atNanos + " " + what : atNanos + " " + idName(request) + " " + what;
  }

  private String by(List<String> names) {
    return from == 0 ? "" : " by " + text(names, from);
  }

  private String disk(List<String> names) {
    return "disk %d %s (%s) block %d +%d"
        .formatted(number, text(names, name), text(names, from), extra, more);
  }

  private static String text(List<String> names, int index) {
    return index < names.size() ? names.get(index) : "name " + index;
  }
}
