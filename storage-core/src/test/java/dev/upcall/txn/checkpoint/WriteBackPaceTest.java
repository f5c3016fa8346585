package dev.upcall.txn.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentStager;
import dev.upcall.content.StagedContent;
import dev.upcall.io.Disk;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.Durability;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.StoreConfig;
import dev.upcall.txn.StoreOptions;
import dev.upcall.txn.engine.StoreEngine;
import dev.upcall.txn.state.StoreContext;
import dev.upcall.txn.state.StoreState;
import dev.upcall.txn.volume.VolumeLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whether write-back catches up with callers who change something in every turn, counted. */
class WriteBackPaceTest {
  private static final int FILES = 1000;
  private static final long FIRST = 100;
  private static final int CHANGES_A_TURN = 16;
  private static final int MOST_CHANGES = FILES * 4 / 5;
  private static final long TURN_NANOS = 500_000;

  private static final int CALLERS = 64;
  private static final int MANY_FILES = 40_000;
  private static final long SHORT_TURN_NANOS = 150_000;

  /** A log of which they all take little: nothing is placed ahead. */
  private static final VolumeLayout LAYOUT = new VolumeLayout(16384, 64, 198000);

  private static final StoreOptions OPTIONS =
      new StoreOptions(StoreConfig.ofMemory(256L << 20), 0, 0, new SplittableRandom(1));

  private final SimWorld world = new SimWorld(1, SimDiskConfig.ofBlocks(0).withCapacity(200000));
  private final List<Completion<Unit>> changed = new ArrayList<>();
  private final ByteBuffer content = ByteBuffer.wrap(StoreFixture.bytes(2, Disk.BLOCK_BYTES));
  private long nextFile = FIRST + FILES + 1;
  private boolean callersEnd;
  private StoreFixture store;
  private StoreContext context;
  private StoreState state;

  @BeforeEach
  void open() {
    StoreFixture.format(world, LAYOUT);
    store = Objects.requireNonNull(StoreFixture.tryOpen(world, OPTIONS));
    context = ((StoreEngine) store.store()).context();
    state = context.state();
    byte[] block = StoreFixture.bytes(1, Disk.BLOCK_BYTES);
    for (int file = 0; file < FILES; file++) {
      assertEquals(Completion.done(), store.put(FIRST + file, block));
    }
    assertEquals(FILES, state.segments().unplacedBlocks());
  }

  /** Each change could be one more file: there would be more and more to place. */
  @Test
  void moreIsPlacedThanIsChangedMeanwhile() {
    List<Completion<Unit>> checkpointed = new ArrayList<>();
    store.store().checkpoint(checkpointed::add);
    int changes = 0;
    while (state.segments().unplacedBlocks() > 0 && changes < MOST_CHANGES) {
      change(CHANGES_A_TURN);
      changes += CHANGES_A_TURN;
      world.clock().advance(TURN_NANOS);
      world.reactor().reap(Integer.MAX_VALUE);
      world.dispatcher().turn(false);
    }
    assertTrue(changes < MOST_CHANGES, () -> "left " + state.segments().unplacedBlocks());
    world.runUntilIdle();
    assertEquals(Collections.nCopies(changes, Completion.done()), changed);
    assertEquals(List.of(Completion.done()), checkpointed);
    store.verify();
    assertEquals(Completion.done(), store.close());
  }

  /**
   * Callers who make one file behind the other are ahead of write-back at times. What a freeze then
   * finds unplaced is written twice, and meanwhile they are ahead again.
   */
  @Test
  void whoFellBehindDoesNotStayBehind() {
    for (int i = 0; i < CALLERS; i++) {
      makeFile();
    }
    long most = 0;
    int mostTimes = 0;
    while (changed.size() < MANY_FILES) {
      world.clock().advance(SHORT_TURN_NANOS);
      world.reactor().reap(Integer.MAX_VALUE);
      world.dispatcher().turn(false);
      most = Math.max(most, state.segments().unplacedBlocks());
      mostTimes = Math.max(mostTimes, TurnShare.times(context));
    }
    callersEnd = true;
    world.runUntilIdle();
    assertEquals(Collections.nCopies(changed.size(), Completion.done()), changed);
    assertTrue(mostTimes > 1, "callers who were never ahead");
    assertTrue(most < LAYOUT.logBlocks() * 5 / 8, "unplaced " + most);
    store.verify();
    assertEquals(Completion.done(), store.close());
  }

  private void makeFile() {
    if (callersEnd) {
      return;
    }
    ContentStager stager = store.store().stage(StoreFixture.OWNER);
    stager.append(
        content.duplicate(),
        appended ->
            stager.finish(staged -> put(((Completion.Done<StagedContent>) staged).value())));
  }

  private void put(StagedContent staged) {
    store.put(
        nextFile++,
        staged,
        completion -> {
          staged.discard();
          changed.add(completion);
          makeFile();
        });
  }

  @Test
  void aTurnsShareIsSeveralTimesWhatWasChanged() {
    assertEquals(64, TurnShare.pace(context).stepBlocks().getAsInt());
    TurnShare share = TurnShare.ofParts(context);
    assertEquals(64, share.next(64));
    change(10);
    world.runUntilIdle();
    assertEquals(80, share.next(64));
    change(20);
    world.runUntilIdle();
    assertEquals(128, share.next(64));
    assertEquals(64, share.next(64));
    assertEquals(Completion.done(), store.close());
  }

  private void change(int times) {
    for (int i = 0; i < times; i++) {
      store
          .store()
          .<Unit>change(
              (view, out) -> {
                out.putInode(StoreFixture.file(FIRST + FILES));
                return Completion.done();
              },
              Durability.SYNC,
              changed::add);
    }
  }
}
