package dev.upcall.fileman.blocking;

import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.base.SystemClock;
import dev.upcall.base.ThreadEnd;
import dev.upcall.completion.CompletionPort;
import dev.upcall.config.TrafficConfig;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.DispatcherConfig;
import dev.upcall.fsm.door.Blocking;
import dev.upcall.fsm.door.RequestDoor;
import dev.upcall.io.trace.BlockTraffic;
import dev.upcall.io.volume.NettyReactor;
import java.util.function.Consumer;

/** A dispatcher with its reactor on a thread of its own. */
final class StoreThread {
  private static final int DOOR_CAPACITY = 4096;

  private final NettyReactor reactor;
  private final Dispatcher dispatcher;
  private final Blocking blocking;
  private final Thread thread;
  private BlockTraffic traffic = BlockTraffic.NONE;

  /** Starts the thread. */
  StoreThread(String name, UpcallConfig config) {
    this.reactor = NettyReactor.create(config.drive().commitPollNanos());
    this.dispatcher =
        new Dispatcher(
            new SystemClock(),
            reactor,
            DispatcherConfig.defaults()
                .withWaiting(config.drive().waits())
                .withRecordsKept(config.drive().recordsKept()));
    this.blocking = new Blocking(new RequestDoor("blocking calls", DOOR_CAPACITY, dispatcher));
    this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
    thread.start();
  }

  Dispatcher dispatcher() {
    return dispatcher;
  }

  NettyReactor reactor() {
    return reactor;
  }

  Blocking blocking() {
    return blocking;
  }

  /** Runs a request on the thread and waits for its value. */
  <T> T await(Consumer<? super CompletionPort<T>> request) {
    return UpcallException.value(blocking.await(request));
  }

  /** Begins what is kept of the requests to the device; it ends with the thread. */
  BlockTraffic startTraffic(TrafficConfig config) {
    traffic = Traffic.start(config, dispatcher.clock());
    return traffic;
  }

  /** Ends the thread and waits until it has. An interrupt is kept for the caller. */
  void stop() {
    dispatcher.stop();
    ThreadEnd.await(thread);
    traffic.close();
  }

  private void run() {
    try {
      dispatcher.run();
    } finally {
      dispatcher.close();
    }
  }
}
