package dev.upcall.httpd.session;

import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.SiteChanges;
import dev.upcall.httpd.message.Request;

/** The part of a session that answers DELETE. Dispatcher's thread only. */
final class Deletion {
  private final HttpSession session;
  private final ResponseWriter responses;

  /** Deletes nothing yet. */
  Deletion(HttpSession session, ResponseWriter responses) {
    this.session = session;
    this.responses = responses;
  }

  /** Has the store delete what a path names. */
  void begin(StorePath path, SiteChanges changes) {
    if (session.change().forbidsExistence()) {
      session.refuse(Refusal.DELETE_OF_NOTHING);
      return;
    }
    session.go(HttpSessionState.COMMITTING);
    changes.delete(path, session.change().condition(), done -> deleted(path, done));
  }

  private void deleted(StorePath path, Completion<Unit> completion) {
    if (session.state() == HttpSessionState.COMMITTING) {
      switch (completion) {
        case Completion.Done<Unit> done -> {
          Request asked = session.requestToAnswer();
          responses.write(responses.answers().deleted(asked));
          session.endResponse();
        }
        case Completion.Failed<Unit>(Failure failure) ->
            session.refuse(session.change().deleteRefused(path, failure));
      }
    }
    session.storeDone();
  }
}
