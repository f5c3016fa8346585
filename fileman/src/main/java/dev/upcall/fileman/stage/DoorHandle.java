package dev.upcall.fileman.stage;

import dev.upcall.FileHandle;
import dev.upcall.FileInfo;
import dev.upcall.completion.Completion;
import dev.upcall.fileman.reading.CallersBuffer;
import dev.upcall.stage.StageHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;

/** A file opened for reading and writing ranges, through the door of stages. */
record DoorHandle(Asker asker, FileHandle handle) implements StageHandle {
  @Override
  public CompletionStage<FileInfo> info() {
    return asker.ask(
        port -> asker.door().dispatcher().complete(port, Completion.done(handle.info())));
  }

  @Override
  public CompletionStage<Long> sizeBytes() {
    return asker.ask(
        port -> asker.door().dispatcher().complete(port, Completion.done(handle.sizeBytes())));
  }

  @Override
  public CompletionStage<Integer> read(long offset, ByteBuffer into) {
    return DoorContent.piece(asker, handle::read, offset, into);
  }

  @Override
  public CompletionStage<Void> write(long offset, ByteBuffer from) {
    ByteBuffer bytes = CallersBuffer.toRead("from", from);
    return asker.tell(port -> handle.write(offset, bytes, port));
  }

  @Override
  public CompletionStage<Void> append(ByteBuffer from) {
    ByteBuffer bytes = CallersBuffer.toRead("from", from);
    return asker.tell(port -> handle.append(bytes, port));
  }

  @Override
  public CompletionStage<Void> truncate(long sizeBytes) {
    return asker.tell(port -> handle.truncate(sizeBytes, port));
  }

  @Override
  public CompletionStage<Void> splice(long offset, long removed, ByteBuffer from) {
    ByteBuffer bytes = CallersBuffer.toRead("from", from);
    return asker.tell(port -> handle.splice(offset, removed, bytes, port));
  }

  @Override
  public CompletionStage<Void> gather(long offset, long lengthBytes) {
    return asker.tell(port -> handle.gather(offset, lengthBytes, port));
  }

  @Override
  public CompletionStage<Void> flush() {
    return asker.tell(handle::flush);
  }

  @Override
  public CompletionStage<Void> abandon() {
    return asker.run(handle::abandon);
  }

  @Override
  public CompletionStage<Void> close() {
    return asker.tell(handle::close);
  }
}
