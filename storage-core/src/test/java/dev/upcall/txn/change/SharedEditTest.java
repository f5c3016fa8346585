package dev.upcall.txn.change;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.upcall.access.SegmentHandle;
import dev.upcall.access.Segments;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.segment.layout.Layout;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.Durability;
import dev.upcall.store.StoreFixture;
import dev.upcall.store.StoreTest;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What becomes of pages of an extent tree that are neither replaced nor hold anything. */
class SharedEditTest {
  private static final long ORIGINAL = 100;
  private static final long CLONE = 101;

  private SimWorld world = SimWorld.ofBlocks(1, 4096);
  private StoreFixture store;

  /**
   * Cutting leaves a leaf without entries at the end of the tree. A clone shares it, and goes on
   * doing so when it is cut to nothing while the leaf is not in memory to be joined.
   */
  @Test
  void anEmptyLeafThatATruncatedCloneKeepsIsCounted() {
    StoreFixture.format(world);
    store = StoreFixture.open(world);
    int step = 2 * Disk.BLOCK_BYTES; // every other block, so that each is an extent of its own
    byte[] content = writeSparsely(step, 40);
    checkpoint();
    int kept = 4 * step; // the first leaf stays full: the second, empty, is not joined to it
    truncate(ORIGINAL, kept);
    checkpoint();
    cloneIt();
    world = world.crashAndReopen(); // no page is in memory
    store = StoreFixture.open(world);
    truncate(CLONE, 0);
    assertIsTreeWithoutEntries(CLONE);
    store.verify();
    StoreTest.done(store.remove(CLONE));
    store.verify();
    assertArrayEquals(Arrays.copyOf(content, kept), store.read(ORIGINAL));
    StoreTest.done(store.remove(ORIGINAL));
    world.runUntilIdle();
    VerifyReport end = report();
    assertEquals(0, end.contentBlocks() + end.sharedBlocks(), end::toString);
    world.<Unit>get(store.store()::close);
  }

  private byte[] writeSparsely(int stepBytes, int extents) {
    byte[] content = new byte[extents * stepBytes];
    StoreTest.done(store.put(ORIGINAL, new byte[0]));
    SegmentHandle handle = handle(ORIGINAL);
    for (int at = 0; at < content.length; at += stepBytes) {
      byte[] block = StoreFixture.bytes(at, Disk.BLOCK_BYTES);
      System.arraycopy(block, 0, content, at, block.length);
      int offset = at;
      done(port -> handle.write(offset, ByteBuffer.wrap(block), port));
    }
    done(handle::close);
    return content;
  }

  private void cloneIt() {
    done(
        port ->
            store
                .store()
                .change(
                    (view, out) -> {
                      out.putClone(StoreFixture.file(CLONE), ORIGINAL);
                      return Completion.done();
                    },
                    Durability.SYNC,
                    port));
  }

  private void truncate(long id, long sizeBytes) {
    SegmentHandle handle = handle(id);
    done(port -> handle.truncate(sizeBytes, port));
    done(handle::close);
  }

  private void assertIsTreeWithoutEntries(long id) {
    Layout layout =
        world.get(
            port -> store.store().query(view -> Completion.done(view.inode(id).layout()), port));
    assertEquals(0, assertInstanceOf(Layout.Indexed.class, layout).placedBlocks());
  }

  private SegmentHandle handle(long id) {
    return world.get(
        port -> Segments.open(store.store(), Segments.Target.of(id), StoreFixture.OWNER, port));
  }

  private void checkpoint() {
    done(store.store()::checkpoint);
  }

  private void done(Consumer<CompletionPort<Unit>> request) {
    StoreTest.done(world.await(request));
  }

  private VerifyReport report() {
    return world.get(port -> store.store().verify(new VerifyOptions(true), (at, of) -> true, port));
  }
}
