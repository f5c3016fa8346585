package dev.upcall.fsm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelStateMachineDocsTest {
  private enum Light {
    /** Stop. */
    RED,
    /** Go; see {@link #RED}. That is all. */
    GREEN,
    /** Nobody mends it. */
    BROKEN
  }

  private enum Mute {
    ON
  }

  private static final Transitions<Light> LIGHTS =
      Transitions.of("Light", Light.class, Light.RED)
          .on("time", Light.RED, Light.GREEN)
          .on("time", Light.GREEN, Light.RED)
          .build();

  @Test
  void thePagesOfTheKernelAreFresh() {
    StateMachineDocs.check(Gate.TRANSITIONS);
  }

  @Test
  void theDiagramShowsStatesMovesAndEnds() {
    assertEquals(
        """
        stateDiagram-v2
            OPEN : OPEN<br/>Work may enter
            CLOSING : CLOSING<br/>Nothing enters any more; waits until the last one inside has left
            CLOSED : CLOSED<br/>Nobody is inside, and nobody will be
            [*] --> OPEN
            OPEN --> CLOSING : close with work inside
            OPEN --> CLOSED : close while empty
            CLOSING --> CLOSED : the last one leaves
            CLOSED --> [*]
        """,
        MermaidDiagrams.stateDiagram(Gate.TRANSITIONS));
  }

  @Test
  void whatIsSaidOfAStateIsItsFirstSentence() {
    assertEquals("Go; see RED", StateSentences.of(Light.GREEN));
    assertThrows(AssertionError.class, () -> StateSentences.of(Mute.ON));
  }

  @Test
  void aMissingStaleOrUnreachablePageFails(@TempDir Path folder) throws IOException {
    AssertionError missing =
        assertThrows(
            AssertionError.class, () -> StateMachineDocs.check(folder, false, Gate.TRANSITIONS));
    assertTrue(missing.getMessage().contains("Gate.md is missing or stale"));
    StateMachineDocs.check(folder, true, Gate.TRANSITIONS);
    StateMachineDocs.check(folder, false, Gate.TRANSITIONS);
    Files.writeString(folder.resolve("Gate.md"), "drawn by hand");
    assertThrows(
        AssertionError.class, () -> StateMachineDocs.check(folder, false, Gate.TRANSITIONS));
    AssertionError unreachable =
        assertThrows(AssertionError.class, () -> StateMachineDocs.check(folder, true, LIGHTS));
    assertTrue(unreachable.getMessage().contains("Light can never reach [BROKEN]"));
  }
}
