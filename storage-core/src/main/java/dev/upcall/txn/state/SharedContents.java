package dev.upcall.txn.state;

import dev.upcall.buffer.FoundBytes;
import dev.upcall.buffer.SharedFrames;
import dev.upcall.buffer.UnpinnedBytes;
import dev.upcall.fsm.Faults;
import dev.upcall.segment.ContentCopy;
import dev.upcall.segment.Overlay;
import dev.upcall.segment.layout.Inode;
import dev.upcall.txn.PublishedReads;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Contents of files for other threads, from what is in memory. */
public final class SharedContents implements PublishedReads.Contents {
  /** Of larger contents, memory is taken only where the first byte that is wanted is there. */
  private static final int PROBED_BYTES = 64 << 10;

  private final RecentLooks looks;
  private final UnplacedVersions unplaced;
  private final Faults faults;
  private final SharedFrames frames;
  private final ContentCopy content;

  /** Of a store. */
  public SharedContents(StoreState state, SharedFrames frames, ContentCopy content) {
    this.looks = state.looks();
    this.unplaced = state.segments().versions();
    this.faults = state.faults();
    this.frames = frames;
    this.content = content;
  }

  @Override
  public @Nullable ByteBuffer copy(Inode inode, long scn, PublishedReads.Room room) {
    InodeCache.Entry known = looks.known(inode.id(), scn);
    UnpinnedBytes memory = known == null ? null : known.memory();
    if (known == null || memory == null) {
      return looked(inode, scn, room, null);
    }
    ByteBuffer into = room.of(inode.size());
    return into == null || isCopied(memory, known.fromByte(), room.fromByte(), into)
        ? into
        : looked(inode, scn, room, into);
  }

  /** From where it was found before; false where that was let go. */
  private boolean isCopied(UnpinnedBytes memory, int contentByte, long fromByte, ByteBuffer into) {
    int bytes = into.capacity();
    return bytes == 0
        || memory.copy(contentByte + (int) fromByte, into, 0, bytes)
        || faults.has(StoreFault.LET_GO_UNNOTICED);
  }

  /** Looks for it, and remembers where it was. */
  private @Nullable ByteBuffer looked(
      Inode inode, long scn, PublishedReads.Room room, @Nullable ByteBuffer taken) {
    long moment = faults.has(StoreFault.UNPLACED_OF_ANY_MOMENT) ? Long.MAX_VALUE : scn;
    Overlay overlay = unplaced.at(inode.id(), moment);
    if (overlay == null) {
      return null;
    }
    boolean isAtHand = taken != null || room.isAtHand();
    if (!isAtHand && !isBegun(inode, overlay, room.fromByte())) {
      return null;
    }
    ByteBuffer into = taken == null ? room.of(inode.size()) : taken;
    if (into == null || !content.isCopied(inode, overlay, room.fromByte(), into)) {
      return null;
    }
    FoundBytes found = content.found(inode, overlay);
    if (found != null) {
      looks.keepContent(inode.id(), scn, found);
    }
    return into;
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
