package dev.upcall.feed.replay;

import dev.upcall.journal.trace.TraceKind;
import dev.upcall.journal.trace.TraceRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What was done for each request, in order: transitions of machines from the file manager down, and
 * how its calls ended. Which machine of its kind it was, and when, is left out.
 */
final class Moves {
  /** Between a call and how it ended. */
  static final String ENDS = " ends: ";

  /** Those that ask, of which a replay has none. */
  static final Set<String> ASKERS = Set.of("HttpSession", "RequestFeed");

  /**
   * Those that work for all in the name of who comes first: who that is depends on what goes on in
   * the background, too.
   */
  private static final Set<String> OTHERS =
      Set.of("LogWriter", "LogPreparation", "VolumeWatch", "Room");

  /**
   * Ways round on which a change waits for room. Whether it does depends on how far the background
   * has come, and on how many pages there are, and so on the order of names, which a recording does
   * not have.
   */
  private static final Set<String> NO_ROOM = Set.of("WAITING_FOR_SPACE", "WAITING_FOR_LOG");

  private final Map<Long, List<Move>> byRequest = new HashMap<>();
  private final Map<Long, Integer> waits = new HashMap<>();
  private final Map<Long, Integer> ended = new HashMap<>();
  private final List<End> ends = new ArrayList<>();
  private int waiting;

  /**
   * One of them.
   *
   * @param position of the record among all
   * @param text as it is compared
   */
  record Move(int position, String text) {}

  /**
   * A call has ended.
   *
   * @param position of the record among all
   * @param calls how many of the request had ended with it
   */
  record End(int position, long request, int calls) {}

  /** The next record. */
  void take(int position, TraceRecord one, List<String> names) {
    if (one.kind() == TraceKind.TRANSITION) {
      if (NO_ROOM.contains(TraceRecord.text(names, one.to()))) {
        waits.merge(one.request(), 1, Integer::sum);
        waiting++;
      } else if (NO_ROOM.contains(TraceRecord.text(names, one.from()))) {
        waiting--;
      }
    }
    String text = text(one, names);
    if (text != null) {
      byRequest
          .computeIfAbsent(one.request(), _ -> new ArrayList<>())
          .add(new Move(position, text));
      if (one.kind() == TraceKind.COMPLETION) {
        int calls = ended.merge(one.request(), 1, Integer::sum);
        ends.add(new End(position, one.request(), calls));
      }
    }
  }

  /** As a record is compared, or null if it is not. */
  static @Nullable String text(TraceRecord one, List<String> names) {
    String what = TraceRecord.text(names, one.name());
    if (one.kind() == TraceKind.TRANSITION && !ASKERS.contains(what) && !OTHERS.contains(what)) {
      String from = TraceRecord.text(names, one.from());
      String to = TraceRecord.text(names, one.to());
      boolean isDetour = NO_ROOM.contains(from) || NO_ROOM.contains(to);
      return isDetour ? null : "%s %s -> %s".formatted(what, from, to);
    }
    if (one.kind() == TraceKind.COMPLETION
        && TraceRecord.text(names, one.from()).equals(StoreInputs.API)) {
      return what + ENDS + TraceRecord.text(names, one.to());
    }
    return null;
  }

  /** Whether a checkpoint is under way behind a record, if one was or was not before it. */
  static boolean isCheckpointing(TraceRecord one, List<String> names, boolean before) {
    boolean isOfCheckpoint =
        one.kind() == TraceKind.TRANSITION
            && TraceRecord.text(names, one.name()).equals("Checkpoint");
    return isOfCheckpoint ? !TraceRecord.text(names, one.to()).equals("IDLE") : before;
  }

  /** How many a request has before a record. */
  int before(long request, int position) {
    return before(of(request), Move::position, position);
  }

  /** How many calls have ended before a record. */
  int endsBefore(int position) {
    return before(ends, End::position, position);
  }

  private static <T> int before(List<T> all, ToIntFunction<T> place, int position) {
    int from = 0;
    int to = all.size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (place.applyAsInt(all.get(middle)) < position) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  /** One of the calls that have ended, in their order. */
  End end(int number) {
    return ends.get(number);
  }

  /** Whether as many calls of a request have ended. */
  boolean haveEnded(long request, int calls) {
    return ended.getOrDefault(request, 0) >= calls;
  }

  /** Whether a change waits for room now. */
  boolean isRoomAwaited() {
    return waiting > 0;
  }

  /** How many times a request has waited for room. */
  int waits(long request) {
    return waits.getOrDefault(request, 0);
  }

  /** All of a request. */
  List<Move> of(long request) {
    return byRequest.getOrDefault(request, List.of());
  }
}
