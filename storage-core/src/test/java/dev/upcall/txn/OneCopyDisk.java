package dev.upcall.txn;

import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Unit;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.ForwardingDisk;
import dev.upcall.sim.SimWorld;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A disk that takes tree pages once: the same pages for another place, the second copy, are only
 * said to be written, as by a store that forgets them.
 */
final class OneCopyDisk extends ForwardingDisk {
  private static final long SOON_NANOS = 20_000;

  private final SimWorld world;

  /** Pages whose second copy has not come yet. */
  private final Set<ByteBuffer> once = new LinkedHashSet<>();

  OneCopyDisk(SimWorld world) {
    super(world.disk());
    this.world = world;
  }

  @Override
  public void submit(DiskRequest request) {
    if (request instanceof DiskRequest.Write write && isSecondCopy(write.from())) {
      CompletionPort<Unit> port = write.port();
      world.reactor().after(SOON_NANOS, () -> port.complete(Completion.done()));
    } else {
      pass(request);
    }
  }

  private boolean isSecondCopy(List<ByteBuffer> from) {
    ByteBuffer pages = from.getFirst();
    if (StoreDamageTest.isTreePage(pages)) {
      if (once.remove(pages)) {
        return true;
      }
      once.add(ByteBuffer.allocate(pages.remaining()).put(pages.duplicate()).flip());
    }
    return false;
  }
}
