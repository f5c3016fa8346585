package dev.upcall.httpd.session;

import dev.upcall.fsm.StateMachineDocs;
import org.junit.jupiter.api.Test;

class HttpStateMachineDocsTest {
  @Test
  void thePageOfTheSessionIsFresh() {
    StateMachineDocs.check(HttpSessionState.TRANSITIONS);
  }
}
