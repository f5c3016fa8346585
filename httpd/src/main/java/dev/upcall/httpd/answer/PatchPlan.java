package dev.upcall.httpd.answer;

import dev.upcall.FileCondition;
import dev.upcall.FileInfo;
import dev.upcall.FileVersion;
import dev.upcall.StorePath;
import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.Status;
import dev.upcall.httpd.message.ChangeRequest;
import dev.upcall.httpd.message.PatchBody;
import dev.upcall.httpd.message.PatchEdit;
import dev.upcall.httpd.message.PatchType;
import dev.upcall.request.FileRequest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A PATCH on its way from a body to requests of the store, whoever serves it: what was found, the
 * body as far as it has come, and what follows. One thread at a time.
 */
public final class PatchPlan {
  private final StorePath path;
  private final ChangeRequest change;
  private @Nullable FileInfo file;
  private byte[] body;
  private int length;
  private @Nullable PatchBody reading;

  /** What is to be done. */
  public sealed interface Next {
    /** Have the store do this, as one. */
    record Do(List<FileRequest.Splice> requests) implements Next {}

    /** Say why not. */
    record Refuse(Refusal refusal) implements Next {}
  }

  /** Nothing was found, and nothing has come. */
  public PatchPlan(StorePath path, ChangeRequest change) {
    this.path = path;
    this.change = change;
    this.body = new byte[(int) Math.max(0, Math.min(change.sizeBytes(), 64 << 10))];
  }

  /** How much memory the body may take; where its length is not known before, the most. */
  public int heldBytes() {
    return change.sizeBytes() < 0 ? HttpConfig.MAX_PATCH_BYTES : (int) change.sizeBytes();
  }

  /** Takes what is there; why it cannot be patched, or null. */
  public @Nullable Refusal found(Completion<FileInfo> looked) {
    return switch (looked) {
      case Completion.Failed<FileInfo>(Failure failure) -> refused(failure);
      case Completion.Done<FileInfo>(FileInfo info) -> {
        if (!info.isFile()) {
          yield new Refusal(
              Status.CONFLICT,
              "%s is a %s, and PATCH changes files"
                  .formatted(path, info.isSymbolicLink() ? "symbolic link" : info.kindName()));
        }
        file = info;
        FileCondition condition = change.condition();
        List<FileVersion> wanted = condition.anyOf().orElseThrow(); // If-Match, which each has
        boolean holds =
            wanted.contains(info.fileVersion()) && !condition.noneOf().contains(info.fileVersion());
        yield holds ? null : Refusal.OTHER_VERSION;
      }
    };
  }

  /** Keeps more of the body. */
  public void take(ByteBuffer more) {
    int count = more.remaining();
    if (count > body.length - length) {
      body = Arrays.copyOf(body, Math.max(length + count, 2 * body.length));
    }
    more.get(body, length, count);
    length += count;
  }

  /**
   * Reads a bounded piece of the body, which has come whole; what follows from it, or null when
   * there is more to be read. What was read is not kept any longer.
   */
  public @Nullable Next readPiece() {
    PatchBody present = reading;
    if (present == null) {
      PatchType type = Invariants.present(change.patch(), "type of a patch");
      present = new PatchBody(type, body, length);
      reading = present;
      body = new byte[0];
      length = 0;
    }
    Completion<List<PatchEdit>> read = present.readPiece();
    return read == null ? null : next(read);
  }

  private Next next(Completion<List<PatchEdit>> read) {
    reading = null;
    FileInfo present = Invariants.present(file, "the file that was found");
    return switch (read) {
      case Completion.Failed<List<PatchEdit>>(Failure wrong) ->
          new Next.Refuse(Refusal.of(Status.BAD_REQUEST, wrong));
      case Completion.Done<List<PatchEdit>>(List<PatchEdit> edits) ->
          switch (Refused.catching(() -> requests(edits, present))) {
            case Completion.Failed<List<FileRequest.Splice>>(Failure wrong) ->
                new Next.Refuse(refused(wrong));
            case Completion.Done<List<FileRequest.Splice>>(List<FileRequest.Splice> requests) ->
                new Next.Do(requests);
          };
    };
  }

  /** What each does to the file as the ones before it leave that. */
  private List<FileRequest.Splice> requests(List<PatchEdit> edits, FileInfo present) {
    List<FileRequest.Splice> requests = new ArrayList<>(edits.size());
    FileCondition condition = FileCondition.only(present.fileVersion());
    long size = present.sizeBytes();
    for (PatchEdit edit : edits) {
      FileRequest.Splice splice =
          switch (edit) {
            case PatchEdit.Append(byte[] bytes) ->
                new FileRequest.Splice(path, size, 0, bytes, condition);
            case PatchEdit.Overwrite(long offset, byte[] bytes) ->
                new FileRequest.Splice(
                    path,
                    checked(offset, size),
                    Math.min(bytes.length, size - offset),
                    bytes,
                    condition);
            case PatchEdit.Splice(long offset, long removed, byte[] bytes) ->
                new FileRequest.Splice(path, offset, removed, bytes, condition);
          };
      requests.add(splice);
      size += splice.bytes().length - splice.removed();
      // The ones behind find what this has made, and all happen as one.
      condition = FileCondition.NONE;
    }
    return requests;
  }

  private long checked(long offset, long sizeBytes) {
    if (offset > sizeBytes) {
      throw new Refused(
          new Failure.Invalid(
              "byte %d lies behind the end of %s, which has %d"
                  .formatted(offset, path, sizeBytes)));
    }
    return offset;
  }

  /** What to say when the store refuses. */
  public Refusal refused(Failure failure) {
    return Refusal.of(
        switch (failure) {
          case Failure.Invalid _ -> Status.UNPROCESSABLE_CONTENT;
          case Failure.NotFound _ -> Status.PRECONDITION_FAILED;
          default -> Status.of(failure);
        },
        failure);
  }
}
