package dev.upcall.txn.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Faults;
import dev.upcall.fsm.InjectedFaults;
import dev.upcall.pressure.PressureCounters;
import dev.upcall.pressure.Scarce;
import dev.upcall.pressure.Thresholds;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.Durability;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.Change;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.state.StoreFault;
import dev.upcall.txn.volume.VolumeLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Changes of more pages than a checkpoint writes in the same time. */
class DirtyPagesTest {
  private static final int CHANGES = 900;

  /** A log in which all of it has room. */
  private static final VolumeLayout LAYOUT = new VolumeLayout(2048, 64, 65_536);

  @Test
  void changesWaitUntilPagesAreWritten() {
    Run run = run(Faults.NONE);
    assertTrue(run.most() > run.pages().at().urgentAt(), run::toString);
    assertTrue(run.most() <= allowed(run.pages().at()), run::toString);
    assertTrue(run.pages().waited() > 0, "nobody has waited");
  }

  /** Else what the other test says would prove nothing. */
  @Test
  void aStoreThatDoesNotWait_hasMoreChangedPages() {
    Thresholds at = run(Faults.NONE).pages().at();
    assertTrue(run(InjectedFaults.of(StoreFault.PAGES_WITHOUT_LIMIT)).most() > allowed(at));
  }

  /** The limit, and what one change makes of it. */
  private static long allowed(Thresholds at) {
    return at.limit() + 24;
  }

  /**
   * The course of a run.
   *
   * @param most pages that were changed and not written at any time
   */
  private record Run(long most, PressureCounters pages) {}

  private static Run run(Faults faults) {
    SimWorld world = SimWorld.ofBlocks(51, LAYOUT.maxBlocks());
    StoreFixture.format(world, LAYOUT);
    StoreFixture store =
        Invariants.present(
            StoreFixture.tryOpen(world, StoreFixture.tinyOptions(world.seed()), faults), "a store");
    List<Completion<Unit>> done = new ArrayList<>();
    for (int i = 0; i < CHANGES; i++) {
      // Far from each other, so that nearly each has pages of its own.
      byte[] key = ByteBuffer.allocate(Integer.BYTES).putInt(Integer.reverse(i)).array();
      store.store().change(put(key), Durability.SYNC, done::add);
    }
    long[] most = {0};
    world.runUntil(
        () -> {
          most[0] = Math.max(most[0], store.store().metrics().work().dirtyPages());
          return done.size() == CHANGES;
        });
    for (Completion<Unit> each : done) {
      assertEquals(Completion.done(), each);
    }
    PressureCounters pages =
        store.store().metrics().pressure().stream()
            .filter(counters -> counters.what() == Scarce.PAGES)
            .findFirst()
            .orElseThrow();
    store.verify();
    store.close();
    return new Run(most[0], pages);
  }

  private static Change<Unit> put(byte[] key) {
    return (view, out) -> {
      out.put(StoreTree.PROPERTIES, key, key);
      return Completion.done();
    };
  }
}
