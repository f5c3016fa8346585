package dev.upcall.fileman.stage;

import dev.upcall.FileInfo;
import dev.upcall.PutHandle;
import dev.upcall.fileman.reading.CallersBuffer;
import dev.upcall.stage.StagePut;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/** A whole file on its way, through the door of stages. */
record DoorPut(Asker asker, PutHandle handle) implements StagePut {
  @Override
  public CompletionStage<Void> append(ByteBuffer bytes) {
    ByteBuffer read = CallersBuffer.toRead("bytes", bytes);
    return asker.tell(port -> handle.append(read, port));
  }

  @Override
  public CompletionStage<FileInfo> commit(Durability durability) {
    Objects.requireNonNull(durability, "durability");
    return asker.ask(port -> handle.commit(durability, port));
  }

  @Override
  public CompletionStage<Void> abandon() {
    return asker.run(handle::abandon);
  }

  /** As {@link #abandon}, for a caller who does not hear of it. */
  void giveUp() {
    asker.giveBack(handle::abandon);
  }
}
