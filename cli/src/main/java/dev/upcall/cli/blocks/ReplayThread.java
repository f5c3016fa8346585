package dev.upcall.cli.blocks;

import dev.upcall.base.SystemClock;
import dev.upcall.base.ThreadEnd;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.door.Blocking;
import dev.upcall.fsm.door.RequestDoor;
import dev.upcall.io.Disk;
import dev.upcall.io.volume.NettyReactor;
import dev.upcall.io.volume.VolumeSpec;
import dev.upcall.io.volume.Volumes;
import java.util.function.Consumer;

/** A dispatcher over the ring on a thread of its own, for a disk with no store on it. */
final class ReplayThread implements AutoCloseable {
  private static final int DOOR_CAPACITY = 16;

  private final NettyReactor reactor = NettyReactor.create();
  private final Dispatcher dispatcher = new Dispatcher(new SystemClock(), reactor);
  private final Blocking blocking =
      new Blocking(new RequestDoor("replay", DOOR_CAPACITY, dispatcher));
  private final Thread thread =
      Thread.ofPlatform().daemon().name("upcall replay").unstarted(this::run);

  ReplayThread() {
    thread.start();
  }

  private void run() {
    try {
      dispatcher.run();
    } finally {
      dispatcher.close();
    }
  }

  Dispatcher dispatcher() {
    return dispatcher;
  }

  /** Runs a request on the thread and waits for its value. */
  <T> T await(Consumer<? super CompletionPort<T>> request) {
    Completion<T> completion = blocking.await(request);
    return switch (completion) {
      case Completion.Done<T>(T value) -> value;
      case Completion.Failed<T> failed -> throw CommandFailure.failed(failed.failure().message());
    };
  }

  /** Opens a volume, or makes one. */
  Disk open(VolumeSpec spec) {
    return this.<Disk>await(port -> Volumes.open(spec, dispatcher, reactor, port));
  }

  @Override
  public void close() {
    dispatcher.stop();
    ThreadEnd.await(thread);
  }
}
