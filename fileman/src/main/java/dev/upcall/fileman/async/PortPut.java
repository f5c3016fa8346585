package dev.upcall.fileman.async;

import dev.upcall.AsyncChanges;
import dev.upcall.FileInfo;
import dev.upcall.PutHandle;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fileman.reading.CallersBuffer;
import dev.upcall.fileman.reading.PortWay;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.util.Objects;

/** A whole file on its way, through a door. */
record PortPut(PortWay way, PutHandle handle) implements AsyncChanges.Put {
  @Override
  public void append(ByteBuffer bytes, CompletionPort<Unit> port) {
    ByteBuffer read = CallersBuffer.toRead("bytes", bytes);
    way.request(inner -> handle.append(read, inner), port);
  }

  @Override
  public void commit(Durability durability, CompletionPort<FileInfo> port) {
    Objects.requireNonNull(durability, "durability");
    way.request(inner -> handle.commit(durability, inner), port);
  }

  @Override
  public void abandon(CompletionPort<Unit> port) {
    way.request(
        inner -> {
          handle.abandon();
          inner.complete(Completion.done());
        },
        port);
  }
}
