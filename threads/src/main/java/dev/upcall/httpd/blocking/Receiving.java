package dev.upcall.httpd.blocking;

import dev.upcall.StorePath;
import dev.upcall.base.Invariants;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.message.BodyCheck;
import dev.upcall.httpd.message.ChangeRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Answers a request with a body, which it brings piece by piece, as long as it may go on. */
abstract class Receiving {
  private enum Step {
    GO_ON,
    WHOLE,
    REFUSED
  }

  final Conversation conversation;
  final ServerContext server;
  final ChangeRequest change;
  private final Input input;
  private final BodyCheck body;

  /** Who takes the pieces. */
  interface Taker {
    /** Takes one; false if it has refused the rest, and has said so. */
    boolean take(ByteBuffer piece) throws IOException;
  }

  Receiving(Conversation conversation, ServerContext server, Input input) {
    this.conversation = conversation;
    this.server = server;
    this.input = input;
    this.body = new BodyCheck(server.config());
    this.change = Invariants.present(conversation.request().change(), "change under way");
  }

  /** Changes a file, or refuses. */
  final void answer(StorePath path, BlockingSite.Changes changes) throws IOException {
    Refusal refusal = body.begin(change);
    if (refusal == null) {
      answerInOrder(path, changes);
    } else {
      conversation.count(counts -> counts.body(refusal));
      conversation.refuse(refusal);
    }
  }

  /** The same of a request whose head is in order. */
  abstract void answerInOrder(StorePath path, BlockingSite.Changes changes) throws IOException;

  /** Whether all of it was taken; if not, the client was told why. */
  final boolean receive(Taker taker) throws IOException {
    body.awaited(now());
    if (change.expectsContinue() && !input.hasMore()) {
      conversation.send(conversation.answers().proceed());
    }
    Step step = Step.GO_ON;
    while (step == Step.GO_ON) {
      HttpContent piece = input.body();
      step = piece == null ? awaitMore() : take(piece, taker);
    }
    return step == Step.WHOLE;
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

  private Step take(HttpContent piece, Taker taker) throws IOException {
    try {
      Refusal wrong = body.take(piece, now());
      if (wrong != null) {
        return refuseRest(wrong);
      }
      if (piece.content().isReadable() && !taker.take(piece.content().nioBuffer())) {
        return Step.REFUSED;
      }
      return piece instanceof LastHttpContent ? Step.WHOLE : Step.GO_ON;
    } finally {
      piece.release();
    }
  }

  private Step refuseRest(Refusal wrong) throws IOException {
    conversation.count(counts -> counts.body(wrong));
    conversation.refuseRest(wrong);
    return Step.REFUSED;
  }

  private long now() {
    return server.clock().monotonicNanos();
  }
}
