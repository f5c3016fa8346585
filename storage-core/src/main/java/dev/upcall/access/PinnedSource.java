package dev.upcall.access;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.io.IoClass;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.Layout;
import dev.upcall.segment.layout.PieceMap;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A pinned version of another segment, of which a range is copied. */
final class PinnedSource implements RangeSource {
  private final PinnedContent content;

  PinnedSource(PinnedContent content) {
    this.content = content;
  }

  @Override
  public @Nullable PieceMap pieces() {
    return content.inode().layout().pieces();
  }

  @Override
  public boolean isInline() {
    return content.inode().layout() instanceof Layout.Inline;
  }

  @Override
  public Run run(long block) {
    return Run.of(content.place(block), block, Long.MAX_VALUE);
  }

  @Override
  public void read(long offset, ByteBuffer into, CompletionPort<Unit> port) {
    if (!into.hasRemaining()) {
      port.complete(Completion.done());
      return;
    }
    int start = into.position();
    fill(
        content,
        offset,
        into.remaining(),
        into,
        port.then(read -> read(offset + into.position() - start, into, port)));
  }

  @Override
  public void readSpace(long at, int mostBytes, ByteBuffer into, CompletionPort<Unit> port) {
    fill(content.space(), at, mostBytes, into, port);
  }

  /** Puts at most so many bytes of some content into a buffer, and one at least. */
  static void fill(
      PinnedContent from, long at, int mostBytes, ByteBuffer into, CompletionPort<Unit> port) {
    from.read(
        at,
        mostBytes,
        IoClass.FOREGROUND_READ,
        port.then(
            slice -> {
              for (ByteBuffer each : slice.buffers()) {
                into.put(each.duplicate());
              }
              if (slice.sizeBytes() == 0) {
                // Behind all that was ever written: zeros to the end of the block, at least.
                into.put(
                    new byte[(int) Math.min(mostBytes, Disk.BLOCK_BYTES - at % Disk.BLOCK_BYTES)]);
              }
              slice.release();
              port.complete(Completion.done());
            }));
  }
}
