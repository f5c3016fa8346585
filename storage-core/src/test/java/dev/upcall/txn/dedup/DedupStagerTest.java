package dev.upcall.txn.dedup;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentStager;
import dev.upcall.content.StagedContent;
import dev.upcall.fsm.StateMachineDocs;
import dev.upcall.segment.layout.KnownContent;
import dev.upcall.segment.layout.Staged;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.StoreFixture;
import dev.upcall.store.StoreTest;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;
import dev.upcall.txn.volume.StoreFeature;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Content that a file has already; the first hash of the fixture goes over one block. */
class DedupStagerTest {
  private static final int SIZE = 300_000;
  private static final int MOST_KNOWN = 20;
  private static final byte[] CONTENT = StoreFixture.bytes(1, SIZE);

  private SimWorld world = SimWorld.ofBlocks(1, 4096);
  private StoreFixture store;

  @BeforeEach
  void open() {
    StoreFixture.format(world);
    store = StoreFixture.open(world);
  }

  @AfterEach
  void close() {
    store.end();
  }

  private ContentStager begin() {
    return new DedupStager(
        store.store(), store.store().stage(StoreFixture.OWNER), StoreFixture.OWNER);
  }

  private void append(ContentStager stager, byte[] bytes) {
    for (int at = 0; at < bytes.length; at += 30_000) {
      ByteBuffer part = ByteBuffer.wrap(bytes, at, Math.min(bytes.length - at, 30_000));
      world.<Unit>get(port -> stager.append(part, port));
    }
  }

  private StagedContent stage(byte[] bytes) {
    ContentStager stager = begin();
    append(stager, bytes);
    assertEquals(bytes.length, stager.sizeBytes());
    return world.get(stager::finish);
  }

  private void commit(long id, StagedContent staged) {
    StoreTest.done(world.await(port -> store.put(id, staged, port)));
    staged.discard();
  }

  private void put(long id, byte[] bytes) {
    commit(id, stage(bytes));
  }

  private static boolean isSame(StagedContent staged) {
    return staged instanceof Staged.Hashed hashed && hashed.same() != null;
  }

  private VerifyReport report() {
    return world.get(port -> store.store().verify(new VerifyOptions(true), (at, of) -> true, port));
  }

  private long known() {
    return world.get(
        port ->
            store
                .store()
                .query(
                    view -> {
                      long entries = 0;
                      View.Scan scan = view.from(StoreTree.CONTENTS, new byte[0]);
                      while (scan.next()) {
                        entries += KnownContent.isCount(scan.key()) ? 0 : 1;
                      }
                      return Completion.done(entries);
                    },
                    port));
  }

  private static byte[] changedAt(int offset) {
    byte[] other = CONTENT.clone();
    other[offset]++;
    return other;
  }

  @ParameterizedTest
  @ValueSource(ints = {4_097, 60_000, 300_000, 1_000_000})
  void theSameContentIsACloneAndTakesNoBlocks(int size) {
    byte[] bytes = StoreFixture.bytes(7, size);
    put(100, bytes);
    world.<Unit>get(store.store()::checkpoint);
    long content = report().contentBlocks();
    for (long id = 101; id < 105; id++) {
      StagedContent staged = stage(bytes);
      assertTrue(isSame(staged));
      commit(id, staged);
    }
    world.<Unit>get(store.store()::checkpoint);
    assertEquals(content, report().contentBlocks());
    assertTrue(report().sharedBlocks() > 0);
    StoreTest.done(store.remove(100));
    world = world.crashAndReopen();
    store = StoreFixture.open(world);
    for (long id = 101; id < 105; id++) {
      assertArrayEquals(bytes, store.read(id));
    }
  }

  /** Content that differs is stored for itself, wherever it does. */
  @Test
  void whatDiffersAnywhereHasBlocksOfItsOwn() {
    put(100, CONTENT);
    byte[][] others = {
      changedAt(0),
      changedAt(4095),
      changedAt(4096),
      changedAt(150_000),
      changedAt(SIZE - 1),
      Arrays.copyOf(CONTENT, 4_097),
      Arrays.copyOf(CONTENT, SIZE - 1),
      Arrays.copyOf(CONTENT, SIZE + 1),
      Arrays.copyOf(CONTENT, 4096),
      new byte[0]
    };
    for (int i = 0; i < others.length; i++) {
      put(101 + i, others[i]);
      assertArrayEquals(others[i], store.read(101 + i));
    }
    assertEquals(1 + others.length - 2, known(), "all but what is small");
    assertArrayEquals(CONTENT, store.read(100));
  }

  @Test
  void aFileThatHasChangedByTheCommitIsNotCloned() {
    put(100, CONTENT);
    StagedContent changed = stage(CONTENT);
    StagedContent removed = stage(CONTENT);
    assertTrue(isSame(changed) && isSame(removed));
    put(100, changedAt(5));
    commit(101, changed);
    assertFalse(isSame(changed));
    StoreTest.done(store.remove(100));
    commit(102, removed);
    assertArrayEquals(CONTENT, store.read(101));
    assertArrayEquals(CONTENT, store.read(102));
    // Found again by now: the entry leads to a file that has it.
    StagedContent again = stage(CONTENT);
    assertTrue(isSame(again));
    again.discard();
  }

  @Test
  void aFileThatGetsWhatItHasKeepsItsBlocks() {
    put(100, CONTENT);
    long blocks = report().contentBlocks();
    put(100, CONTENT);
    put(100, CONTENT);
    world.<Unit>get(store.store()::checkpoint);
    assertEquals(blocks, report().contentBlocks());
    assertEquals(1, known());
    StagedContent staged = stage(CONTENT);
    assertTrue(isSame(staged), "of the file's newest version");
    commit(101, staged);
    assertArrayEquals(CONTENT, store.read(101));
  }

  /** Also where the file goes, or gets something else, in the same change. */
  @Test
  void aFileThatTheSameChangeTakesAwayIsCopiedFirst() {
    put(100, CONTENT);
    StagedContent staged = stage(CONTENT);
    StoreTest.done(
        world.<Unit>await(
            port ->
                store
                    .store()
                    .change(
                        (view, out) -> {
                          out.removeSegment(view.inode(100));
                          out.putInode(StoreFixture.file(101), staged);
                          return Completion.done();
                        },
                        dev.upcall.store.Durability.SYNC,
                        port)));
    assertArrayEquals(CONTENT, store.read(101));
  }

  @Test
  void moreThanMayBeKnownAreForgotten() {
    for (int i = 0; i < 2 * MOST_KNOWN; i++) {
      put(100 + i, StoreFixture.bytes(50 + i, 5_000));
      assertEquals(Math.min(i + 1, MOST_KNOWN), known());
    }
  }

  @Test
  void entriesOfFilesThatWentAreDroppedWhenTheyAreMet() {
    for (int i = 0; i < 5; i++) {
      put(100 + i, changedAt(SIZE - 1 - i));
    }
    assertEquals(5, known());
    for (int i = 0; i < 5; i++) {
      StoreTest.done(store.remove(100 + i));
    }
    put(200, CONTENT);
    assertEquals(1, known());
  }

  @Test
  void aVolumeSaysBeforeTheFirstEntryThatItHasSome() {
    StoreTest.done(store.put(100, CONTENT));
    assertFalse(store.store().access().features().uses(StoreFeature.DEDUPLICATION));
    put(101, CONTENT);
    assertTrue(store.store().access().features().uses(StoreFeature.DEDUPLICATION));
  }

  /** Given up in each state, and after the end: nothing stays behind. */
  @Test
  void whatIsGivenUpLeavesNothing() {
    put(100, CONTENT);
    long content = report().contentBlocks();
    for (int size : new int[] {0, 4_000, 5_000, 200_000}) {
      ContentStager stager = begin();
      append(stager, Arrays.copyOf(CONTENT, size));
      stager.discard();
      stager.discard();
    }
    for (byte[] bytes : new byte[][] {changedAt(0), changedAt(200_000)}) {
      for (int turns = 0; turns < 30; turns++) {
        ContentStager stager = begin();
        stager.append(ByteBuffer.wrap(bytes), completion -> {});
        for (int i = 0; i < turns; i++) {
          world.dispatcher().turn(false);
        }
        stager.discard();
        world.runUntilIdle();
      }
    }
    stage(CONTENT).discard();
    stage(changedAt(3)).discard();
    world.<Unit>get(store.store()::checkpoint);
    assertEquals(content, report().contentBlocks());
  }

  @Test
  void thePageOfTheMachineIsFresh() {
    StateMachineDocs.check(DedupStager.TRANSITIONS);
  }
}
