package dev.upcall.io.volume;

import dev.upcall.base.SystemClock;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Reactor;
import dev.upcall.io.Disk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A dispatcher over a real reactor, turned by the test's thread, with at most one volume. */
final class RealMachine implements DiskBehaviour.Machine {
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(120);

  private final Reactor reactor;
  private final Dispatcher dispatcher;
  private final Path folder;
  private @Nullable Disk disk;

  RealMachine(Reactor reactor) {
    this.reactor = reactor;
    this.dispatcher = new Dispatcher(new SystemClock(), reactor);
    this.dispatcher.adopt();
    try {
      this.folder = Files.createTempDirectory("upcall-disk");
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  Path path(String name) {
    return folder.resolve(name);
  }

  Reactor reactor() {
    return reactor;
  }

  Completion<Disk> open(VolumeSpec spec, ResultFilter filter) {
    return await(port -> Volumes.open(spec, dispatcher, reactor, filter, port));
  }

  /** Opens a volume that closing the machine closes too. */
  RealMachine with(VolumeSpec spec, ResultFilter filter) {
    if (!(open(spec, filter) instanceof Completion.Done<Disk> done)) {
      throw new AssertionError("did not open");
    }
    disk = done.value();
    return this;
  }

  <T> Completion<T> await(Consumer<CompletionPort<T>> request) {
    Object[] result = {null};
    request.accept(completion -> result[0] = completion);
    runUntil(() -> result[0] != null);
    @SuppressWarnings("unchecked")
    Completion<T> completion = (Completion<T>) result[0];
    return completion;
  }

  @Override
  public Dispatcher dispatcher() {
    return dispatcher;
  }

  @Override
  public Disk disk() {
    return disk;
  }

  @Override
  public void runUntil(BooleanSupplier condition) {
    boolean[] late = {false};
    Dispatcher.Timer limit = dispatcher.schedule(LIMIT_NANOS, () -> late[0] = true);
    while (!condition.getAsBoolean()) {
      if (late[0]) {
        throw new AssertionError("not finished in time");
      }
      dispatcher.turn(true);
    }
    limit.cancel();
  }

  @Override
  public void close() {
    if (disk != null) {
      await(disk::close);
    }
    dispatcher.close();
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(folder);
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }
}
