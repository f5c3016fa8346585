package dev.upcall.httpd.blocking;

import dev.upcall.FileInfo;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.answer.PatchPlan;
import java.io.IOException;

/** Answers one PATCH: takes the body into memory, and has the store do all of it or nothing. */
final class Patching extends Receiving {
  Patching(Conversation conversation, ServerContext server, Input input) {
    super(conversation, server, input);
  }

  @Override
  void answerInOrder(StorePath path, BlockingSite.Changes changes) throws IOException {
    PatchPlan plan = new PatchPlan(path, change);
    Refusal refusal = plan.found(changes.look(path));
    if (refusal != null) {
      conversation.refuse(refusal);
      return;
    }
    server.budget().take(plan.heldBytes());
    try {
      receive(plan, changes);
    } finally {
      server.budget().give(plan.heldBytes());
    }
  }

  private void receive(PatchPlan plan, BlockingSite.Changes changes) throws IOException {
    boolean whole =
        receive(
            piece -> {
              plan.take(piece);
              return true;
            });
    if (!whole) {
      return;
    }
    PatchPlan.Next next = plan.readPiece();
    while (next == null) {
      next = plan.readPiece();
    }
    switch (next) {
      case PatchPlan.Next.Refuse(Refusal refusal) -> conversation.refuse(refusal);
      case PatchPlan.Next.Do(var requests) -> {
        switch (changes.edit(requests)) {
          case Completion.Failed<FileInfo>(Failure failure) ->
              conversation.refuse(plan.refused(failure));
          case Completion.Done<FileInfo>(FileInfo file) ->
              conversation.send(
                  conversation.answers().stored(file, conversation.requestToAnswer()));
        }
      }
    }
  }
}
