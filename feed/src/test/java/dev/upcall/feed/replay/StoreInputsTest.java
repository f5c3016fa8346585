package dev.upcall.feed.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.fsm.record.Input;
import dev.upcall.journal.trace.TraceKind;
import dev.upcall.journal.trace.TraceRecord;
import dev.upcall.journal.trace.TraceSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** In which order what came in is taken out of a recording. */
class StoreInputsTest {
  private static final long REQUEST = 2;

  private final List<String> names = new ArrayList<>();
  private final List<TraceRecord> records = new ArrayList<>();

  private void write(long atNanos, TraceKind kind, String name, String from, String to) {
    long request = kind == TraceKind.TURN ? 0 : REQUEST;
    records.add(
        new TraceRecord(atNanos, request, kind, number(name), number(from), number(to), 0, 0, 0));
  }

  private void begin(int version) {
    records.add(new TraceRecord(1, REQUEST, TraceKind.INPUT, number("STORE"), version, 0, 0, 0, 0));
  }

  private int number(String name) {
    if (!names.contains(name)) {
      names.add(name);
    }
    return names.indexOf(name);
  }

  private StoreInputs read() throws IOException {
    return StoreInputs.read(() -> new Written(names, records));
  }

  private void append(long atNanos) {
    write(atNanos, TraceKind.REQUEST, "PUT_APPEND", "api", "");
    write(atNanos, TraceKind.INPUT, "ASKED", "", "");
  }

  private void stagerMoves(long atNanos) {
    write(atNanos, TraceKind.TRANSITION, "Stager", "PLACING", "PLACING");
  }

  private StoreInputs.Due asked() throws IOException {
    List<StoreInputs.Due> events = read().turns().getFirst().events();
    assertEquals(2, events.size());
    assertInstanceOf(StoreInputs.DiskDone.class, events.getFirst().event());
    assertInstanceOf(StoreInputs.Call.class, events.getLast().event());
    return events.getLast();
  }

  /** Its words about a call have another meaning. */
  @Test
  void read_recordingOfAnOlderRelease_saysHowToReplayIt() {
    begin(0);
    append(10);
    Refused refused = assertThrows(Refused.class, this::read);
    assertEquals(
        "its inputs have form 0, not 2: replay it with the release that recorded it",
        refused.getMessage());
  }

  /** A session appends before the end of its request's write is told, though that stands first. */
  @Test
  void anUpcallOfWhoeverAsksIsNotTheOneThatTellsWhatIsDone() throws IOException {
    begin(Input.VERSION);
    write(10, TraceKind.DISK_COMPLETION, "WRITE", "FOREGROUND_WRITE", "Done");
    write(20, TraceKind.TRANSITION, "HttpSession", "RECEIVING", "STORING");
    append(20);
    stagerMoves(20);
    stagerMoves(30);
    write(40, TraceKind.TURN, "", "", "");
    StoreInputs.Due append = asked();
    assertEquals(0, append.done());
    assertEquals(0, append.moves());
  }

  /** One that appends in the upcall that tells it comes behind what that upcall did before. */
  @Test
  void whatIsAskedComesBehindTheMovesBeforeIt() throws IOException {
    begin(Input.VERSION);
    write(10, TraceKind.DISK_COMPLETION, "WRITE", "FOREGROUND_WRITE", "Done");
    stagerMoves(20);
    stagerMoves(20);
    append(20);
    stagerMoves(20);
    write(40, TraceKind.TURN, "", "", "");
    StoreInputs.Due append = asked();
    assertEquals(1, append.done());
    assertEquals(2, append.moves());
    assertEquals(REQUEST, append.last().request());
  }

  /** One that asks in a later turn, too: its thread may have waited for the call. */
  @Test
  void whatIsAskedComesBehindTheCallsThatHadEndedBeforeIt() throws IOException {
    begin(Input.VERSION);
    append(10);
    append(10);
    write(20, TraceKind.COMPLETION, "PUT_APPEND", "api", "Done");
    write(20, TraceKind.TURN, "", "", "");
    append(30);
    write(40, TraceKind.COMPLETION, "PUT_APPEND", "api", "Done");
    write(40, TraceKind.TURN, "", "", "");
    StoreInputs inputs = read();
    assertEquals(
        List.of(0, 0, 1),
        inputs.turns().stream()
            .flatMap(turn -> turn.events().stream())
            .map(StoreInputs.Due::ends)
            .toList());
    Moves.End second = inputs.moves().end(1);
    assertEquals(2, second.calls());
    assertTrue(inputs.moves().haveEnded(REQUEST, 2));
    assertFalse(inputs.moves().haveEnded(REQUEST, 3));
  }

  /** Records that were written here. */
  private record Written(List<String> names, List<TraceRecord> left) implements TraceSource.Cursor {
    @Override
    public boolean read(Consumer<TraceRecord> to) {
      left.forEach(to);
      boolean were = !left.isEmpty();
      left.clear();
      return were;
    }

    @Override
    public long epochLessClockNanos() {
      return 0;
    }

    @Override
    public long missing() {
      return 0;
    }

    @Override
    public long damaged() {
      return 0;
    }
  }
}
