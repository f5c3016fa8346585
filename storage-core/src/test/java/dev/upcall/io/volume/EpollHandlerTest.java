package dev.upcall.io.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.upcall.base.SystemClock;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.volume.NettyReactor.Transport;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Netty's epoll under a dispatcher; on Linux it is always there. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EpollHandlerTest {
  private static final long LONG_NANOS = 3_600_000_000_000L;
  private static final int HAND_OVERS = 20_000;

  @Test
  void itIsThereAndSaysWhyThereIsNoRing() {
    assertNull(NettyReactor.unavailable(Transport.EPOLL));
    try (NettyReactor reactor = NettyReactor.create(Transport.EPOLL)) {
      assertEquals(Transport.EPOLL, reactor.transport());
      assertEquals("the dispatcher's loop uses epoll", reactor.noRing());
    }
  }

  /** Netty's own handler sleeps then: when it was woken, it did not wait yet. */
  @Test
  void aWakeUpBeforeTheWaitEndsIt() throws InterruptedException {
    try (NettyReactor reactor = NettyReactor.create(Transport.EPOLL)) {
      reactor.start();
      Thread.ofPlatform().start(reactor::wakeup).join();
      reactor.await(LONG_NANOS);
    }
  }

  /** Each is handed over when the thread is about to sleep, or sleeps. */
  @Test
  void whatOtherThreadsHandOverIsDone() throws InterruptedException {
    NettyReactor reactor = NettyReactor.create(Transport.EPOLL);
    Dispatcher dispatcher = new Dispatcher(new SystemClock(), reactor);
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  dispatcher.run();
                  dispatcher.close();
                });
    Semaphore done = new Semaphore(0);
    for (int i = 0; i < HAND_OVERS; i++) {
      dispatcher.execute(done::release);
      done.acquire();
    }
    dispatcher.stop();
    thread.join();
  }
}
