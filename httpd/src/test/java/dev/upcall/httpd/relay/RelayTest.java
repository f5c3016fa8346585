package dev.upcall.httpd.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.upcall.base.SystemClock;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.door.ParkingReactor;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What travels between two dispatchers, turned by one thread. */
class RelayTest {
  private Dispatcher asking;
  private Dispatcher home;
  private Relay relay;

  @BeforeEach
  void open() {
    asking = new Dispatcher(new SystemClock(), new ParkingReactor());
    home = new Dispatcher(new SystemClock(), new ParkingReactor());
    asking.adopt();
    home.adopt();
    relay = new Relay(asking, home);
  }

  @AfterEach
  void close() {
    asking.close();
    home.close();
  }

  @Test
  void whatOneTurnAsksTravelsAsOne() {
    List<Integer> asked = new ArrayList<>();
    List<Integer> answered = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      int number = i;
      asking.post(
          () ->
              relay.<Integer>ask(
                  port -> {
                    asked.add(number);
                    home.complete(port, Completion.done(number));
                  },
                  answer -> answered.add(((Completion.Done<Integer>) answer).value())));
    }
    asking.turn(false);
    assertEquals(List.of(), asked);
    home.turn(false);
    List<Integer> inOrder = IntStream.range(0, 100).boxed().toList();
    assertEquals(inOrder, asked);
    assertEquals(List.of(), answered);
    asking.turn(false);
    assertEquals(inOrder, answered);
    assertEquals(1, home.metrics().crossThread());
    assertEquals(1, asking.metrics().crossThread());
  }

  /** So that taking one in is short. */
  @Test
  void manyMessagesAreSeveralBatches() {
    List<Integer> told = new ArrayList<>();
    List<Completion<Unit>> settled = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      int number = i;
      relay.tell(() -> told.add(number));
    }
    relay.settle(settled::add);
    while (settled.isEmpty()) {
      asking.turn(false);
      home.turn(false);
    }
    assertEquals(IntStream.range(0, 3000).boxed().toList(), told);
    assertEquals(3, home.metrics().crossThread());
  }

  @Test
  void aRequestIsServedForItsAskerOnBothSides() {
    int verb = asking.recorder().name("asked");
    List<Long> heard = new ArrayList<>();
    List<Long> begun = new ArrayList<>();
    asking.post(
        () -> {
          begun.add(asking.recorder().begin(verb, verb));
          relay.<Unit>ask(
              port -> home.complete(port, Completion.done()),
              _ -> heard.add(asking.recorder().current()));
        });
    asking.turn(false);
    home.turn(false);
    asking.turn(false);
    assertEquals(begun, heard);
  }

  @Test
  void onlyTheAskerAsks() throws InterruptedException {
    List<Throwable> thrown = new ArrayList<>();
    Thread other =
        Thread.ofPlatform()
            .start(
                () -> thrown.add(assertThrows(RuntimeException.class, () -> relay.tell(() -> {}))));
    other.join();
    assertEquals(1, thrown.size());
  }
}
