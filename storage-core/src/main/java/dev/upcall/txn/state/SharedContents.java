package dev.upcall.txn.state;

import dev.upcall.buffer.SharedFrames;
import dev.upcall.fsm.Faults;
import dev.upcall.segment.ContentCopy;
import dev.upcall.segment.Inode;
import dev.upcall.segment.Overlay;
import dev.upcall.txn.PublishedReads;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Contents of files for other threads, from what is in memory. */
public final class SharedContents implements PublishedReads.Contents {
  /** Of larger contents, memory is taken only where the first byte that is wanted is there. */
  private static final int PROBED_BYTES = 64 << 10;

  private final UnplacedVersions unplaced;
  private final Faults faults;
  private final SharedFrames frames;
  private final ContentCopy content;

  /** Of a store. */
  public SharedContents(StoreState state, SharedFrames frames, ContentCopy content) {
    this.unplaced = state.segments().versions();
    this.faults = state.faults();
    this.frames = frames;
    this.content = content;
  }

  @Override
  public @Nullable ByteBuffer copy(Inode inode, long scn, PublishedReads.Room room) {
    long moment = faults.has(StoreFault.UNPLACED_OF_ANY_MOMENT) ? Long.MAX_VALUE : scn;
    Overlay overlay = unplaced.at(inode.id(), moment);
    if (overlay == null) {
      return null;
    }
    if (!room.isAtHand() && !isBegun(inode, overlay, room.fromByte())) {
      return null;
    }
    ByteBuffer into = room.of(inode.size());
    return into != null && content.isCopied(inode, overlay, room.fromByte(), into) ? into : null;
  }

  private boolean isBegun(Inode inode, Overlay overlay, long fromByte) {
    return inode.size() <= PROBED_BYTES
        || fromByte >= inode.size()
        || content.isCopied(inode, overlay, fromByte, ByteBuffer.allocate(1));
  }

  @Override
  public void wanted() {
    frames.wanted();
  }
}
