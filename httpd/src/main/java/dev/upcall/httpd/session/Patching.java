package dev.upcall.httpd.session;

import dev.upcall.FileInfo;
import dev.upcall.StorePath;
import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.SiteChanges;
import dev.upcall.httpd.answer.PatchPlan;
import dev.upcall.httpd.message.BodyCheck;
import dev.upcall.httpd.message.ChangeRequest;
import dev.upcall.httpd.message.RequestDecoder;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import org.jspecify.annotations.Nullable;

/**
 * The part of a session that answers PATCH: looks at the file, takes the body into memory, which
 * counts as a response's bytes do, and has the store do all that it says as one change under the
 * condition that the file is what was looked at. Dispatcher's thread only.
 */
final class Patching implements Receiver {
  private final HttpSession session;
  private final SessionContext server;
  private final ResponseWriter responses;
  private final RequestDecoder decoder;
  private final BodyCheck body;
  private @Nullable PatchPlan plan;
  private @Nullable SiteChanges changes;
  private long heldBytes;

  /** Receives nothing yet. */
  Patching(
      HttpSession session,
      SessionContext server,
      ResponseWriter responses,
      RequestDecoder decoder) {
    this.session = session;
    this.server = server;
    this.responses = responses;
    this.decoder = decoder;
    this.body = new BodyCheck(server.config());
  }

  @Override
  public void begin(StorePath path, SiteChanges site) {
    ChangeRequest change = session.change();
    Refusal refusal = body.begin(change);
    if (refusal != null) {
      server.counters().body(refusal);
      session.refuse(refusal);
    } else if (!server.budget().hasRoom()) {
      server.counters().add(HttpCount.REFUSED_REQUESTS);
      session.refuse(Refusal.TOO_MANY_REQUESTS);
    } else {
      PatchPlan begun = new PatchPlan(path, change);
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

  private void accept() {
    body.awaited(now());
    if (session.change().expectsContinue() && !decoder.hasInput()) {
      responses.write(responses.answers().proceed());
    }
    session.go(HttpSessionState.RECEIVING);
    receive();
  }

  @Override
  public void receive() {
    while (session.state() == HttpSessionState.RECEIVING) {
      HttpContent next = decoder.body();
      if (next == null) {
        if (session.hasInputEnded()) {
          session.refuseRest(Refusal.CUT_BODY);
        }
        return;
      }
      try {
        take(next);
      } finally {
        next.release();
      }
    }
  }

  private void take(HttpContent next) {
    Refusal wrong = body.take(next, now());
    if (wrong != null) {
      server.counters().body(wrong);
      session.refuseRest(wrong);
      return;
    }
    present(plan).take(next.content().nioBuffer());
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
  public long receivedBytes() {
    return body.receivedBytes();
  }

  @Override
  public boolean isLate(long nowNanos) {
    return body.isLate(nowNanos);
  }

  @Override
  public void cancel() {
    // Nothing is on its way into the store before all of it is.
  }

  @Override
  public void close() {
    server.budget().give(heldBytes);
    heldBytes = 0;
    plan = null;
    changes = null;
  }

  private long now() {
    return server.dispatcher().clock().monotonicNanos();
  }

  private static <T> T present(@Nullable T value) {
    return Invariants.present(value, "patch under way");
  }
}
