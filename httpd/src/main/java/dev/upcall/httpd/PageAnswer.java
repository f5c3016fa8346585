package dev.upcall.httpd;

import dev.upcall.fileman.StorePath;
import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Failure;

/**
 * The part of a session that answers GET and HEAD on a site of {@link Pages}. The state is the
 * session's. Dispatcher's thread only.
 */
final class PageAnswer {
  private final HttpSession session;
  private final ResponseWriter responses;
  private final CompletionPort<Page> port = this::made;

  PageAnswer(HttpSession session, ResponseWriter responses) {
    this.session = session;
    this.responses = responses;
  }

  /** Begins to answer a request for a path. */
  void begin(Pages pages, StorePath path) {
    session.go(HttpSessionState.OPENING);
    pages.answer(path, port);
  }

  private void made(Completion<Page> completion) {
    if (session.state() == HttpSessionState.OPENING) {
      switch (completion) {
        case Completion.Done<Page>(Page page) -> {
          responses.write(responses.answers().page(page, session.request()));
          session.endResponse();
        }
        case Completion.Failed<Page>(Failure failure) -> session.refuse(Status.of(failure));
      }
    }
    session.storeDone();
  }
}
