package dev.upcall.txn.change;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.txn.lock.LockKey;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is remembered of changes: exact up to its limit, careful beyond, and no more than asked. */
class NewestChangesTest {
  private static final LockKey NEVER = LockKey.ofSegment(-1);

  private final NewestChanges changes = new NewestChanges();
  private long scn;

  @Test
  void theNewestChangeOfEachKeyDecides() {
    LockKey name = LockKey.of(LockKey.Kind.NAME, "some name".getBytes(StandardCharsets.UTF_8));
    LockKey property = LockKey.of(LockKey.Kind.PROPERTY, name.bytes());
    changes.keepSince(0);
    changes.note(List.of(name), 3);
    changes.note(List.of(name, LockKey.ofSegment(1)), 5);
    changes.note(List.of(LockKey.ofSegment(1)), 8);
    assertTrue(changes.isSince(name, 4));
    assertFalse(changes.isSince(name, 5));
    assertTrue(changes.isSince(LockKey.ofSegment(1), 7));
    assertFalse(changes.isSince(LockKey.ofSegment(1), 8));
    assertFalse(changes.isSince(property, 0));
    assertFalse(changes.isSince(NEVER, 0));
  }

  @Test
  void noKeyIsTakenForAnotherWithinTheLimit() {
    changes.keepSince(0);
    change(NewestChanges.LIMIT);
    assertEquals(NewestChanges.LIMIT, changes.remembered());
    for (long id = 1; id <= NewestChanges.LIMIT; id++) {
      assertTrue(changes.isSince(LockKey.ofSegment(id), id - 1));
      assertFalse(changes.isSince(LockKey.ofSegment(id), id));
      assertFalse(changes.isSince(LockKey.ofSegment(-id), 0));
    }
  }

  @Test
  void beyondTheLimitWhoBeganBeforeTheForgottenIsToldOfAChange() {
    changes.keepSince(0);
    change(NewestChanges.LIMIT + 1);
    assertTrue(changes.remembered() <= NewestChanges.LIMIT);
    assertTrue(changes.isSince(LockKey.ofSegment(1), 0));
    assertTrue(changes.isSince(NEVER, 0));
    long young = NewestChanges.LIMIT / 2;
    assertFalse(changes.isSince(LockKey.ofSegment(1), young));
    assertFalse(changes.isSince(NEVER, young));
    assertTrue(changes.isSince(LockKey.ofSegment(young + 1), young));
  }

  @Test
  void whatNobodyCanAskForIsForgotten() {
    changes.keepSince(0);
    change(NewestChanges.LIMIT);
    long half = NewestChanges.LIMIT / 2;
    changes.keepSince(half);
    assertEquals(half, changes.remembered());
    assertTrue(changes.isSince(LockKey.ofSegment(half + 1), half));
    assertFalse(changes.isSince(NEVER, half));
    changes.keepSince(NewestChanges.NOBODY);
    assertTrue(changes.remembered() < NewestChanges.LIMIT / 50);
  }

  /** Changes keys of their own, each at the SCN that is its number. */
  private void change(int keys) {
    for (int i = 0; i < keys; i++) {
      scn++;
      changes.note(List.of(LockKey.ofSegment(scn)), scn);
    }
  }
}
