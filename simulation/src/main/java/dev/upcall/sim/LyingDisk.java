package dev.upcall.sim;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.ForwardingDisk;
import dev.upcall.io.IoClass;
import java.util.Set;

/** A disk that says it has synced, and has not: as a store would be that forgets to. */
public final class LyingDisk extends ForwardingDisk {
  private static final long SOON_NANOS = 20_000;

  private final SimWorld world;
  private final Set<IoClass> forgottenSyncs;
  private final boolean forgetsDurableWrites;

  public LyingDisk(SimWorld world, Set<IoClass> forgottenSyncs, boolean forgetsDurableWrites) {
    super(world.disk());
    this.world = world;
    this.forgottenSyncs = forgottenSyncs;
    this.forgetsDurableWrites = forgetsDurableWrites;
  }

  @Override
  public void submit(DiskRequest request) {
    switch (request) {
      case DiskRequest.Sync sync when forgottenSyncs.contains(sync.ioClass()) -> {
        CompletionPort<Unit> port = sync.port();
        world.reactor().after(SOON_NANOS, () -> port.complete(Completion.done()));
      }
      case DiskRequest.DurableWrite write when forgetsDurableWrites ->
          pass(new DiskRequest.Write(write.block(), write.from(), write.ioClass(), write.port()));
      default -> pass(request);
    }
  }
}
