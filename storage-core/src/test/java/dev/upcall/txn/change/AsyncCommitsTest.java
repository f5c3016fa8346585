package dev.upcall.txn.change;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.fsm.Faults;
import dev.upcall.space.Extent;
import dev.upcall.store.LossBound;
import dev.upcall.txn.state.Op;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What may be acknowledged before it is durable. */
class AsyncCommitsTest {
  private static final List<Op> NO_CONTENT = List.of();

  @Test
  void bytesAreBoundedContentIncluded() {
    AsyncCommits acks = new AsyncCommits(new LossBound(10_000, 100), Faults.NONE);
    assertFalse(acks.admit(10_001, NO_CONTENT, 0));
    List<Op> twoBlocks = List.of(new Op.Allocate(new Extent(7, 2)));
    assertTrue(acks.admit(1000, twoBlocks, 0));
    assertFalse(acks.admit(1000, NO_CONTENT, 0), "2 blocks and 2000 bytes are more than 10000");
    assertTrue(acks.admit(808, NO_CONTENT, 0));
    acks.durable();
    assertTrue(acks.admit(9192, NO_CONTENT, 0));
    assertFalse(acks.admit(1, NO_CONTENT, 0));
  }

  @Test
  void timeIsBounded() {
    AsyncCommits acks = new AsyncCommits(new LossBound(10_000, 100), Faults.NONE);
    assertTrue(acks.admit(1, NO_CONTENT, 1000));
    assertTrue(acks.admit(1, NO_CONTENT, 1100));
    assertFalse(acks.admit(1, NO_CONTENT, 1101));
    acks.durable();
    assertTrue(acks.admit(1, NO_CONTENT, 1200), "the older one is durable");
    assertFalse(acks.admit(1, NO_CONTENT, 1201));
  }

  @Test
  void nothingEarlyWithoutBytes() {
    assertFalse(new AsyncCommits(new LossBound(0, 100), Faults.NONE).admit(1, NO_CONTENT, 0));
    assertThrows(IllegalArgumentException.class, () -> new LossBound(-1, 0));
  }
}
