package dev.upcall.fsm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.ManualClock;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.config.WaitConfig;
import dev.upcall.fsm.door.PassivePort;
import dev.upcall.fsm.door.RequestDoor;
import dev.upcall.fsm.record.FlightRecord;
import dev.upcall.fsm.record.RecordKind;
import dev.upcall.fsm.record.Stage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whose request is current in which upcall, and what is recorded of it. */
class FlightRecorderTest {
  private final ManualClock clock = new ManualClock();
  private final Dispatcher dispatcher = dispatcher(256);
  private final FlightRecorder recorder = dispatcher.recorder();
  private final List<Long> served = new ArrayList<>();

  private Dispatcher dispatcher(int recordsKept) {
    WaitConfig waiting = WaitConfig.defaults();
    return new Dispatcher(
        clock,
        new ManualReactor(clock),
        new DispatcherConfig("d", 10, 10, 10, 10, 100, 10, 1000, recordsKept, waiting));
  }

  private long begin(String verb) {
    return recorder.begin(recorder.name(verb), recorder.name("test"));
  }

  private long call() {
    return recorder.call(recorder.name("call"), recorder.name("api"));
  }

  private void note() {
    served.add(recorder.current());
  }

  private List<FlightRecord> of(RecordKind kind) {
    return Flight.of(dispatcher).stream().filter(one -> one.kind() == kind).toList();
  }

  @Test
  void anUpcallServesWhomItWasPostedFor() {
    long first = begin("first");
    dispatcher.post(this::note);
    long second = begin("second");
    dispatcher.post(this::note);
    dispatcher.complete(_ -> note(), Completion.done());
    recorder.serve(first);
    dispatcher.complete(_ -> note(), Completion.done());
    dispatcher.turn(false);
    assertEquals(List.of(first, second, second, first), served);
  }

  @Test
  void whatAnUpcallAsksForServesTheSame() {
    long first = begin("first");
    dispatcher.post(() -> dispatcher.post(this::note));
    begin("second");
    dispatcher.turn(false);
    assertEquals(List.of(first), served);
  }

  @Test
  void aTimerServesWhoArmedIt() {
    long first = begin("first");
    dispatcher.schedule(5, this::note);
    recorder.serve(FlightRecorder.NOBODY);
    dispatcher.schedule(5, this::note);
    begin("second");
    clock.advance(5);
    dispatcher.turn(false);
    assertEquals(List.of(first, FlightRecorder.NOBODY), served);
  }

  @Test
  void whatHelpersBringServesWhoAsked() {
    long first = begin("first");
    dispatcher.adopt();
    dispatcher.help("work", () -> 7, _ -> note());
    begin("second");
    while (served.isEmpty()) {
      dispatcher.turn(false);
    }
    assertEquals(List.of(first), served);
  }

  @Test
  void whatOtherThreadsPutInServesNobody() {
    begin("first");
    dispatcher.execute(this::note);
    dispatcher.turn(false);
    assertEquals(List.of(FlightRecorder.NOBODY), served);
  }

  @Test
  void aWaitingPortServesWhoWaits() {
    long first = begin("first");
    CompletionPort<Unit> port = recorder.waiting(_ -> note());
    long second = begin("second");
    port.complete(Completion.done());
    note();
    assertEquals(List.of(first, second), served);
  }

  @Test
  void callsBelongToTheRequestAroundThemAndNotToOneAnother() {
    long alone = call();
    long next = call();
    assertNotEquals(alone, next);
    long request = begin("request");
    assertEquals(request, call());
    assertEquals(request, call());
    recorder.serve(FlightRecorder.NOBODY);
    long background = recorder.background("sweep");
    assertEquals(background, call());
    assertEquals(background, recorder.background("part of it"));
    assertTrue(FlightRecord.isBackground(background));
    assertEquals("r3 r5 r6 b8", names(alone, next, request, background));
  }

  @Test
  void whoAsksTravelsWithTheIdAndIsNoPartOfIt() {
    long of7 = recorder.begin(recorder.name("seven"), 0, 7);
    dispatcher.post(this::note);
    long mark = recorder.background("mark");
    dispatcher.post(this::note);
    dispatcher.turn(false);
    assertEquals(List.of(of7, mark), served);
    assertEquals(7, FlightRecorder.asker(served.getFirst()));
    assertEquals("mark", Asker.name(FlightRecorder.asker(served.get(1))));
    assertTrue(recorder.lastLines().stream().anyMatch(line -> line.contains(" r2 begins seven")));
    recorder.serve(of7);
    recorder.measure();
    assertEquals(7, FlightRecorder.asker(recorder.current()));
    assertEquals(of7 & 0xff, FlightRecorder.id(recorder.current()));
  }

  @Test
  void aPartOfBackgroundWorkHasTheIdOfTheWholeAndAsksUnderItsOwnName() {
    long trim = recorder.background("trim");
    recorder.inBackground("checkpoint", this::note);
    assertEquals(trim, recorder.current());
    long checkpoint = served.getFirst();
    assertEquals(FlightRecorder.id(trim), FlightRecorder.id(checkpoint));
    assertEquals("checkpoint", Asker.name(FlightRecorder.asker(checkpoint)));
    assertEquals("trim", Asker.name(FlightRecorder.asker(trim)));
    assertEquals(1, recorder.lastLines().stream().filter(line -> line.contains("begins")).count());
  }

  @Test
  void askersAreNamedByTheirNumber() {
    assertEquals("nobody", Asker.name(Asker.NOBODY));
    assertEquals("background", Asker.name(Asker.ofBackground("something new")));
    assertEquals("session 0", Asker.name(recorder.newSession()));
    assertEquals("session 1", Asker.name(recorder.newSession()));
    assertEquals("session 0", Asker.name(Asker.ofSession((1 << 15) - 16)));
    long thread = Thread.currentThread().threadId();
    assertEquals("thread " + (thread & 0x7fff), Asker.name(Asker.ofThread(Thread.currentThread())));
    assertEquals("4026531840", Asker.name(0xf000_0000));
  }

  private static String names(long... ids) {
    StringBuilder names = new StringBuilder();
    for (long id : ids) {
      names.append(names.isEmpty() ? "" : " ").append(FlightRecord.idName(FlightRecorder.id(id)));
    }
    return names.toString();
  }

  @Test
  void workInTheBackgroundLeavesTheRequestThatCausedItCurrent() {
    long first = begin("first");
    recorder.inBackground("sweep", this::note);
    assertTrue(FlightRecord.isBackground(served.getFirst()));
    assertEquals(first, recorder.current());
  }

  @Test
  void aDoorBeginsARequestForEachThatComesIn() {
    try (RequestDoor door = new RequestDoor("front", 4, dispatcher);
        PassivePort<Unit> port = new PassivePort<>(dispatcher)) {
      Failure busy = new Failure.Busy("it");
      door.<Unit>offer(
          inner -> {
            note();
            dispatcher.complete(inner, Completion.done());
          },
          port);
      door.<Unit>offer(
          inner -> {
            note();
            dispatcher.complete(inner, Completion.failed(busy));
          },
          port);
      dispatcher.turn(false);
    }
    assertEquals(2, served.stream().distinct().count());
    assertEquals(
        List.of(
            "0 r2 begins front by door",
            "0 r4 begins front by door",
            "0 r2 ends front by door: Done",
            "0 r4 ends front by door: Busy"),
        recorder.lastLines().stream().filter(line -> line.contains("front")).toList());
  }

  @Test
  void joinsNameTheOtherAndAreLeftOutForOneself() {
    long first = begin("first");
    long second = begin("second");
    recorder.join(recorder.name("why"), second);
    recorder.join(recorder.name("why"), FlightRecorder.NOBODY);
    recorder.join(recorder.name("why"), first);
    assertEquals(1, of(RecordKind.JOIN).size());
    assertEquals("0 r4 serves r2 too, why", line(of(RecordKind.JOIN).getFirst()));
  }

  private String line(FlightRecord record) {
    return record.describe(recorder.names());
  }

  @Test
  void theMarkOfBeingMeasuredTravelsAndIsNotRecorded() {
    long other = begin("other");
    recorder.measure();
    long marked = recorder.current();
    long request = begin("request");
    assertEquals(request, recorder.measure());
    dispatcher.post(
        () -> {
          recorder.stamp(Stage.FOUND);
          recorder.join(recorder.name("why"), marked);
          recorder.join(recorder.name("why"), request);
          recorder.end(recorder.name("request"), 0, recorder.done());
        });
    recorder.serve(other);
    dispatcher.post(() -> recorder.stamp(Stage.FOUND));
    dispatcher.turn(false);
    assertEquals(
        List.of(
            "0 r2 begins other by test",
            "0 r4 begins request by test",
            "0 r4 stage FOUND",
            "0 r4 serves r2 too, why",
            "0 r4 ends request: Done"),
        recorder.lastLines().stream().filter(line -> line.matches("\\d+ r\\d.*")).toList());
  }

  @Test
  void aTurnThatRanSomethingIsRecordedAndAStallWithItsCulprit() {
    dispatcher.post(this::note);
    long slow = begin("slow");
    dispatcher.post(() -> clock.advance(5000));
    dispatcher.turn(false);
    dispatcher.turn(false);
    assertEquals(
        List.of("5000 turn of 5000 ns ran 2, took 0, reaped 0, FIFO 2 -> 0"),
        of(RecordKind.TURN).stream().map(this::line).toList());
    FlightRecord stall = of(RecordKind.STALL).getFirst();
    assertEquals(5000, stall.extra());
    assertEquals(slow, stall.request());
    assertTrue(line(stall).contains("FlightRecorderTest"), line(stall));
  }

  @Test
  void namesOfAnEnumStandOneBehindTheOther() {
    int first = recorder.names(Gate.State.class);
    assertEquals(first, recorder.names(Gate.State.class));
    for (Gate.State state : Gate.State.values()) {
      assertEquals(state.name(), recorder.names().get(first + Transitions.indexOf(state)));
    }
    assertEquals(recorder.name("x"), recorder.name("x"));
  }

  @Test
  void aRecorderThatKeepsNothingStillCountsAndPassesIdsOn() {
    Dispatcher silent = dispatcher(0);
    Gate gate = new Gate("thing", silent);
    long request = silent.recorder().begin(1, 1);
    silent.post(() -> served.add(silent.recorder().current()));
    gate.close(_ -> {});
    silent.turn(false);
    assertEquals(List.of(request), served);
    assertEquals(List.of(), silent.recorder().lastLines());
    assertEquals(0, silent.recorder().ring().published());
    assertEquals(1, silent.recorder().stats().getFirst().machines());
  }
}
