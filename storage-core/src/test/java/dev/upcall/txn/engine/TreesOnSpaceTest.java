package dev.upcall.txn.engine;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of a checkpoint for trees and free space, and that breaking one is noticed. */
class TreesOnSpaceTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void everyCrashLeavesTheLastCheckpointWhole(long seed) {
    TreesOnSpace run = new TreesOnSpace(seed, TreesOnSpace.Rules.KEPT);
    run.run(6000);
    assertTrue(run.crashes > 5 && run.refusedPuts > 20, run.crashes + ", " + run.refusedPuts);
  }

  @Test
  void canaryThatReusesBeforeTheCheckpointIsCaught() {
    assertThrows(
        AssertionError.class,
        () -> new TreesOnSpace(7, TreesOnSpace.Rules.REUSE_BEFORE_CHECKPOINT).run(6000));
  }

  @Test
  void canaryThatReleasesTheOldCheckpointAtTheFreezeIsCaught() {
    assertThrows(
        AssertionError.class,
        () -> new TreesOnSpace(8, TreesOnSpace.Rules.RELEASE_AT_FREEZE).run(6000));
  }
}
