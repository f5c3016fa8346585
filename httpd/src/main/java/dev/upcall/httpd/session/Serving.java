package dev.upcall.httpd.session;

import dev.upcall.StorePath;
import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.ResponseGenerator;
import dev.upcall.httpd.Site;
import dev.upcall.httpd.SiteChanges;
import dev.upcall.httpd.answer.Errand;
import dev.upcall.httpd.guarding.FailedLogins;
import dev.upcall.httpd.message.Request;
import dev.upcall.httpd.message.RequestDecoder;
import dev.upcall.httpd.message.RequestTarget;
import dev.upcall.httpd.message.ResumableAsk;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part of a session that begins what a request asks for, if the access rules let it, and knows
 * who takes its body. The state is the session's. Dispatcher's thread only.
 */
final class Serving {
  private final HttpSession session;
  private final SessionContext server;
  private final Parts parts;
  private @Nullable Receiver receiver; // of the body under way, or of the last one

  /**
   * The other parts of the session.
   *
   * @param guard null without access rules
   */
  record Parts(
      ResponseWriter responses,
      RequestDecoder decoder,
      Download download,
      AddressShares.Place place,
      @Nullable Guard guard) {}

  /** Serves nothing yet. */
  Serving(HttpSession session, SessionContext server, Parts parts) {
    this.session = session;
    this.server = server;
    this.parts = parts;
  }

  /** Begins. */
  void begin(Request asked) {
    Optional<ResponseGenerator> pages = server.site().pages();
    SiteChanges changes = server.changes();
    Errand errand = Errand.of(asked, pages.isPresent(), changes != null);
    Guard guard = parts.guard();
    if (guard != null) {
      Refusal refusal = guard.judge(errand);
      if (refusal != null) {
        turnAway(guard, refusal);
        return;
      }
      changes = changes == null ? null : guard.changes(server.site());
    }
    switch (errand) {
      case Errand.Refuse(Refusal refusal) -> session.refuse(refusal);
      case Errand.Options _ -> {
        parts.responses().write(parts.responses().answers().options(session.requestToAnswer()));
        session.endResponse();
      }
      case Errand.Show(StorePath path) ->
          new GeneratedAnswer(session, parts.responses()).begin(pages.orElseThrow(), path);
      case Errand.Read(StorePath path, RequestTarget target) ->
          parts.download().begin(path, target, site());
      case Errand.Store(StorePath path) ->
          beginBody(
              path,
              new Upload(session, server, parts.responses(), parts.decoder()),
              present(changes));
      case Errand.Patch(StorePath path) ->
          beginBody(
              path,
              new Patching(session, server, parts.responses(), parts.decoder()),
              present(changes));
      case Errand.Delete(StorePath path) -> delete(path, present(changes));
      case Errand.Resume(StorePath path, ResumableAsk ask) -> resume(path, ask, changes);
    }
  }

  /** A request about an upload that may come in several ones. */
  private void resume(StorePath path, ResumableAsk ask, @Nullable SiteChanges changes) {
    Resuming resuming = new Resuming(session, server, parts, path, ask);
    switch (ask.verb()) {
      case PUT, PATCH -> beginBody(path, resuming, present(changes));
      case GET, HEAD, DELETE, OTHER -> resuming.answer();
    }
  }

  private void delete(StorePath path, SiteChanges changes) {
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
          parts.responses().write(parts.responses().answers().deleted(asked));
          session.endResponse();
        }
        case Completion.Failed<Unit>(Failure failure) ->
            session.refuse(session.change().deleteRefused(path, failure));
      }
    }
    session.storeDone();
  }

  private Site site() {
    Guard guard = parts.guard();
    return guard == null ? server.site() : guard.site(server.site());
  }

  private static SiteChanges present(@Nullable SiteChanges changes) {
    return Invariants.present(changes, "changes");
  }

  /** The rules say no; who has tried too many credentials hears it later. */
  private void turnAway(Guard rules, Refusal refusal) {
    if (rules.hasToWait()) {
      session.go(HttpSessionState.HELD);
      server.dispatcher().schedule(FailedLogins.WAIT_NANOS, () -> session.heldLongEnough(refusal));
    } else {
      session.refuse(refusal);
    }
  }

  /** A PUT or PATCH takes one of the places of its address, or waits for it. */
  private void beginBody(StorePath path, Receiver taking, SiteChanges changes) {
    Admission.Turn upload = parts.place().upload();
    if (upload.mayBegin()) {
      upload.moved(/* inside= */ true);
      receiver = taking;
      taking.begin(path, changes);
    } else if (!upload.await()) {
      server.counters().add(HttpCount.REFUSED_REQUESTS);
      session.refuse(Refusal.TOO_MANY_REQUESTS);
    }
  }

  /** The receiver of the body under way. */
  Receiver receiver() {
    return Invariants.present(receiver, "who takes a body");
  }

  /** How much of the body has come. */
  long receivedBytes() {
    return receiver == null ? 0 : receiver.receivedBytes();
  }

  /** Whether the rest of the body has been awaited for too long. */
  boolean isLate(long nowNanos) {
    return receiver != null && receiver.isLate(nowNanos);
  }

  /** Has what takes a body give up. */
  void cancel() {
    if (receiver != null) {
      receiver.cancel();
    }
  }

  /** Gives back what is held. */
  void close() {
    parts.download().close();
    if (receiver != null) {
      receiver.close();
    }
  }
}
