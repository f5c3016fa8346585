package dev.upcall.fileman.machine;

import dev.upcall.BatchResult;
import dev.upcall.FileContent;
import dev.upcall.FileInfo;
import dev.upcall.FileOperation;
import dev.upcall.PutHandle;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentStager;
import dev.upcall.content.Loan;
import dev.upcall.content.StagedContent;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A whole file on its way into the store. */
public final class StorePutHandle extends StateMachine<PutState> implements PutHandle {
  public static final Transitions<PutState> TRANSITIONS =
      Transitions.of("Put", PutState.class, PutState.COLLECTING)
          .on("commit", PutState.COLLECTING, PutState.FINISHING)
          .on("content is staged", PutState.FINISHING, PutState.COMMITTING)
          .on("staging failed", PutState.FINISHING, PutState.OVER)
          .on("acknowledged or refused", PutState.COMMITTING, PutState.OVER)
          .on("abandon", PutState.COLLECTING, PutState.OVER)
          .build();

  private final Entrance entrance;
  private final FileRequest.Put request;
  private final ContentStager stager;
  private final Committer committer;
  private final Runnable over;

  /** How a put gets committed. */
  interface Committer {
    void commit(
        List<FileRequest> requests, Durability durability, CompletionPort<BatchResult> port);
  }

  /**
   * Begins.
   *
   * @param request what will be committed, but for the content
   * @param over run once when the handle has ended
   */
  StorePutHandle(
      Entrance entrance,
      FileRequest.Put request,
      ContentStager stager,
      Committer committer,
      Runnable over) {
    super(TRANSITIONS, entrance.dispatcher());
    this.entrance = entrance;
    this.request = request;
    this.stager = stager;
    this.committer = committer;
    this.over = over;
  }

  @Override
  public void append(ByteBuffer bytes, CompletionPort<Unit> port) {
    Objects.requireNonNull(bytes, "bytes");
    CompletionPort<Unit> inside = enter(FileOperation.PUT_APPEND, port);
    if (inside != null) {
      entrance.inputs().append(machineNumber(), bytes);
      stager.append(bytes, inside);
    }
  }

  /** A recording holds all that one request appends, so a recorded request lends nothing. */
  @Override
  public void append(ByteBuffer bytes, Loan loan, CompletionPort<Unit> port) {
    Objects.requireNonNull(bytes, "bytes");
    Objects.requireNonNull(loan, "loan");
    if (entrance.inputs().isOn()) {
      append(bytes, port);
      return;
    }
    CompletionPort<Unit> inside = enter(FileOperation.PUT_APPEND, port);
    if (inside != null) {
      stager.append(bytes, loan, inside);
    }
  }

  @Override
  public long sizeBytes() {
    return stager.sizeBytes();
  }

  @Override
  public void commit(Durability durability, CompletionPort<FileInfo> port) {
    Objects.requireNonNull(durability, "durability");
    CompletionPort<FileInfo> inside = enter(FileOperation.PUT_COMMIT, port);
    if (inside == null) {
      if (!entrance.dispatcher().hasEnded()) {
        abandon(); // this has failed, and leaves nothing behind
      }
      return;
    }
    entrance.inputs().commit(machineNumber(), durability);
    become(PutState.FINISHING);
    stager.finish(
        completion -> {
          switch (completion) {
            case Completion.Failed<StagedContent> failed -> {
              stager.discard();
              end();
              inside.complete(failed.cast());
            }
            case Completion.Done<StagedContent>(StagedContent content) ->
                commit(content, durability, inside);
          }
        });
  }

  @Override
  public void abandon() {
    if (state() == PutState.COLLECTING) {
      entrance.inputs().abandon(machineNumber());
      stager.discard();
      end();
    }
  }

  private void commit(StagedContent content, Durability durability, CompletionPort<FileInfo> port) {
    become(PutState.COMMITTING);
    FileRequest complete =
        new FileRequest.Put(request.path(), new FileContent.Staged(content), request.options());
    committer.commit(
        List.of(complete),
        durability,
        completion -> {
          end();
          switch (completion) {
            case Completion.Failed<BatchResult> failed -> port.complete(failed.cast());
            case Completion.Done<BatchResult>(BatchResult result) ->
                port.complete(Completion.done(result.only()));
          }
        });
  }

  private void end() {
    become(PutState.OVER);
    over.run();
  }

  private <T> @Nullable CompletionPort<T> enter(FileOperation operation, CompletionPort<T> port) {
    Objects.requireNonNull(port, "port");
    if (state() != PutState.COLLECTING) {
      entrance.refuse(port, "the put of " + request.path());
      return null;
    }
    return entrance.enter(operation, port);
  }
}
