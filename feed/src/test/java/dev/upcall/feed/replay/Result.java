package dev.upcall.feed.replay;

import dev.upcall.feed.replay.Moves.Move;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.fsm.record.Input;
import dev.upcall.journal.trace.TraceKind;
import dev.upcall.journal.trace.TraceRecord;
import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What came of a replay.
 *
 * @param counts what was asked and compared
 * @param first where the two differ first
 * @param unknown where what differs cannot be compared first, or null
 * @param stop why the recording was not followed to its end, or null
 */
record Result(
    Counts counts, @Nullable Difference first, @Nullable Unknown unknown, @Nullable String stop) {
  private static final int BEFORE = 12;
  private static final String NOTHING = "nothing";

  /** What brings content into memory. */
  private static final Set<String> READING = Set.of("Frame", "Load", "ReadRequest", NOTHING);

  /**
   * How much there was.
   *
   * @param calls how many were made
   * @param compared how many moves of their requests were recorded
   */
  record Counts(int calls, long compared) {}

  /**
   * A place at which they differ.
   *
   * @param position of the record in the recording
   * @param request as the recording calls it
   * @param recorded what was done there
   * @param now what is done there now
   * @param before the last records of that request before it
   */
  record Difference(int position, long request, String recorded, String now, List<String> before) {}

  /** Why what differs need not be a difference. */
  enum Reason {
    /** Who gets what of the read-ahead that several share is decided by the moment. */
    SHARED_READ("a read from memory, with others meanwhile"),
    /** A change that waits for room takes effect later, and who asks meanwhile may be told so. */
    ROOM("a change before it waited for room there or here only");

    private final String text;

    Reason(String text) {
      this.text = text;
    }
  }

  /** A place from which on a request cannot be compared. */
  record Unknown(Difference at, Reason reason) {}

  /** Compares. */
  static Result of(StoreInputs inputs, Moves now, Caller caller) {
    Difference first = null;
    Unknown unknown = null;
    int unevenWait = firstUnevenWait(inputs, now, caller);
    long compared = 0;
    for (Map.Entry<Long, Long> id : caller.ids().entrySet()) {
      if (id.getValue() == FlightRecorder.NOBODY) {
        continue;
      }
      List<Move> recorded = inputs.moves().of(id.getKey());
      compared += recorded.size();
      Difference one = compare(inputs, id.getKey(), recorded, now.of(id.getValue()));
      Reason reason = one == null ? null : reason(inputs, one, unevenWait);
      if (reason != null) {
        boolean isFirst = unknown == null || one.position() < unknown.at().position();
        unknown = isFirst ? new Unknown(one, reason) : unknown;
      } else if (one != null) {
        first = earlier(first, one);
      }
    }
    Counts counts = new Counts(caller.calls(), compared);
    return new Result(counts, first, unknown, inputs.stop());
  }

  private static @Nullable Reason reason(StoreInputs inputs, Difference one, int unevenWait) {
    if (sharesReads(inputs, one)) {
      return Reason.SHARED_READ;
    }
    boolean isOutcome = one.recorded().contains(Moves.ENDS) && one.now().contains(Moves.ENDS);
    return isOutcome && one.position() > unevenWait ? Reason.ROOM : null;
  }

  /** Where the first change begins that waited for room more often in one of the two. */
  private static int firstUnevenWait(StoreInputs inputs, Moves now, Caller caller) {
    int first = Integer.MAX_VALUE;
    for (Map.Entry<Long, Long> id : caller.ids().entrySet()) {
      List<Move> recorded = inputs.moves().of(id.getKey());
      if (!recorded.isEmpty() && inputs.moves().waits(id.getKey()) != now.waits(id.getValue())) {
        first = Math.min(first, recorded.getFirst().position());
      }
    }
    return first;
  }

  private static Difference earlier(@Nullable Difference one, Difference other) {
    return one == null || other.position() < one.position() ? other : one;
  }

  /**
   * Whether it is about what comes into memory, of a request that looked there while others did:
   * who gets what of the read-ahead that they share is decided by the moment.
   */
  private static boolean sharesReads(StoreInputs inputs, Difference one) {
    boolean isReading =
        READING.contains(machine(one.recorded())) && READING.contains(machine(one.now()));
    boolean isOthers = false;
    for (int at = one.position() - 1; isReading && at >= 0; at--) {
      TraceRecord before = inputs.records().get(at);
      if (before.kind() == TraceKind.INPUT
          && TraceRecord.text(inputs.names(), before.name()).equals(Input.TRY_READ.name())) {
        if (before.request() == one.request() && isOthers) {
          return true;
        }
        isOthers |= before.request() != one.request();
      }
    }
    return false;
  }

  private static String machine(String move) {
    return move.substring(0, (move + " ").indexOf(' '));
  }

  private static @Nullable Difference compare(
      StoreInputs inputs, long request, List<Move> recorded, List<Move> now) {
    for (int at = 0; at < Math.max(recorded.size(), now.size()); at++) {
      String then = at < recorded.size() ? recorded.get(at).text() : NOTHING;
      String here = at < now.size() ? now.get(at).text() : NOTHING;
      if (!then.equals(here)) {
        int position =
            at < recorded.size()
                ? recorded.get(at).position()
                : recorded.isEmpty() ? inputs.records().size() : recorded.getLast().position() + 1;
        return new Difference(position, request, then, here, before(inputs, request, position));
      }
    }
    return null;
  }

  private static List<String> before(StoreInputs inputs, long request, int position) {
    Deque<String> lines = new ArrayDeque<>();
    for (int at = position - 1; at >= 0 && lines.size() < BEFORE; at--) {
      TraceRecord one = inputs.records().get(at);
      if (one.request() == request) {
        lines.addFirst(one.describe(inputs.names()));
      }
    }
    return List.copyOf(lines);
  }

  /** Whether all that was compared is the same. */
  boolean isSame() {
    return first == null;
  }

  /** For a person. */
  void print(PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%,d calls asked again, %,d moves compared%n",
        counts.calls(),
        counts.compared());
    if (stop != null) {
      out.println("Followed up to " + stop);
    }
    Unknown shared = unknown;
    if (shared != null) {
      out.printf(
          Locale.ROOT,
          "%s cannot be compared from record %,d on: %s%n",
          TraceRecord.idName(shared.at().request()),
          shared.at().position() + 1,
          shared.reason().text);
    }
    Difference differs = first;
    if (differs == null) {
      out.println(shared == null ? "All moves are the same." : "All others are the same.");
      return;
    }
    out.printf(
        Locale.ROOT,
        "The first that differs, for %s at record %,d:%n  recorded  %s%n  now       %s%n",
        TraceRecord.idName(differs.request()),
        differs.position() + 1,
        differs.recorded(),
        differs.now());
    out.println("Before it, for the same request:");
    differs.before().forEach(line -> out.println("  " + line));
  }
}
