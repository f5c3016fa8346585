package dev.upcall.bench.workload;

import dev.upcall.base.SystemClock;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.door.Blocking;
import dev.upcall.fsm.door.RequestDoor;
import dev.upcall.io.volume.NettyReactor;
import java.io.IOException;
import java.util.function.Consumer;

/** A dispatcher over Netty's loop on a thread of its own, with no store on it. */
public final class LoopThread implements AutoCloseable {
  private static final int DOOR_CAPACITY = 16;

  private final NettyReactor reactor = NettyReactor.create();
  private final Dispatcher dispatcher = new Dispatcher(new SystemClock(), reactor);
  private final Blocking blocking =
      new Blocking(new RequestDoor("bench", DOOR_CAPACITY, dispatcher));
  private final Thread thread = Thread.ofPlatform().name("bench loop").unstarted(this::run);

  public LoopThread() {
    thread.start();
  }

  private void run() {
    try {
      dispatcher.run();
    } finally {
      dispatcher.close();
    }
  }

  public NettyReactor reactor() {
    return reactor;
  }

  public Dispatcher dispatcher() {
    return dispatcher;
  }

  /** Runs a request on the thread and waits for its value. */
  public <T> T await(Consumer<? super CompletionPort<T>> request) throws IOException {
    Completion<T> completion = blocking.await(request);
    return switch (completion) {
      case Completion.Done<T>(T value) -> value;
      case Completion.Failed<T> failed -> throw new IOException(failed.failure().message());
    };
  }

  @Override
  public void close() throws IOException {
    dispatcher.stop();
    try {
      thread.join();
    } catch (InterruptedException during) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the loop ended", during);
    }
  }
}
