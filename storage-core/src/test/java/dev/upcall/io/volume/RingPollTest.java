package dev.upcall.io.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.config.DiskKind;
import dev.upcall.fsm.meter.LookCounts;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Which waits look for the end of a durable write before they sleep. */
class RingPollTest {
  private static final long SIZE_BLOCKS = 64;
  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final boolean CAN_POLL =
      NettyReactor.ringUnavailable() == null && Runtime.getRuntime().availableProcessors() > 1;

  private final ByteBuffer block = Disk.newBuffer(Disk.BLOCK_BYTES);

  private static RealMachine machine(NettyReactor reactor) {
    RealMachine machine = new RealMachine(reactor);
    return machine.with(
        VolumeSpec.create(machine.path("volume"), DiskKind.AUTO, SIZE_BLOCKS), ResultFilter.NONE);
  }

  private void writeDurably(RealMachine machine, int at) {
    Completion<Unit> written =
        machine.await(
            port ->
                machine
                    .disk()
                    .submit(new DiskRequest.DurableWrite(at, List.of(block), IoClass.LOG, port)));
    assertInstanceOf(Completion.Done.class, written);
  }

  @Test
  void durableWritesOneByOneArePolledFromTheSecondOn() {
    NettyReactor reactor = NettyReactor.create(LONG_NANOS);
    try (RealMachine machine = machine(reactor)) {
      writeDurably(machine, 0);
      assertEquals(0, reactor.looks().looks(), "nothing is known of the device yet");
      for (int i = 0; i < 20; i++) {
        writeDurably(machine, i);
      }
      // A write that has ended before the wait needs none.
      assertTrue(!CAN_POLL || reactor.looks().looks() > 0, "no wait polled");
      assertTrue(CAN_POLL || reactor.looks().looks() == 0, "polled without a ring");
      LookCounts looks = reactor.looks();
      assertTrue(looks.found() <= looks.looks(), looks.toString());
      assertTrue(looks.found() == 0 || looks.nanos() > 0, looks.toString());
    }
  }

  @Test
  void largeDurableWritesAreWaitedForAsleep() {
    NettyReactor reactor = NettyReactor.create(LONG_NANOS);
    try (RealMachine machine = machine(reactor)) {
      ByteBuffer large = Disk.newBuffer(128 << 10);
      for (int i = 0; i < 20; i++) {
        machine.await(
            (CompletionPort<Unit> port) ->
                machine
                    .disk()
                    .submit(new DiskRequest.DurableWrite(0, List.of(large), IoClass.LOG, port)));
      }
      assertEquals(LookCounts.NONE, reactor.looks());
    }
  }

  @Test
  void otherRequestsAreWaitedForAsleep() {
    NettyReactor reactor = NettyReactor.create(LONG_NANOS);
    try (RealMachine machine = machine(reactor)) {
      writeDurably(machine, 0);
      for (int i = 0; i < 20; i++) {
        machine.await(
            (CompletionPort<Unit> port) ->
                machine
                    .disk()
                    .submit(
                        new DiskRequest.Read(0, List.of(block), IoClass.FOREGROUND_READ, port)));
      }
      assertEquals(0, reactor.looks().looks());
    }
  }

  @Test
  void neverPollsWhenThatIsOff() {
    NettyReactor reactor = NettyReactor.create(0);
    try (RealMachine machine = machine(reactor)) {
      for (int i = 0; i < 20; i++) {
        writeDurably(machine, i);
      }
      assertEquals(0, reactor.looks().looks());
    }
  }

  @Test
  void whatOtherThreadsAskForIsServedWhileDurableWritesGoOn() throws InterruptedException {
    int requests = 500;
    NettyReactor reactor = NettyReactor.create(LONG_NANOS);
    try (RealMachine machine = machine(reactor)) {
      AtomicInteger served = new AtomicInteger();
      int[] written = {0};
      boolean[] going = {true};
      Runnable[] next = {null};
      next[0] =
          () ->
              machine
                  .disk()
                  .submit(
                      new DiskRequest.DurableWrite(
                          written[0] % SIZE_BLOCKS,
                          List.of(block),
                          IoClass.LOG,
                          done -> {
                            written[0]++;
                            if (served.get() < requests) {
                              next[0].run();
                            } else {
                              going[0] = false;
                            }
                          }));
      next[0].run();
      Thread asking =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; i < requests; i++) {
                      int before = i;
                      machine.dispatcher().execute(served::incrementAndGet);
                      while (served.get() <= before) {
                        Thread.onSpinWait();
                      }
                    }
                  });
      machine.runUntil(() -> !going[0]);
      asking.join();
      assertEquals(requests, served.get());
    }
  }
}
