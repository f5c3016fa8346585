package dev.upcall.segment;

import dev.upcall.fsm.StateMachineDocs;
import org.junit.jupiter.api.Test;

class SegmentStateMachineDocsTest {
  @Test
  void thePagesOfTheseMachinesAreFresh() {
    StateMachineDocs.check(Stager.TRANSITIONS, LayoutEditor.TRANSITIONS, Room.TRANSITIONS);
  }
}
