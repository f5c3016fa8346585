package dev.upcall.access;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.content.LeaseOwner;
import dev.upcall.io.Disk;
import dev.upcall.segment.Overlay;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.WritePreparer;
import dev.upcall.segment.layout.Layout;
import dev.upcall.segment.layout.LayoutEditor;
import dev.upcall.space.Extent;
import dev.upcall.space.Reserve;
import dev.upcall.txn.SegmentAccess;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The block space of one version of a segment's content, changed in private: new bytes are merged
 * at once with what their blocks held, in frames, and remembered for the log; beyond a limit full
 * frames are placed meanwhile, so that a stream of any length takes bounded memory. One request at
 * a time; dispatcher's thread only.
 */
final class PrivateSpace {
  private static final int BLOCK = Disk.BLOCK_BYTES;

  private final SegmentAccess access;
  private final LeaseOwner owner;
  private final PrivateContent content;
  private final Patches patches = new Patches();
  private boolean spilled;
  private long pendingPieces;

  /** Over a version by its block space, which is closed with this. */
  PrivateSpace(SegmentAccess access, LeaseOwner owner, PinnedContent base) {
    this.access = access;
    this.owner = owner;
    this.content = new PrivateContent(access.reader(), owner, base);
  }

  /** The blocks with all that was done. */
  PrivateContent content() {
    return content;
  }

  /** What the log would keep, and what can be done again; nothing of that once it has spilled. */
  Patches patches() {
    return patches;
  }

  /** Whether something was placed, so that what was done can no longer be done again. */
  boolean hasSpilled() {
    return spilled;
  }

  /** Remembers an operation, as long as it can be done again. */
  void did(Patches.Operation operation) {
    if (!spilled) {
      patches.did(operation);
    }
  }

  /** So many pieces, which no commit has, make up the content in it. */
  void pending(long pieces) {
    access.meter().pending(pieces - pendingPieces);
    pendingPieces = pieces;
  }

  /** Gives everything back that nobody has committed. */
  void close() {
    pending(0);
    access.giveBack(content.uncommitted());
    content.close();
  }

  /** Content that lived in the inode moves to a block of its own, so that it can be written to. */
  void unfold(Layout layout, CompletionPort<Unit> port) {
    if (layout instanceof Layout.Inline(byte[] inline) && inline.length > 0) {
      lay(0, ByteBuffer.wrap(inline), port);
    } else {
      port.complete(Completion.done());
    }
  }

  /** As many of the next bytes of a buffer as are merged at once, and no more than so many. */
  ByteBuffer some(ByteBuffer bytes, long mostBytes) {
    int length = Math.min(bytes.remaining(), access.writers().pieceBytes());
    return copy(bytes, (int) Math.min(length, mostBytes));
  }

  /** The next bytes of a buffer, whose position stays. */
  static ByteBuffer copy(ByteBuffer bytes, int length) {
    ByteBuffer copy = ByteBuffer.allocate(length);
    copy.put(0, bytes, bytes.position(), length);
    return copy;
  }

  /** Lays bytes over what their blocks hold now; they are kept, and so few that all fit at once. */
  void lay(long at, ByteBuffer bytes, CompletionPort<Unit> port) {
    WritePreparer.prepare(
        access.buffers(),
        content,
        owner,
        new WritePreparer.Write(at, bytes),
        port.then(
            parts -> {
              for (Overlay.Part part : parts) {
                content.write(part);
              }
              if (!spilled) {
                patches.add(at, bytes);
              }
              port.complete(Completion.done());
            }));
  }

  /** Lays any number of bytes, some at a time. */
  void layAll(long at, ByteBuffer bytes, CompletionPort<Unit> port) {
    if (!bytes.hasRemaining()) {
      port.complete(Completion.done());
      return;
    }
    ByteBuffer some = some(bytes, Long.MAX_VALUE);
    int length = some.remaining();
    lay(
        at,
        some,
        port.then(
            laid -> {
              bytes.position(bytes.position() + length);
              spillIfMuch(port.then(rest -> layAll(at + length, bytes, port)));
            }));
  }

  /** Gives what is collected a place on the volume, if it is much. */
  void spillIfMuch(CompletionPort<Unit> port) {
    long collected = Math.max(content.overlay().blocks() * BLOCK, patches.heapBytes());
    if (collected >= access.writers().spillBytes()) {
      spill(/* everything= */ false, Reserve.NORMAL, port);
    } else {
      port.complete(Completion.done());
    }
  }

  /**
   * Gives all blocks in frames a place on the volume.
   *
   * @param reserve how deep it may reach into the space that is kept
   */
  void spill(Reserve reserve, CompletionPort<Unit> port) {
    spill(/* everything= */ true, reserve, port);
  }

  /** Without {@code everything} the last ones, which a stream will go on filling, stay. */
  private void spill(boolean everything, Reserve reserve, CompletionPort<Unit> port) {
    spilled = true;
    patches.clear();
    Spill.run(access, content, everything, reserve, port);
  }

  /**
   * Cuts everything behind a size off. Bytes of the last block behind the size are zero, always: a
   * later growth must not show what was cut.
   */
  void cutOff(long sizeBytes, CompletionPort<Unit> port) {
    List<Extent> freed = new ArrayList<>();
    content.cut(sizeBytes, freed);
    access.giveBack(freed);
    patches.drop(sizeBytes, Long.MAX_VALUE);
    int behind = (int) (PrivateContent.blocks(sizeBytes) * BLOCK - sizeBytes);
    if (behind == 0) {
      port.complete(Completion.done());
    } else {
      lay(sizeBytes, ByteBuffer.allocate(behind), port);
    }
  }

  /** Blocks that are content no more. */
  void drop(List<LayoutEditor.Range> runs) {
    List<Extent> freed = new ArrayList<>();
    for (LayoutEditor.Range run : runs) {
      content.drop(run.from(), run.to(), freed);
      patches.drop(run.from() * BLOCK, run.to() == Long.MAX_VALUE ? run.to() : run.to() * BLOCK);
    }
    access.giveBack(freed);
  }

  /** Puts at most so many bytes into a buffer, and one at least. */
  void read(long at, int mostBytes, ByteBuffer into, CompletionPort<Unit> port) {
    PinnedSource.fill(content, at, mostBytes, into, port);
  }
}
