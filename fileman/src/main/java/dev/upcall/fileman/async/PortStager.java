package dev.upcall.fileman.async;

import dev.upcall.AsyncFiles;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentStager;
import dev.upcall.content.StagedContent;
import dev.upcall.fileman.reading.CallersBuffer;
import dev.upcall.fileman.reading.PortWay;
import java.nio.ByteBuffer;

/** Content on its way, through a door. */
record PortStager(PortWay way, ContentStager stager) implements AsyncFiles.Stager {
  @Override
  public void append(ByteBuffer bytes, CompletionPort<Unit> port) {
    ByteBuffer read = CallersBuffer.toRead("bytes", bytes);
    way.request(inner -> stager.append(read, inner), port);
  }

  @Override
  public void finish(CompletionPort<StagedContent> port) {
    way.request(stager::finish, port);
  }

  @Override
  public void abandon(CompletionPort<Unit> port) {
    way.request(
        inner -> {
          stager.discard();
          inner.complete(Completion.done());
        },
        port);
  }
}
