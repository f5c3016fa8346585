package dev.upcall.io.volume;

import dev.upcall.fsm.StateMachineDocs;
import org.junit.jupiter.api.Test;

class DiskStateMachineDocsTest {
  @Test
  void thePageOfTheDiskIsFresh() {
    StateMachineDocs.check(DiskLife.TRANSITIONS);
  }
}
