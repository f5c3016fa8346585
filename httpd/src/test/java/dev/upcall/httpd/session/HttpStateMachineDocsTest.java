package dev.upcall.httpd.session;

import dev.upcall.fsm.StateMachineDocs;
import dev.upcall.httpd.tls.TlsState;
import org.junit.jupiter.api.Test;

class HttpStateMachineDocsTest {
  @Test
  void thePageOfTheSessionIsFresh() {
    StateMachineDocs.check(HttpSessionState.TRANSITIONS);
  }

  @Test
  void thePageOfTlsIsFresh() {
    StateMachineDocs.check(TlsState.TRANSITIONS);
  }
}
