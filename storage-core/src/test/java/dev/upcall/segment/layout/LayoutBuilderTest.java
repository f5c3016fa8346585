package dev.upcall.segment.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.segment.layout.LayoutBuilder.Built;
import dev.upcall.sim.FaultPlan;
import dev.upcall.sim.SimWorld;
import dev.upcall.space.Extent;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.StoreOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Content of so many extents that pages of its tree are written while more come. */
class LayoutBuilderTest {
  private static final int EXTENTS = 2000;

  private final SimWorld world = SimWorld.ofBlocks(1, 8192);
  private final StoreFixture store = opened();
  private final LayoutBuilder builder = new LayoutBuilder(store.store().access().layouts());
  private final List<Completion<Built>> finished = new ArrayList<>();

  private StoreFixture opened() {
    StoreFixture.format(world);
    StoreOptions tiny = StoreFixture.tinyOptions(1);
    return Objects.requireNonNull(
        StoreFixture.tryOpen(
            world,
            new StoreOptions(tiny.config(), tiny.capBlocks(), /* treeFanOut= */ 4, tiny.random())));
  }

  /** Blocks that lie together, with a hole behind each in the content. */
  private void append() {
    List<Extent> space =
        world.get(port -> store.store().access().layouts().space().allocate(EXTENTS, port));
    assertEquals(1, space.size());
    for (int i = 0; i < EXTENTS; i++) {
      Extent block = new Extent(space.getFirst().block() + i, 1);
      builder.append(2L * i, List.of(new Staged.NamedBlocks(block, new int[1])));
    }
    assertTrue(builder.isBusy());
  }

  @Test
  void whoFinishesWhilePagesAreWrittenGetsAllOfThem() {
    append();
    builder.finish(finished::add);
    assertTrue(world.runUntil(() -> !finished.isEmpty()));
    Built built = ((Completion.Done<Built>) finished.getFirst()).value();
    assertInstanceOf(Layout.Indexed.class, built.layout());
    long named = built.named().stream().mapToLong(each -> each.extent().blocks()).sum();
    assertTrue(named > EXTENTS, "the extents and the pages: " + named);
    builder.giveBack();
    store.verify();
    store.close();
  }

  @Test
  void pagesThatCannotBeWrittenFailTheContent() {
    append();
    world.disk().setFaults(FaultPlan.NONE.withFailAt(world.disk().steps() + 1));
    assertTrue(world.runUntil(() -> !builder.isBusy()));
    builder.append(2L * EXTENTS, List.of());
    assertFalse(builder.isBusy(), "none are written once more");
    builder.finish(finished::add);
    assertTrue(world.runUntil(() -> !finished.isEmpty()));
    assertInstanceOf(
        Failure.Device.class, ((Completion.Failed<Built>) finished.getFirst()).failure());
    builder.giveBack();
    store.verify();
    store.close();
  }
}
