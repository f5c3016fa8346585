package dev.upcall.httpd.session;

import dev.upcall.FileInfo;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.SiteChanges;
import dev.upcall.httpd.answer.PatchPlan;
import dev.upcall.httpd.message.RequestDecoder;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import org.jspecify.annotations.Nullable;

/**
 * The part of a session that answers PATCH: looks at the file, takes the body into memory, which
 * counts as a response's bytes do, and has the store do all that it says as one change under the
 * condition that the file is what was looked at. Dispatcher's thread only.
 */
final class Patching extends Receiver {
  private @Nullable PatchPlan plan;
  private @Nullable SiteChanges changes;
  private long heldBytes;

  /** Receives nothing yet. */
  Patching(
      HttpSession session,
      SessionContext server,
      ResponseWriter responses,
      RequestDecoder decoder) {
    super(session, server, responses, decoder);
  }

  @Override
  void prepare(StorePath path, SiteChanges site) {
    if (!server.budget().hasRoom()) {
      server.counters().add(HttpCount.REFUSED_REQUESTS);
      session.refuse(Refusal.TOO_MANY_REQUESTS);
    } else {
      PatchPlan begun = new PatchPlan(path, session.change());
      heldBytes = begun.heldBytes();
      server.budget().take(heldBytes);
      plan = begun;
      changes = site;
      session.go(HttpSessionState.PREPARING);
      site.look(path, this::looked);
    }
  }

  private void looked(Completion<FileInfo> found) {
    if (session.state() == HttpSessionState.PREPARING) {
      Refusal refusal = present(plan).found(found);
      if (refusal != null) {
        session.refuse(refusal);
      } else {
        accept();
      }
    }
    session.storeDone();
  }

  @Override
  void take(HttpContent next) {
    try {
      present(plan).take(next.content().nioBuffer());
    } finally {
      next.release();
    }
    if (next instanceof LastHttpContent) {
      session.go(HttpSessionState.COMMITTING);
      // In an upcall of its own, as an answer of the store comes.
      server.dispatcher().post(this::commit);
    }
  }

  /** Reads a piece of the body in each turn, then has the store do what it says. */
  private void commit() {
    if (session.state() == HttpSessionState.COMMITTING) {
      switch (present(plan).readPiece()) {
        case null -> {
          server.dispatcher().schedule(0, this::commit);
          return;
        }
        case PatchPlan.Next.Do(var requests) -> {
          present(changes).edit(requests, this::committed);
          return;
        }
        case PatchPlan.Next.Refuse(Refusal refusal) -> session.refuse(refusal);
      }
    }
    session.storeDone();
  }

  private void committed(Completion<FileInfo> completion) {
    boolean wanted = session.state() == HttpSessionState.COMMITTING;
    switch (completion) {
      case Completion.Done<FileInfo>(FileInfo file) when wanted -> {
        responses.write(responses.answers().stored(file, session.requestToAnswer()));
        session.endResponse();
      }
      case Completion.Failed<FileInfo>(Failure failure) when wanted ->
          session.refuse(present(plan).refused(failure));
      case Completion.Done<FileInfo> _, Completion.Failed<FileInfo> _ -> {
        // Nobody waits for it any more.
      }
    }
    session.storeDone();
  }

  @Override
  void cancel() {
    // Nothing is on its way into the store before all of it is.
  }

  @Override
  void close() {
    server.budget().give(heldBytes);
    heldBytes = 0;
    plan = null;
    changes = null;
  }
}
