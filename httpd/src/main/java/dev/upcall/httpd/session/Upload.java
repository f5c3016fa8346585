package dev.upcall.httpd.session;

import dev.upcall.FileInfo;
import dev.upcall.PutHandle;
import dev.upcall.StorePath;
import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.SiteChanges;
import dev.upcall.httpd.message.BodyCheck;
import dev.upcall.httpd.message.ChangeRequest;
import dev.upcall.httpd.message.RequestDecoder;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import org.jspecify.annotations.Nullable;

/**
 * The part of a session that answers PUT: has the store open a new file that nobody sees, brings
 * the body to it piece by piece, and commits. One piece is on its way at a time; while the store
 * does not want the next one, the connection is not read, so that a slow disk costs a bounded
 * number of bytes. Whatever ends the upload early leaves nothing of it. It asks the store and
 * receives its completions; the state is the session's. Dispatcher's thread only.
 */
final class Upload implements Receiver {
  private final HttpSession session;
  private final SessionContext server;
  private final ResponseWriter responses;
  private final RequestDecoder decoder;
  private final CompletionPort<PutHandle> preparePort = this::prepared;
  private final CompletionPort<Unit> storePort = this::stored;
  private final CompletionPort<FileInfo> commitPort = this::committed;

  private final BodyCheck body;
  private @Nullable PutHandle handle;
  private @Nullable HttpContent piece;
  private boolean whole;

  /** Receives nothing yet. */
  Upload(
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
  public void begin(StorePath path, SiteChanges changes) {
    ChangeRequest change = session.change();
    Refusal refusal = body.begin(change);
    if (refusal != null) {
      server.counters().body(refusal);
      session.refuse(refusal);
      return;
    }
    session.go(HttpSessionState.PREPARING);
    changes.put(path, change.putOptions(), preparePort);
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
      take(next);
    }
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
    if (handle != null) {
      handle.abandon();
    }
  }

  @Override
  public void close() {
    releasePiece();
    if (handle != null) {
      handle.abandon();
      handle = null;
      server.counters().add(HttpCount.UPLOADS_ENDED);
    }
  }

  private void prepared(Completion<PutHandle> completion) {
    boolean wanted = session.state() == HttpSessionState.PREPARING;
    switch (completion) {
      case Completion.Done<PutHandle>(PutHandle opened) -> {
        server.counters().add(HttpCount.UPLOADS_BEGUN);
        handle = opened;
        if (wanted) {
          accept();
        }
      }
      case Completion.Failed<PutHandle>(Failure failure) -> {
        if (wanted) {
          session.refuse(session.change().putRefused(failure));
        }
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

  private void take(HttpContent next) {
    Refusal wrong = body.take(next, now());
    if (wrong != null) {
      server.counters().body(wrong);
      next.release();
      session.refuseRest(wrong);
      return;
    }
    whole = next instanceof LastHttpContent;
    if (next.content().isReadable()) {
      piece = next;
      session.go(HttpSessionState.STORING);
      present(handle).append(next.content().nioBuffer(), storePort);
    } else {
      next.release();
      if (whole) {
        commit();
      }
    }
  }

  private void stored(Completion<Unit> completion) {
    releasePiece();
    if (session.state() == HttpSessionState.STORING) {
      switch (completion) {
        case Completion.Done<Unit> done -> {
          if (whole) {
            commit();
          } else {
            session.go(HttpSessionState.RECEIVING);
            receive();
          }
        }
        case Completion.Failed<Unit>(Failure failure) ->
            session.refuse(session.change().putRefused(failure));
      }
    }
    session.storeDone();
  }

  private void commit() {
    session.go(HttpSessionState.COMMITTING);
    present(handle).commit(commitPort);
  }

  private void committed(Completion<FileInfo> completion) {
    boolean wanted = session.state() == HttpSessionState.COMMITTING;
    switch (completion) {
      case Completion.Done<FileInfo>(FileInfo file) -> {
        server.counters().add(HttpCount.UPLOADS_COMMITTED);
        server.counters().add(HttpCount.BYTES_RECEIVED, file.sizeBytes());
        if (wanted) {
          responses.write(responses.answers().stored(file, session.requestToAnswer()));
          session.endResponse();
        }
      }
      case Completion.Failed<FileInfo>(Failure failure) -> {
        if (wanted) {
          session.refuse(session.change().putRefused(failure));
        }
      }
    }
    session.storeDone();
  }

  private long now() {
    return server.dispatcher().clock().monotonicNanos();
  }

  private void releasePiece() {
    if (piece != null) {
      piece.release();
      piece = null;
    }
  }

  private static <T> T present(@Nullable T value) {
    return Invariants.present(value, "upload under way");
  }
}
