package dev.upcall.segment;

import dev.upcall.fsm.StateMachineDocs;
import dev.upcall.segment.layout.LayoutEditor;
import dev.upcall.segment.space.Room;
import org.junit.jupiter.api.Test;

class SegmentStateMachineDocsTest {
  @Test
  void thePagesOfTheseMachinesAreFresh() {
    StateMachineDocs.check(Stager.TRANSITIONS, LayoutEditor.TRANSITIONS, Room.TRANSITIONS);
  }
}
