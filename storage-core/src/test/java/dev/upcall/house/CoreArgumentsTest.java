package dev.upcall.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Clock;
import dev.upcall.base.SystemClock;
import dev.upcall.completion.DamageLog;
import dev.upcall.config.ContentConfig;
import dev.upcall.config.TrafficConfig;
import dev.upcall.config.WaitConfig;
import dev.upcall.content.Loan;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.DispatcherConfig;
import dev.upcall.fsm.Faults;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.fsm.Gate;
import dev.upcall.fsm.HeapBudget;
import dev.upcall.fsm.HelperThreads;
import dev.upcall.fsm.MachineStats;
import dev.upcall.fsm.OwnerSleep;
import dev.upcall.fsm.Reactor;
import dev.upcall.fsm.Transitions;
import dev.upcall.fsm.door.Blocking;
import dev.upcall.fsm.door.Cork;
import dev.upcall.fsm.door.EndWatch;
import dev.upcall.fsm.door.HandOver;
import dev.upcall.fsm.door.ParkingReactor;
import dev.upcall.fsm.door.PassivePort;
import dev.upcall.fsm.door.RequestDoor;
import dev.upcall.fsm.meter.DispatcherMetrics;
import dev.upcall.fsm.meter.Distribution;
import dev.upcall.fsm.meter.DistributionSnapshot;
import dev.upcall.fsm.meter.StageMeter;
import dev.upcall.fsm.meter.StageStamps;
import dev.upcall.fsm.meter.StageSums;
import dev.upcall.fsm.record.FlightRecord;
import dev.upcall.fsm.record.NameNumbers;
import dev.upcall.fsm.record.RecordKind;
import dev.upcall.fsm.record.RecordNames;
import dev.upcall.fsm.record.RecordRing;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What storage-core exports to everybody names what is wrong with an argument, at once. */
class CoreArgumentsTest {
  private static final Map<String, String> EXCEPTIONS =
      Map.of(
          "Limits", "the checks themselves",
          "Invariants", "the checks themselves",
          "Violation", "made by the checks",
          "UnitCodec", "modules give it; the store calls it",
          "ContentStager", "stores give it; the test of fileman calls it",
          "Reactor", "a dispatcher calls it, and nobody else",
          "HeapRoom", "a dispatcher calls it, and nobody else",
          "ParkingReactor", "its dispatcher calls it, and nobody else",
          "PassivePort.take(timeoutNanos)", "the largest waits for ever, nothing or less does not",
          "Times.nanosOf(moment)", "it is named as the caller names it");

  @Test
  void eachArgumentIsNamed() {
    Clock clock = new SystemClock();
    Dispatcher dispatcher = new Dispatcher(clock, new ParkingReactor());
    Dispatcher elsewhere = new Dispatcher(clock, new ParkingReactor());
    Thread thread = Thread.ofPlatform().start(() -> runAndClose(elsewhere));
    try {
      dispatcher.adopt();
      FaceArguments face = face(dispatcher, clock).except(EXCEPTIONS);
      RequestDoor door = new RequestDoor("door", 10, elsewhere);
      FaceArguments.Caller here = new OwnThread(dispatcher);
      FaceArguments.Caller there = new OtherThread(elsewhere);
      face.subject(Dispatcher.class, dispatcher, here)
          .subject(Gate.class, new Gate("gate", dispatcher), here)
          .subject(HeapBudget.class, dispatcher.heap(), here)
          .subject(HeapBudget.Hold.class, dispatcher.heap().hold(), here)
          .subject(RequestDoor.class, door, there)
          .subject(HelperThreads.class, new HelperThreads("helpers", 1), there)
          .subject(Blocking.class, new Blocking(door), there)
          .subject(Cork.class, new Cork(elsewhere), there)
          .subject(EndWatch.class, new EndWatch(elsewhere, () -> {}), there)
          .subject(PassivePort.class, new PassivePort<>(elsewhere), there)
          .subject(HandOver.class, new HandOver<>(elsewhere, _ -> {}), there);
      assertEquals("", String.join("\n", face.complaints()));
      assertTrue(face.calls() > 100, () -> "only " + face.calls());
    } finally {
      elsewhere.stop();
      join(thread);
      dispatcher.close();
    }
  }

  private static FaceArguments face(Dispatcher dispatcher, Clock clock) {
    return new FaceArguments(Dispatcher.class)
        .sample(Faults.class, () -> Faults.NONE)
        .sample(Clock.class, () -> clock)
        .sample(DamageLog.class, DamageLog::new)
        .sample(Enum.class, () -> Gate.State.OPEN)
        .sample(Class.class, () -> Gate.State.class)
        .sample(char[].class, () -> new char[] {1})
        .sample(Reactor.class, ParkingReactor::new)
        .sample(DispatcherConfig.class, DispatcherConfig::defaults)
        .sample(ContentConfig.class, () -> ContentConfig.DEFAULT)
        .sample(Loan.class, Loan::new)
        .sample(TrafficConfig.class, () -> TrafficConfig.NONE)
        .sample(WaitConfig.class, WaitConfig::defaults)
        .sample(Transitions.class, () -> Gate.TRANSITIONS)
        .sample(
            Transitions.Builder.class,
            () -> Transitions.of("Gate", Gate.State.class, Gate.State.OPEN))
        .sample(FlightRecorder.class, dispatcher::recorder)
        .sample(MachineStats.class, () -> dispatcher.recorder().statsOf(Gate.TRANSITIONS))
        .sample(RecordKind.class, () -> RecordKind.TURN)
        .sample(RecordNames.class, RecordNames::new)
        .sample(NameNumbers.class, () -> new NameNumbers(new byte[] {1}))
        .sample(RecordRing.class, () -> new RecordRing(2))
        .sample(FlightRecord.class, () -> new FlightRecord(0, 0, RecordKind.TURN, 0, 0, 0, 0, 0, 0))
        .sample(OwnerSleep.class, dispatcher::sleep)
        .sample(DispatcherMetrics.class, dispatcher::metrics)
        .sample(Distribution.class, Distribution::new)
        .sample(DistributionSnapshot.class, () -> DistributionSnapshot.EMPTY)
        .sample(StageMeter.class, () -> new StageMeter(clock, dispatcher.recorder().ring()))
        .sample(StageStamps.class, StageStamps::new)
        .sample(StageSums.class, StageSums::new)
        .sample(
            StageMeter.Sample.class,
            () -> {
              StageMeter meter = new StageMeter(clock, dispatcher.recorder().ring());
              meter.stampEvery(1);
              return meter.issued();
            });
  }

  private static void runAndClose(Dispatcher dispatcher) {
    dispatcher.run();
    dispatcher.close();
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException unexpected) {
      throw new AssertionError(unexpected);
    }
  }

  /** Of a dispatcher that the test turns itself. */
  private record OwnThread(Dispatcher dispatcher) implements FaceArguments.Caller {
    @Override
    public void settle() {
      dispatcher.turn(false);
    }
  }

  /** Of a dispatcher with a thread of its own. */
  private record OtherThread(Dispatcher dispatcher) implements FaceArguments.Caller {
    @Override
    public void settle() {
      dispatcher.execute(() -> {});
    }
  }
}
