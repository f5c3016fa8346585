package dev.upcall.httpd.relay;

import dev.upcall.FileInfo;
import dev.upcall.PutHandle;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;

/**
 * A file on its way into a store on another dispatcher. Bytes are copied there, out of the memory
 * of the asker, who keeps it as it is until the append has completed. The asking dispatcher's
 * thread.
 */
final class RelayedPut implements PutHandle {
  private final Relay relay;
  private final PutHandle handle;
  private long sizeBytes;

  RelayedPut(Relay relay, PutHandle handle) {
    this.relay = relay;
    this.handle = handle;
  }

  @Override
  public void append(ByteBuffer bytes, CompletionPort<Unit> port) {
    int size = bytes.remaining();
    relay.<Unit>ask(
        answer -> handle.append(bytes, answer),
        completion -> {
          if (completion instanceof Completion.Done<Unit>) {
            sizeBytes += size;
          }
          port.complete(completion);
        });
  }

  @Override
  public long sizeBytes() {
    return sizeBytes;
  }

  @Override
  public void commit(Durability durability, CompletionPort<FileInfo> port) {
    relay.ask(answer -> handle.commit(durability, answer), port);
  }

  @Override
  public void abandon() {
    relay.tell(handle::abandon);
  }
}
