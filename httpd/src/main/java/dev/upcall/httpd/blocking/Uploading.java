package dev.upcall.httpd.blocking;

import dev.upcall.FileInfo;
import dev.upcall.StorePath;
import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.httpd.HttpCounters;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.message.BodyCheck;
import dev.upcall.httpd.message.ChangeRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.IOException;

/**
 * Answers one PUT: brings the body to the store piece by piece, and commits. What ends it early
 * leaves nothing.
 */
final class Uploading {
  private enum Step {
    GO_ON,
    COMMIT,
    REFUSED
  }

  private final Conversation conversation;
  private final ServerContext server;
  private final Input input;
  private final BodyCheck body;
  private final ChangeRequest change;

  Uploading(Conversation conversation, ServerContext server, Input input) {
    this.conversation = conversation;
    this.server = server;
    this.input = input;
    this.body = new BodyCheck(server.config());
    this.change = Invariants.present(conversation.request().change(), "change under way");
  }

  /** Takes a file. */
  void answer(StorePath path, BlockingSite.Changes changes) throws IOException {
    Refusal refusal = body.begin(change);
    if (refusal != null) {
      conversation.count(counts -> counts.body(refusal));
      conversation.refuse(refusal);
      return;
    }
    switch (changes.put(path, change.putOptions())) {
      case Completion.Failed<BlockingSite.NewFile>(Failure failure) -> refuse(failure);
      case Completion.Done<BlockingSite.NewFile>(BlockingSite.NewFile file) -> receive(file);
    }
  }

  private void receive(BlockingSite.NewFile file) throws IOException {
    conversation.count(counts -> counts.uploadsBegun++);
    try (file) {
      body.awaited(now());
      if (change.expectsContinue() && !input.hasMore()) {
        conversation.send(conversation.answers().proceed());
      }
      Step step = Step.GO_ON;
      while (step == Step.GO_ON) {
        HttpContent piece = input.body();
        step = piece == null ? awaitMore() : take(piece, file);
      }
      if (step == Step.COMMIT) {
        commit(file);
      }
    } finally {
      conversation.count(counts -> counts.uploadsEnded++);
    }
  }

  private Step awaitMore() throws IOException {
    if (input.hasEnded()) {
      conversation.refuseRest(Refusal.CUT_BODY);
      return Step.REFUSED;
    }
    long idleNanos = now() + server.config().timeouts().receiving().bodyIdleNanos();
    long deadlineNanos = idleNanos - body.deadlineNanos() < 0 ? idleNanos : body.deadlineNanos();
    if (input.awaitBody(deadlineNanos) == Input.Outcome.LATE) {
      return refuseRest(Refusal.LATE_BODY);
    }
    return Step.GO_ON;
  }

  private Step take(HttpContent piece, BlockingSite.NewFile file) throws IOException {
    try {
      Refusal wrong = body.take(piece, now());
      if (wrong != null) {
        return refuseRest(wrong);
      }
      if (piece.content().isReadable()
          && file.append(piece.content().nioBuffer())
              instanceof Completion.Failed<Unit>(Failure failure)) {
        refuse(failure);
        return Step.REFUSED;
      }
      return piece instanceof LastHttpContent ? Step.COMMIT : Step.GO_ON;
    } finally {
      piece.release();
    }
  }

  private void commit(BlockingSite.NewFile file) throws IOException {
    switch (file.commit()) {
      case Completion.Failed<FileInfo>(Failure failure) -> refuse(failure);
      case Completion.Done<FileInfo>(FileInfo made) -> {
        conversation.count(counts -> committed(counts, made));
        conversation.send(conversation.answers().stored(made, conversation.requestToAnswer()));
      }
    }
  }

  private static void committed(HttpCounters counts, FileInfo made) {
    counts.uploadsCommitted++;
    counts.bytesReceived += made.sizeBytes();
  }

  private Step refuseRest(Refusal wrong) throws IOException {
    conversation.count(counts -> counts.body(wrong));
    conversation.refuseRest(wrong);
    return Step.REFUSED;
  }

  private void refuse(Failure failure) throws IOException {
    conversation.refuse(change.putRefused(failure));
  }

  private long now() {
    return server.clock().monotonicNanos();
  }
}
