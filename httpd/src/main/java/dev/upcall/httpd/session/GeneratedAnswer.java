package dev.upcall.httpd.session;

import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.httpd.GeneratedResponse;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.ResponseGenerator;

/**
 * The part of a session that answers GET and HEAD on a site of {@link ResponseGenerator}. The state
 * is the session's. Dispatcher's thread only.
 */
final class GeneratedAnswer {
  private final HttpSession session;
  private final ResponseWriter responses;
  private final CompletionPort<GeneratedResponse> port = this::made;

  GeneratedAnswer(HttpSession session, ResponseWriter responses) {
    this.session = session;
    this.responses = responses;
  }

  /** Begins to answer a request for a path. */
  void begin(ResponseGenerator pages, StorePath path) {
    session.go(HttpSessionState.OPENING);
    pages.answer(path, port);
  }

  private void made(Completion<GeneratedResponse> completion) {
    if (session.state() == HttpSessionState.OPENING) {
      switch (completion) {
        case Completion.Done<GeneratedResponse>(GeneratedResponse page) -> {
          responses.write(responses.answers().page(page, session.request()));
          session.endResponse();
        }
        case Completion.Failed<GeneratedResponse>(Failure failure) ->
            session.refuse(Refusal.of(failure));
      }
    }
    session.storeDone();
  }
}
