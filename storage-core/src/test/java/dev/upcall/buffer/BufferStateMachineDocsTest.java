package dev.upcall.buffer;

import dev.upcall.fsm.StateMachineDocs;
import org.junit.jupiter.api.Test;

class BufferStateMachineDocsTest {
  @Test
  void thePagesOfTheBufferManagerAreFresh() {
    StateMachineDocs.check(
        Frame.TRANSITIONS, Load.TRANSITIONS, ReadRequest.TRANSITIONS, UnitLoad.TRANSITIONS);
  }
}
