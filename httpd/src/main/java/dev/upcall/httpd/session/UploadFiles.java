package dev.upcall.httpd.session;

import dev.upcall.FileCondition;
import dev.upcall.FileInfo;
import dev.upcall.PutHandle;
import dev.upcall.StorePath;
import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.httpd.SiteChanges;
import dev.upcall.httpd.answer.UploadPlan;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files of an upload in the store: its own, and that of the piece which comes. Work that a
 * session begins here and does not wait for goes on behind its end, and the server stays for it.
 * Dispatcher's thread only.
 */
final class UploadFiles {
  /** After which so much as has come is appended. */
  private static final long PIECE_NANOS = 5_000_000_000L;

  /** After which a file is deleted once more where the store was busy. */
  private static final long AGAIN_NANOS = 1_000_000_000L;

  private final SessionContext server;
  private final SiteChanges changes;
  private final UploadPlan plan;
  private final int pieceBytes;
  private @Nullable PutHandle piece;
  private long begunNanos;

  /**
   * Does nothing yet.
   *
   * @param changes of the whole site: the rules know no paths of uploads
   */
  UploadFiles(SessionContext server, SiteChanges changes, UploadPlan plan) {
    this.server = server;
    this.changes = changes;
    this.plan = plan;
    this.pieceBytes = server.config().policy().resumable().orElseThrow().pieceBytes();
  }

  /** Begins a piece. */
  void beginPiece(CompletionPort<PutHandle> port) {
    changes.put(
        plan.piecePath(),
        plan.pieceOptions(),
        begun -> {
          if (plan.storesPlainly(begun)) {
            beginPiece(port);
            return;
          }
          if (begun instanceof Completion.Done<PutHandle>(PutHandle handle)) {
            piece = handle;
            begunNanos = monotonicNanos();
          }
          port.complete(begun);
        });
  }

  /** The piece that comes. */
  PutHandle piece() {
    return Invariants.present(piece, "a piece that comes");
  }

  /** Large pieces are fewer commits; they are smaller where a client is slow. */
  boolean isPieceWhole() {
    return piece().sizeBytes() >= pieceBytes || monotonicNanos() - begunNanos >= PIECE_NANOS;
  }

  private long monotonicNanos() {
    return server.dispatcher().clock().monotonicNanos();
  }

  /** Gives the piece up. */
  void abandonPiece() {
    if (piece != null) {
      piece.abandon();
      piece = null;
    }
  }

  /** Makes the piece a part of the upload, which must be what it was when the piece was begun. */
  void join(Durability durability, CompletionPort<FileInfo> port) {
    PutHandle full = piece();
    piece = null;
    List<FileRequest> joining = plan.joining(full.sizeBytes());
    StorePath path = plan.piecePath();
    full.commit(
        Durability.ASYNC,
        CompletionPort.of(
            _ -> changes.batch(joining, durability, done -> joined(path, done, port)),
            failure -> port.complete(Completion.failed(failure))));
  }

  private void joined(StorePath path, Completion<FileInfo> done, CompletionPort<FileInfo> port) {
    if (done instanceof Completion.Failed<FileInfo>) {
      delete(path, FileCondition.NONE, () -> port.complete(done));
    } else {
      port.complete(done);
    }
  }

  /** Ends a body in the middle: what has come of the piece is where its client can go on. */
  void leave() {
    if (piece != null && piece.sizeBytes() > 0) {
      server.owner().workBegins();
      join(Durability.ASYNC, _ -> server.owner().workEnds());
    }
    abandonPiece();
  }

  /** Deletes the upload if a condition holds; else it expires. */
  void discard(FileCondition condition) {
    server.owner().workBegins();
    delete(plan.path(), condition, server.owner()::workEnds);
  }

  /** Deletes a file if the store takes that now or a little later; else it expires. */
  private void delete(StorePath path, FileCondition condition, Runnable then) {
    changes.delete(
        path,
        condition,
        done -> {
          if (done instanceof Completion.Failed<Unit>(Failure.Busy _)) {
            server
                .dispatcher()
                .schedule(AGAIN_NANOS, () -> changes.delete(path, condition, _ -> then.run()));
          } else {
            then.run();
          }
        });
  }
}
