package dev.upcall.txn.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.checkpoint.PlacingGroup.Item;
import dev.upcall.txn.engine.StoreEngine;
import dev.upcall.txn.state.StoreContext;
import dev.upcall.txn.volume.VolumeLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How much of a group is gathered in one turn, counted, and what happens to it meanwhile. */
class GroupGatheringTest {
  private static final int STEP = TurnShare.LEAST_PARTS;
  private static final int FILES = 2 * STEP + STEP / 2;
  private static final long FIRST = 100;
  private static final int MOST_BLOCKS = 256;

  /** A log of which they all take less than a quarter: nothing is placed ahead. */
  private static final VolumeLayout LAYOUT = new VolumeLayout(4096, 64, 16384);

  private final SimWorld world = new SimWorld(1, SimDiskConfig.ofBlocks(0).withCapacity(32768));
  private final RoundSegments segments = new RoundSegments();
  private final List<GroupGathering.Gathered> gathered = new ArrayList<>();
  private StoreFixture store;
  private StoreContext context;

  @BeforeEach
  void open() {
    StoreFixture.format(world, LAYOUT);
    store = StoreFixture.open(world);
    context = ((StoreEngine) store.store()).context();
    for (int file = 0; file < FILES; file++) {
      put(file, file);
    }
    assertEquals(FILES, context.state().segments().unplacedBlocks());
  }

  @AfterEach
  void close() {
    store.verify();
    world.<Unit>get(store.store()::close);
  }

  @Test
  void eachTurnGathersItsPart() {
    begin(MOST_BLOCKS);
    assertEquals(3, turns());
    assertEquals(
        LongStream.range(FIRST, FIRST + FILES).boxed().toList(),
        gathered.getFirst().items().stream().map(Item::segment).toList());
    assertEquals(
        IntStream.range(0, FILES).boxed().toList(),
        gathered.getFirst().items().stream().map(Item::firstBlock).toList());
    assertEquals(FILES, gathered.getFirst().blocks());
    assertEquals(RoundSegments.NONE, segments.next());
    gathered.getFirst().release();
  }

  @Test
  void whatDoesNotFitIsLeftForTheNextGroup() {
    begin(STEP + 5);
    assertEquals(2, turns());
    assertEquals(STEP + 5, gathered.getFirst().blocks());
    assertEquals(FIRST + STEP + 5, segments.next());
    gathered.getFirst().release();
  }

  @Test
  void whatIsOverwrittenMeanwhileIsReadAsItWas() {
    begin(MOST_BLOCKS);
    world.dispatcher().turn(false);
    put(0, 4711);
    turns();
    ByteBuffer first = gathered.getFirst().buffers().getFirst();
    assertArrayEquals(StoreFixture.bytes(0, Disk.BLOCK_BYTES), bytes(first));
    gathered.getFirst().release();
  }

  @Test
  void whatIsPlacedMeanwhileIsPassedOver() {
    segments.begin(context.state().segments());
    assertEquals(FIRST, segments.next());
    world.<Unit>get(store.store()::checkpoint);
    gather(MOST_BLOCKS);
    turns();
    assertEquals(0, gathered.getFirst().blocks());
  }

  private void put(int file, int seed) {
    assertEquals(
        Completion.done(), store.put(FIRST + file, StoreFixture.bytes(seed, Disk.BLOCK_BYTES)));
  }

  private void begin(int mostBlocks) {
    segments.begin(context.state().segments());
    gather(mostBlocks);
  }

  /** By a timer, so that no turn has two steps. */
  private void gather(int mostBlocks) {
    world
        .dispatcher()
        .schedule(0, () -> GroupGathering.run(context, segments, mostBlocks, gathered::add));
  }

  private int turns() {
    int turns = 0;
    for (; gathered.isEmpty(); turns++) {
      world.dispatcher().turn(false);
    }
    return turns;
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }
}
