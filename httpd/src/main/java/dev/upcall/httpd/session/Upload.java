package dev.upcall.httpd.session;

import dev.upcall.FileInfo;
import dev.upcall.PutHandle;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.SiteChanges;
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
final class Upload extends Receiver {
  private final CompletionPort<PutHandle> preparePort = this::prepared;
  private final CompletionPort<Unit> storePort = this::stored;
  private final CompletionPort<FileInfo> commitPort = this::committed;

  private @Nullable PutHandle handle;
  private @Nullable HttpContent piece;
  private boolean whole;

  /** Receives nothing yet. */
  Upload(
      HttpSession session,
      SessionContext server,
      ResponseWriter responses,
      RequestDecoder decoder) {
    super(session, server, responses, decoder);
  }

  @Override
  void prepare(StorePath path, SiteChanges changes) {
    session.go(HttpSessionState.PREPARING);
    changes.put(path, session.change().putOptions(), preparePort);
  }

  @Override
  void cancel() {
    if (handle != null) {
      handle.abandon();
    }
  }

  @Override
  void close() {
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

  @Override
  void take(HttpContent next) {
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

  private void releasePiece() {
    if (piece != null) {
      piece.release();
      piece = null;
    }
  }
}
