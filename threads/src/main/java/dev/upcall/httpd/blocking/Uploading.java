package dev.upcall.httpd.blocking;

import dev.upcall.FileInfo;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.HttpCounters;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Answers one PUT: brings the body to the store piece by piece, and commits. What ends it early
 * leaves nothing.
 */
final class Uploading extends Receiving {
  Uploading(Conversation conversation, ServerContext server, Input input) {
    super(conversation, server, input);
  }

  @Override
  void answerInOrder(StorePath path, BlockingSite.Changes changes) throws IOException {
    switch (changes.put(path, change.putOptions())) {
      case Completion.Failed<BlockingSite.NewFile>(Failure failure) -> refuse(failure);
      case Completion.Done<BlockingSite.NewFile>(BlockingSite.NewFile file) -> receive(file);
    }
  }

  private void receive(BlockingSite.NewFile file) throws IOException {
    conversation.count(counts -> counts.add(HttpCount.UPLOADS_BEGUN));
    try (file) {
      boolean whole = receive(piece -> append(piece, file));
      if (whole) {
        commit(file);
      }
    } finally {
      conversation.count(counts -> counts.add(HttpCount.UPLOADS_ENDED));
    }
  }

  private boolean append(ByteBuffer piece, BlockingSite.NewFile file) throws IOException {
    if (file.append(piece) instanceof Completion.Failed<Unit>(Failure failure)) {
      refuse(failure);
      return false;
    }
    return true;
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
    counts.add(HttpCount.UPLOADS_COMMITTED);
    counts.add(HttpCount.BYTES_RECEIVED, made.sizeBytes());
  }

  private void refuse(Failure failure) throws IOException {
    conversation.refuse(change.putRefused(failure));
  }
}
