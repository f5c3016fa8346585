package dev.upcall.threads;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.StagedContent;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.segment.ContentPlacer;
import dev.upcall.segment.layout.ExtentEntry;
import dev.upcall.segment.layout.ExtentList;
import dev.upcall.segment.layout.InodeCodec;
import dev.upcall.segment.layout.Layout;
import dev.upcall.segment.layout.LayoutBuilder;
import dev.upcall.segment.layout.Staged;
import dev.upcall.space.Extent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * New content on its way into the store, written by the thread that brings it: small content is
 * collected, and rides in the log when it is committed; large content goes to extents of its own as
 * it comes, for which it takes one of the places. One thread at a time.
 */
public final class ContentWriter {
  /** So much is collected without a place. */
  private static final int FIRST_BYTES = 4096;

  private final ThreadStore store;
  private final int inlineBytes;
  private final int unplacedBytes;
  private final int writeBytes;
  private final List<Staged.NamedBlocks> written = new ArrayList<>();
  private byte[] collected = new byte[0];
  private int count;
  private long sizeBytes;
  private boolean hasPlace;
  private boolean over;

  ContentWriter(ThreadStore store) {
    this.store = store;
    this.inlineBytes = store.limits().inlineBytes();
    this.unplacedBytes = store.limits().unplacedBytes();
    this.writeBytes = store.limits().gatherBlocks() * Disk.BLOCK_BYTES;
  }

  /**
   * Appends bytes; why not, or null. What is more than a block in all waits for a place. Failures:
   * {@code VolumeFull}, {@code Device}, {@code Busy} when it has waited for too long.
   */
  public @Nullable Failure append(byte[] bytes, int offset, int length) {
    Invariants.check(!over, "append to content that was finished");
    if (!hasPlace && sizeBytes + length > FIRST_BYTES) {
      Failure refused = store.takeWriterPlace();
      if (refused != null) {
        return refused;
      }
      hasPlace = true;
    }
    int at = offset;
    int left = length;
    while (left > 0) {
      if (count == writeBytes) {
        Failure failure = writeOut();
        if (failure != null) {
          return failure;
        }
      }
      int part = Math.min(left, writeBytes - count);
      ensure(count + part);
      System.arraycopy(bytes, at, collected, count, part);
      count += part;
      sizeBytes += part;
      at += part;
      left -= part;
    }
    return null;
  }

  /**
   * Ends the content, ready to be committed or discarded. Failures: {@code VolumeFull}, {@code
   * Device}, {@code Busy}; then it is discarded.
   */
  public Completion<StagedContent> finish() {
    Invariants.check(!over, "content finished twice");
    Completion<StagedContent> result =
        written.isEmpty() && count <= unplacedBytes ? finishSmall() : finishLarge();
    if (result instanceof Completion.Failed<StagedContent>) {
      discard();
    }
    end();
    return result;
  }

  /** Gives the content up; harmless when it was finished. */
  public void discard() {
    if (!over) {
      store.giveBack(extents(written));
      end();
    }
  }

  private void end() {
    if (!over) {
      over = true;
      collected = new byte[0];
      if (hasPlace) {
        store.leaveWriterPlace();
      }
    }
  }

  private void ensure(int size) {
    if (size > collected.length) {
      int doubled = Math.max(FIRST_BYTES, Math.min(writeBytes, collected.length * 2));
      collected = Arrays.copyOf(collected, Math.max(size, doubled));
    }
  }

  private Completion<StagedContent> finishSmall() {
    if (count <= inlineBytes) {
      return Completion.done(new Staged.Tiny(Arrays.copyOf(collected, count)));
    }
    int blocks = (count + Disk.BLOCK_BYTES - 1) / Disk.BLOCK_BYTES;
    PoolFrame frame = store.pool().allocate(blocks);
    if (frame == null) {
      return Completion.failed(new Failure.Busy("memory for content"));
    }
    ByteBuffer bytes = frame.buffer();
    bytes.put(collected, 0, count);
    zero(bytes);
    return Completion.done(new Staged.InFrame(frame, count));
  }

  private Completion<StagedContent> finishLarge() {
    Failure failure = count > 0 ? writeOut() : null;
    if (failure != null) {
      return Completion.failed(failure);
    }
    Layout layout = smallLayout();
    if (layout != null) {
      List<Staged.NamedBlocks> named = List.copyOf(written);
      return Completion.done(
          new Staged.Placed(
              sizeBytes, layout, named, /* coded= */ false, () -> store.giveBack(extents(named))));
    }
    return builtLayout();
  }

  /** The layout, if it fits the inode and its content need not be synced before; else null. */
  private @Nullable Layout smallLayout() {
    List<ExtentEntry> entries = new ArrayList<>();
    long block = 0;
    for (Staged.NamedBlocks run : written) {
      ExtentEntry whole = new ExtentEntry.Plain(block, run.extent(), run.checksums());
      whole.pieces().forEach(piece -> ExtentList.append(entries, piece));
      block = whole.logicalEnd();
      if (block > Staged.NamedBlocks.MOST_NAMED) {
        return null;
      }
    }
    Layout layout = new Layout.Extents(List.copyOf(entries));
    return InodeCodec.layoutBytes(layout) <= InodeCodec.MAX_LAYOUT_BYTES ? layout : null;
  }

  /** Has the machines build an extent tree, whose pages they write. */
  private Completion<StagedContent> builtLayout() {
    List<Staged.NamedBlocks> runs = List.copyOf(written);
    written.clear();
    long size = sizeBytes;
    return store.amongMachines(
        port -> {
          LayoutBuilder builder = store.shared().newLayout();
          builder.append(0, runs);
          builder.finish(
              built -> {
                if (built instanceof Completion.Failed<LayoutBuilder.Built>) {
                  builder.giveBack();
                }
                port.complete(
                    built.map(
                        result ->
                            new Staged.Placed(
                                size,
                                result.layout(),
                                result.named(),
                                /* coded= */ false,
                                () -> store.laterAmongMachines(builder::giveBack))));
              });
        });
  }

  /** Writes what is collected to a place of its own. */
  private @Nullable Failure writeOut() {
    int blocks = (count + Disk.BLOCK_BYTES - 1) / Disk.BLOCK_BYTES;
    Completion<List<Extent>> allocated = store.allocate(blocks);
    if (allocated instanceof Completion.Failed<List<Extent>> failed) {
      return failed.failure();
    }
    List<Extent> extents = ((Completion.Done<List<Extent>>) allocated).value();
    ByteBuffer buffer = store.buffers().take();
    Failure failure = null;
    try {
      buffer.put(collected, 0, count).limit(blocks * Disk.BLOCK_BYTES);
      zero(buffer);
      int at = 0;
      for (Extent extent : extents) {
        int length = Math.toIntExact(extent.blocks()) * Disk.BLOCK_BYTES;
        ByteBuffer piece = buffer.slice(at, length);
        at += length;
        written.add(
            new Staged.NamedBlocks(
                extent,
                new ContentPlacer.Blocks(List.of(piece), (int) extent.blocks()).checksums()));
        if (failure == null) {
          failure = write(extent, piece);
        }
      }
    } finally {
      store.buffers().giveBack(buffer);
    }
    count = 0;
    return failure;
  }

  private @Nullable Failure write(Extent extent, ByteBuffer piece) {
    Completion<Unit> completion =
        store
            .device()
            .perform(
                new DiskRequest.Write(
                    extent.block(), List.of(piece), IoClass.FOREGROUND_WRITE, ignored -> {}));
    return completion instanceof Completion.Failed<Unit> failed ? failed.failure() : null;
  }

  /** Zeros from the position to the limit. */
  private static void zero(ByteBuffer bytes) {
    while (bytes.hasRemaining()) {
      bytes.put((byte) 0);
    }
  }

  private static List<Extent> extents(List<Staged.NamedBlocks> runs) {
    List<Extent> extents = new ArrayList<>(runs.size());
    for (Staged.NamedBlocks run : runs) {
      extents.add(run.extent());
    }
    return extents;
  }
}
