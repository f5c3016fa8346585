package dev.upcall.fileman.stage;

import dev.upcall.FileManager;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.content.ContentStager;
import dev.upcall.content.LeaseOwner;
import dev.upcall.content.StagedContent;
import dev.upcall.fileman.reading.CallersBuffer;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;

/** Content that a later request will name, on its way into the store. */
record StagedSink(Asker asker, ContentStager stager) implements ContentSink.Target<StagedContent> {
  private static final LeaseOwner OWNER = new LeaseOwner("stage-write", 0);

  /** Dispatcher's thread. */
  static void begin(FileManager files, CompletionPort<ContentStager> port) {
    Failure refused = files.refusesContent().orElse(null);
    files
        .dispatcher()
        .complete(
            port,
            refused == null ? Completion.done(files.stage(OWNER)) : Completion.failed(refused));
  }

  @Override
  public CompletionStage<Void> append(ByteBuffer bytes) {
    ByteBuffer read = CallersBuffer.toRead("bytes", bytes);
    return asker.tell(port -> stager.append(read, port));
  }

  @Override
  public CompletionStage<StagedContent> finish() {
    return asker.open(stager::finish, staged -> staged, StagedContent::discard);
  }

  @Override
  public void abandon() {
    asker.giveBack(stager::discard);
  }

  @Override
  public void lost(StagedContent made) {
    asker.giveBack(made::discard);
  }
}
