package dev.upcall.buffer;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.content.LeaseOwner;
import dev.upcall.space.Extent;
import org.jspecify.annotations.Nullable;

/** A request for a fresh frame that had to wait. */
final class AllocateRequest implements MemoryWaiter {
  private final BufferManager manager;
  private final int blocks;
  private final LeaseOwner owner;
  private final CompletionPort<Lease> port;
  private final @Nullable Throwable origin;
  private final long asker;

  AllocateRequest(BufferManager manager, int blocks, LeaseOwner owner, CompletionPort<Lease> port) {
    this.manager = manager;
    this.blocks = blocks;
    this.owner = owner;
    this.port = port;
    this.origin = manager.origin();
    this.asker = manager.dispatcher().recorder().current();
  }

  @Override
  public long asker() {
    return asker;
  }

  @Override
  public boolean serve() {
    Lease lease = manager.claimPrivate(blocks, owner, origin);
    if (lease == null) {
      return false;
    }
    manager.dispatcher().complete(port, Completion.done(lease));
    return true;
  }

  @Override
  public void forgotten(Extent extent) {}

  @Override
  public void refuse(Failure why) {
    manager.dispatcher().complete(port, Completion.failed(why));
  }
}
