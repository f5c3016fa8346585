package dev.upcall.feed.replay;

import dev.upcall.fsm.FlightRecorder;
import dev.upcall.fsm.record.FlightRecord;
import dev.upcall.fsm.record.Input;
import dev.upcall.journal.trace.TraceKind;
import dev.upcall.journal.trace.TraceRecord;
import dev.upcall.journal.trace.TraceSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a recording has of inputs, turn by turn, and what the machines did.
 *
 * @param store the STORE with which it begins
 * @param epochNanos what time of day that was
 * @param names those that records mention
 * @param turns in their order
 * @param moves what was done for each request in these turns
 * @param records all of them, for who wants to know what stood before
 * @param stop why the recording cannot be followed to its end, or null
 */
record StoreInputs(
    TraceRecord store,
    long epochNanos,
    List<String> names,
    List<Turn> turns,
    Moves moves,
    List<TraceRecord> records,
    @Nullable String stop) {
  /** What stands between a call's REQUEST and its ASKED. */
  private static final Set<Input> PARTS = EnumSet.of(Input.NAME, Input.CHANGE);

  /** Where calls of the file manager come in. */
  static final String API = "api";

  /**
   * What came in during one turn.
   *
   * @param first its first record
   * @param atNanos when, on the clock of the recording
   * @param isCut whether it ended before all upcalls had run
   * @param until what had been done when it ended
   */
  record Turn(int first, long atNanos, List<Due> events, boolean isCut, Until until) {}

  /**
   * How far a request has come.
   *
   * @param request which, or nobody
   * @param moves how many it has made
   */
  record Progress(long request, int moves) {
    private static final Progress NONE = new Progress(FlightRecorder.NOBODY, 0);
  }

  /**
   * What ends a turn that is cut: the device is to get its requests or, where there are none, it
   * had taken too long.
   *
   * @param requests how many requests the device got in it
   * @param last of the request that had moved last in it
   */
  record Until(int requests, Progress last) {}

  /**
   * What came in, and when.
   *
   * @param done how many of the device's completions in this turn had been told before
   * @param moves how many of its request there were before
   * @param last of the request that had moved last before it
   * @param ends how many calls had ended before: who asked may have waited for any of them
   */
  record Due(Event event, int done, int moves, Progress last, int ends) {}

  /** What came in. */
  sealed interface Event {
    /** The request that it was for. */
    long request();
  }

  /**
   * A call.
   *
   * @param parts what the recording says of it; the last is the ASKED
   */
  record Call(long request, String verb, List<TraceRecord> parts) implements Event {
    /** What says it all. */
    TraceRecord asked() {
      return parts.getLast();
    }
  }

  /** One INPUT that is no part of a call. */
  record Single(long request, Input what, TraceRecord input) implements Event {}

  /** The device was done with something. */
  record DiskDone(TraceRecord completion) implements Event {
    @Override
    public long request() {
      return completion.request();
    }
  }

  /** Reads them. */
  static StoreInputs read(TraceSource source) throws IOException {
    TraceSource.Cursor cursor = source.open();
    List<TraceRecord> all = new ArrayList<>();
    while (cursor.read(all::add)) {
      // All that there are.
    }
    if (cursor.missing() > 0 || cursor.damaged() > 0) {
      throw new Refused(
          "records are missing (%d) or damaged (%d): what came after them depends on them"
              .formatted(cursor.missing(), cursor.damaged()));
    }
    return new Parsing(cursor.names(), all).parse(cursor.epochLessClockNanos());
  }

  /**
   * What came in.
   *
   * @param at where it stands
   */
  private record Placed(int at, Event event) {}

  /** One reading. */
  private static final class Parsing {
    private final List<String> names;
    private final List<TraceRecord> all;
    private final List<Turn> turns = new ArrayList<>();
    private final Moves moves = new Moves();
    private final List<Placed> events = new ArrayList<>();
    private int first;
    private long left;
    private @Nullable String stop;

    Parsing(List<String> names, List<TraceRecord> all) {
      this.names = names;
      this.all = all;
    }

    private StoreInputs parse(long epochLessClockNanos) throws Refused {
      int begin = 0;
      while (begin < all.size() && input(all.get(begin)) != Input.STORE) {
        begin++;
      }
      if (begin == all.size()) {
        throw new Refused(
            "it has no inputs from the begin on: record with serve --record DIR --record-inputs,"
                + " and keep all of it");
      }
      int version = all.get(begin).from();
      if (version != Input.VERSION) {
        throw new Refused(
            "its inputs have form %d, not %d: replay it with the release that recorded it"
                .formatted(version, Input.VERSION));
      }
      first = begin + 1;
      int turnBegin = first;
      for (int at = turnBegin; at < all.size() && stop == null; at++) {
        TraceRecord one = all.get(at);
        if (one.kind() == TraceKind.TURN) {
          int requests =
              (int)
                  all.subList(turnBegin, at).stream()
                      .filter(each -> each.kind() == TraceKind.DISK_REQUEST)
                      .count();
          long began = all.get(turnBegin).atNanos();
          for (int each = turnBegin; each < at; each++) {
            moves.take(each, all.get(each), names);
          }
          List<Due> dues = dues(at);
          left = one.queueAfter();
          Progress last = lastBefore(at, turnBegin);
          Until until = new Until(requests, last);
          boolean isCut = left > 0 && (requests > 0 || last.moves() > 0);
          turns.add(new Turn(turnBegin, began, dues, isCut, until));
          events.clear();
          turnBegin = at + 1;
        } else {
          at = event(at);
        }
      }
      TraceRecord store = all.get(begin);
      long epochNanos = store.atNanos() + epochLessClockNanos;
      return new StoreInputs(store, epochNanos, names, turns, moves, all, stop);
    }

    /** What came in during a turn, as it stands there. */
    private List<Due> dues(int end) {
      List<Due> dues = new ArrayList<>();
      List<Integer> doneAt = new ArrayList<>();
      Map<Long, Integer> ranAt = new HashMap<>();
      for (Placed one : events) {
        if (one.event() instanceof DiskDone) {
          // Behind upcalls that were left: which records are theirs cannot be told.
          int ran = left > 0 ? end : ran(one, ranAt.get(one.event().request()), end);
          ranAt.put(one.event().request(), ran);
          doneAt.add(ran);
        }
        int done = 0;
        for (int at = 0; at < doneAt.size(); at++) {
          done = doneAt.get(at) < one.at() ? at + 1 : done;
        }
        dues.add(due(one, done));
      }
      return dues;
    }

    private Due due(Placed one, int done) {
      int moved = moves.before(one.event().request(), one.at());
      Progress last = lastBefore(one.at(), first);
      return new Due(one.event(), done, moved, last, moves.endsBefore(one.at()));
    }

    /** How far the request has come that has moved last before a record, from another one on. */
    private Progress lastBefore(int before, int from) {
      int at = before - 1;
      while (at >= from && !isMover(all.get(at))) {
        at--;
      }
      if (at < from) {
        return Progress.NONE;
      }
      long last = all.get(at).request();
      return new Progress(last, moves.before(last, before));
    }

    private boolean isMover(TraceRecord one) {
      return one.request() != FlightRecorder.NOBODY
          && !FlightRecord.isBackground(one.request())
          && Moves.text(one, names) != null;
    }

    /**
     * Where the upcall ran that was told of what the device had done; that is recorded when it is
     * found, before the first upcall. Its own is at the next record for the same request, but for
     * those of upcalls in which that request asked for more meanwhile; at the end if none is there.
     * Of several for one request in one turn, records behind the first one's may be the first one's
     * still: only a load shows that another has begun.
     *
     * @param before where the upcall ran that was told of the one before for this request, or null
     */
    private int ran(Placed done, @Nullable Integer before, int end) {
      for (int at = before == null ? done.at() + 1 : before + 1; at < end; at++) {
        TraceRecord next = all.get(at);
        if (next.request() == done.event().request()
            && (before == null
                ? next.kind() != TraceKind.DISK_COMPLETION && !isOfAsker(at)
                : isLoaded(next))) {
          return at;
        }
      }
      return end;
    }

    private boolean isLoaded(TraceRecord one) {
      return one.kind() == TraceKind.TRANSITION
          && text(one.name()).equals("Load")
          && text(one.from()).equals("READING");
    }

    /** Whether the upcall of a record began with one that asks; all of an upcall has one time. */
    private boolean isOfAsker(int at) {
      int first = at;
      while (all.get(first - 1).atNanos() == all.get(at).atNanos()
          && all.get(first - 1).kind() != TraceKind.DISK_COMPLETION) {
        first--;
      }
      TraceRecord begin = all.get(first);
      return switch (begin.kind()) {
        case REQUEST -> text(begin.from()).equals(API);
        case INPUT -> true;
        case TRANSITION -> Moves.ASKERS.contains(text(begin.name()));
        default -> false;
      };
    }

    /** Takes what stands there; gives the place of its last record. */
    private int event(int at) {
      TraceRecord one = all.get(at);
      Input input = input(one);
      if (one.kind() == TraceKind.DISK_COMPLETION) {
        events.add(new Placed(at, new DiskDone(one)));
      } else if (one.kind() == TraceKind.REQUEST && text(one.from()).equals(API)) {
        return call(at);
      } else if (input != null) {
        events.add(new Placed(at, new Single(one.request(), input, one)));
      }
      return at;
    }

    private int call(int at) {
      TraceRecord begin = all.get(at);
      List<TraceRecord> parts = new ArrayList<>();
      // One that was done at once has ended before its parts stand there.
      int next = isEnd(at + 1, begin) ? at + 2 : at + 1;
      while (next < all.size() && isPart(all.get(next))) {
        parts.add(all.get(next++));
      }
      if (next == all.size() || input(all.get(next)) != Input.ASKED) {
        stop =
            "%s of %s, which cannot be asked again"
                .formatted(text(begin.name()), TraceRecord.idName(begin.request()));
        return at;
      }
      parts.add(all.get(next));
      events.add(new Placed(at, new Call(begin.request(), text(begin.name()), parts)));
      return next;
    }

    private boolean isPart(TraceRecord one) {
      Input input = input(one);
      return input != null && PARTS.contains(input);
    }

    private boolean isEnd(int at, TraceRecord begin) {
      return at < all.size()
          && all.get(at).kind() == TraceKind.COMPLETION
          && all.get(at).request() == begin.request()
          && all.get(at).name() == begin.name();
    }

    private @Nullable Input input(TraceRecord one) {
      if (one.kind() == TraceKind.INPUT) {
        for (Input input : Input.values()) {
          if (input.name().equals(text(one.name()))) {
            return input;
          }
        }
      }
      return null;
    }

    private String text(int name) {
      return TraceRecord.text(names, name);
    }
  }

  /** Whether there is no call. */
  boolean isEmpty() {
    return turns.stream()
        .flatMap(turn -> turn.events().stream())
        .noneMatch(due -> due.event() instanceof Call);
  }
}
