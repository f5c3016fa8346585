package dev.upcall.sim;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.ForwardingDisk;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A disk that takes metadata of one kind once: the same for another place, the second copy, is only
 * said to be written, as by a store that forgets it.
 */
public final class OneCopyDisk extends ForwardingDisk {
  /** How a tree page begins. */
  public static final int TREE_PAGE = 0x50525455;

  /** How a block of a named snapshot's bits begins. */
  public static final int SNAPSHOT_BITS = 0x42535355;

  /** How a block of the free-space map begins. */
  public static final int MAP_CHUNK = 0x4D534655;

  private static final long SOON_NANOS = 20_000;

  private final SimWorld world;
  private final int kind;

  /** What was written and its second copy has not come yet. */
  private final Set<ByteBuffer> once = new LinkedHashSet<>();

  /** In front of a world's disk, for blocks that begin so. */
  public OneCopyDisk(SimWorld world, int kind) {
    super(world.disk());
    this.world = world;
    this.kind = kind;
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
    ByteBuffer blocks = from.getFirst();
    int begin = blocks.duplicate().order(ByteOrder.LITTLE_ENDIAN).getInt(blocks.position());
    if (begin != kind) {
      return false;
    }
    if (once.remove(blocks)) {
      return true;
    }
    once.add(ByteBuffer.allocate(blocks.remaining()).put(blocks.duplicate()).flip());
    return false;
  }
}
