package dev.upcall.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Unit;
import dev.upcall.config.ContentConfig;
import dev.upcall.content.ContentStager;
import dev.upcall.content.StagedContent;
import dev.upcall.segment.layout.Staged;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.StoreFixture;
import dev.upcall.store.StoreInfo;
import dev.upcall.store.StoreTest;
import dev.upcall.txn.StoreOptions;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How much of new content asks for space together. */
class GatheredWritesTest {
  private static final int SIZE = 3 * (1 << 20) + 5_000;
  private static final int PART = 50_000;

  private SimWorld world = SimWorld.ofBlocks(1, 8192);

  private static StoreOptions gathering(int gatherBytes) {
    StoreOptions tiny = StoreFixture.tinyOptions(1);
    ContentConfig content = ContentConfig.DEFAULT.withGatherBytes(gatherBytes);
    return new StoreOptions(
        tiny.config().withContent(content), tiny.capBlocks(), /* treeFanOut= */ 0, tiny.random());
  }

  private StoreFixture open(int gatherBytes) {
    StoreFixture.format(world);
    return Objects.requireNonNull(StoreFixture.tryOpen(world, gathering(gatherBytes)));
  }

  private void append(ContentStager stager, byte[] bytes, int at) {
    int length = Math.min(PART, bytes.length - at);
    world.<Unit>get(port -> stager.append(ByteBuffer.wrap(bytes, at, length), port));
  }

  /** In how many pieces two files lie that are written beside each other. */
  private int pieces(int gatherBytes) {
    world = SimWorld.ofBlocks(1, 8192);
    StoreFixture store = open(gatherBytes);
    List<byte[]> contents = List.of(StoreFixture.bytes(1, SIZE), StoreFixture.bytes(2, SIZE));
    List<Stager> stagers =
        contents.stream().map(_ -> store.store().stage(StoreFixture.OWNER)).toList();
    for (int at = 0; at < SIZE; at += PART) {
      for (int i = 0; i < stagers.size(); i++) {
        append(stagers.get(i), contents.get(i), at);
      }
    }
    int pieces = 0;
    for (int i = 0; i < stagers.size(); i++) {
      StagedContent staged = world.get(stagers.get(i)::finish);
      pieces += pieces(((Staged.Placed) staged).named());
      long id = 100 + i;
      StoreTest.done(world.await(port -> store.put(id, staged, port)));
      assertArrayEquals(contents.get(i), store.read(id));
    }
    store.verify();
    store.close();
    return pieces;
  }

  private static int pieces(List<Staged.NamedBlocks> named) {
    int pieces = 0;
    long end = -1;
    for (Staged.NamedBlocks blocks : named) {
      pieces += blocks.extent().block() == end ? 0 : 1;
      end = blocks.extent().end();
    }
    return pieces;
  }

  @Test
  void filesThatGatherMoreLieInFewerPieces() {
    int small = pieces(64 << 10);
    int usual = pieces(512 << 10);
    int large = pieces(1536 << 10);
    assertTrue(small > 2 * usual, small + " and " + usual);
    assertTrue(usual > 2 * large, usual + " and " + large);
  }

  private static long usedBytes(StoreFixture store) {
    StoreInfo info = store.store().info();
    return info.sizeBytes() - info.freeBytes();
  }

  /** Content that is given up in the middle of a gather leaves nothing behind. */
  @ParameterizedTest
  @ValueSource(ints = {64 << 10, 1536 << 10})
  void whatIsGivenUpGivesAllBack(int gatherBytes) {
    StoreFixture store = open(gatherBytes);
    long used = usedBytes(store);
    byte[] bytes = StoreFixture.bytes(3, SIZE);
    for (int upTo = PART; upTo < SIZE; upTo += 7 * PART) {
      ContentStager stager = store.store().stage(StoreFixture.OWNER);
      for (int at = 0; at < upTo; at += PART) {
        append(stager, bytes, at);
      }
      stager.discard();
      world.runUntilIdle();
    }
    assertEquals(used, usedBytes(store));
    store.verify();
    store.close();
  }
}
