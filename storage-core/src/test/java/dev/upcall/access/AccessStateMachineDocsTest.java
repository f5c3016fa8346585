package dev.upcall.access;

import dev.upcall.fsm.StateMachineDocs;
import org.junit.jupiter.api.Test;

class AccessStateMachineDocsTest {
  @Test
  void thePagesOfTheseMachinesAreFresh() {
    StateMachineDocs.check(SegmentClose.TRANSITIONS);
  }
}
