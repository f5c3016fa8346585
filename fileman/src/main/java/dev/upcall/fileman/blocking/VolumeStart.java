package dev.upcall.fileman.blocking;

import dev.upcall.FsmUpcall;
import dev.upcall.UpcallConfig;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Reactor;
import dev.upcall.io.volume.VolumeClaim;
import dev.upcall.io.volume.VolumeSpec;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * The thread of a store whose volume somebody else still has: sockets can be made on it before. Its
 * maker's thread.
 */
public final class VolumeStart implements AutoCloseable {
  private final UpcallConfig config;
  private final StoreThread thread;
  private boolean opened;

  /** Starts the thread. */
  public VolumeStart(Path volume, UpcallConfig config) {
    VolumeUpcall.checkCompression(config);
    this.config = config;
    this.thread = new StoreThread("upcall " + volume.getFileName(), config);
  }

  /** The thread's dispatcher. */
  public Dispatcher dispatcher() {
    return thread.dispatcher();
  }

  /** What the thread turns around. */
  public Reactor reactor() {
    return thread.reactor();
  }

  /** Runs a request on the thread and waits for its completion. Any other thread. */
  public <T> Completion<T> await(Consumer<? super CompletionPort<T>> request) {
    return thread.blocking().await(request);
  }

  /** Opens the volume, once it was waited for: the thread is the store's from then on. */
  public FsmUpcall open(VolumeClaim claim) {
    FsmUpcall store =
        VolumeUpcall.open(thread, VolumeSpec.claimed(claim, config.drive().disk()), config);
    opened = true;
    return store;
  }

  /** Ends the thread, and with it its sockets, unless it is a store's. */
  @Override
  public void close() {
    if (!opened) {
      thread.stop();
    }
  }
}
