package dev.upcall.fileman.blocking;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.fileman.Engine;
import dev.upcall.fileman.Upcall;
import dev.upcall.fileman.UpcallConfig;
import dev.upcall.fsm.Failure;
import dev.upcall.io.DiskKind;
import org.junit.jupiter.api.Test;

/** The facade over threads that do their own work. */
class ThreadUpcallTest extends UpcallBehaviour {
  @Override
  UpcallConfig config() {
    return small(DiskKind.AUTO).withEngine(Engine.THREADS);
  }

  @Test
  void whatOnlyTheMachinesCanIsRefused() {
    try (Upcall store = Upcall.create(volume(), config())) {
      failure(Failure.Invalid.class, store::snapshot);
      failure(Failure.Invalid.class, store::snapshots);
      failure(Failure.Invalid.class, () -> store.createSnapshot("s"));
      failure(Failure.Invalid.class, () -> store.snapshot("s"));
      failure(Failure.Invalid.class, () -> store.dropSnapshot("s"));
      failure(Failure.Invalid.class, store::begin);
      failure(Failure.Invalid.class, store::fileManager);
      failure(Failure.Invalid.class, store::reactor);
      failure(Failure.Invalid.class, store::newAsyncFiles);
      failure(Failure.Invalid.class, () -> store.execute(() -> {}));
      assertTrue(store.info().readOnlyReason().isEmpty());
    }
  }
}
