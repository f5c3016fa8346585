package dev.upcall.txn.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.content.Kind;
import dev.upcall.content.Times;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.Layout;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.Durability;
import dev.upcall.store.StoreFixture;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;
import dev.upcall.txn.Change;
import dev.upcall.txn.ExpiryKeys;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreTree;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collections;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A verification notices when inodes and the tree of expiries say different things. */
class CheckedExpiriesTest {
  private static final byte[] NAME = {0, 0, 0, 0, 0, 0, 0, 1, 'f'};

  private final SimWorld world = SimWorld.ofBlocks(3, StoreFixture.tinyLayout().maxBlocks());
  private Store store;

  @BeforeEach
  void open() {
    StoreFixture.format(world);
    store = StoreFixture.recovered(world.closesUnchecked("what is in it is unsound")).store();
  }

  @Test
  void agreementIsSound() {
    write(100, 100, NAME);
    assertEquals("[]", problems());
  }

  @Test
  void anExpiryWithoutAnEntryIsFound() {
    write(100, Times.NEVER, NAME);
    assertTrue(
        problems().contains("segment 16 expires at 100, and nothing will notice"), problems());
  }

  @Test
  void anEntryWithoutAnExpiryIsFound() {
    write(Times.NEVER, 100, NAME);
    assertTrue(problems().contains("segment 16 is to expire at 100"), problems());
  }

  @Test
  void anotherTimeIsFound() {
    write(100, 101, NAME);
    assertTrue(problems().contains("segment 16 is to expire at 101"), problems());
    assertTrue(problems().contains("segment 16 expires at 100"), problems());
  }

  @Test
  void anotherNameIsFound() {
    write(100, 100, new byte[] {0, 0, 0, 0, 0, 0, 0, 1, 'g'});
    assertTrue(problems().contains("the expiry of segment 16 does not know its name"), problems());
  }

  private void write(long expiresNanos, long indexedNanos, byte[] home) {
    Change<Long> change =
        (view, out) -> {
          long id = out.newSegmentId();
          out.putInode(
              new Inode(
                  id,
                  Kind.FILE,
                  1,
                  0644,
                  0,
                  0,
                  new Times(1, 1, 1, expiresNanos),
                  0,
                  1,
                  Collections.emptySortedMap(),
                  Layout.EMPTY));
          ByteBuffer entry = ByteBuffer.allocate(9).order(ByteOrder.LITTLE_ENDIAN).putLong(id);
          out.put(StoreTree.NAMES, NAME, entry.put((byte) Kind.FILE.code()).array());
          if (indexedNanos != Times.NEVER) {
            out.put(StoreTree.EXPIRY, ExpiryKeys.of(indexedNanos, id), home);
          }
          return Completion.done(id);
        };
    assertEquals(16, world.<Long>get(port -> store.change(change, Durability.SYNC, port)));
  }

  private String problems() {
    VerifyReport report =
        world.get(port -> store.verify(new VerifyOptions(true), (at, of) -> true, port));
    return report.problems().toString();
  }
}
