package dev.upcall.fileman.reading;

import dev.upcall.OpenFile;
import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.UpcallReads;
import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.content.ContentSlice;
import dev.upcall.fsm.HeapBudget;
import dev.upcall.io.IoClass;
import dev.upcall.segment.PinnedContent;
import java.nio.ByteBuffer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A whole file for a caller that waits: opened, copied and closed on the dispatcher's thread, one
 * request and one completion. Only a file that is too large to be copied there comes back open.
 */
public final class WholeRead implements CompletionPort<OpenFile> {
  /** The most that is copied on the dispatcher's thread: some microseconds' work. */
  public static final int MAX_COPIED_BYTES = 64 << 10;

  private final StorePath path;
  private final BiFunction<OpenFile, PinnedContent, ReadSide> keep;
  private final HeapBudget heap;
  private final CompletionPort<Found> port;
  private @Nullable PinnedContent content;
  private byte[] bytes = {};
  private int filled;

  /** What came of it. */
  public sealed interface Found {
    /** All bytes; the file is closed. */
    @SuppressWarnings("ArrayRecordComponent")
    record Copied(byte[] bytes) implements Found {}

    /**
     * A file that the caller reads, and closes, itself.
     *
     * @param hold what of the heap is taken for its bytes; given back when they are handed over
     */
    record Large(ReadSide side, HeapBudget.Hold hold) implements Found {}
  }

  /**
   * A read to which the file must now be opened.
   *
   * @param keep takes over a file that stays open
   * @param heap has the room for such a file
   */
  public WholeRead(
      StorePath path,
      BiFunction<OpenFile, PinnedContent, ReadSide> keep,
      HeapBudget heap,
      CompletionPort<Found> port) {
    this.path = path;
    this.keep = keep;
    this.heap = heap;
    this.port = port;
  }

  @Override
  public void complete(Completion<OpenFile> opened) {
    switch (opened) {
      case Completion.Failed<OpenFile> failed -> port.complete(failed.cast());
      case Completion.Done<OpenFile>(OpenFile file) -> {
        PinnedContent found = file.content();
        if (found == null) {
          port.complete(Completion.failed(new Failure.IsADirectory(path.toString())));
        } else if (file.info().sizeBytes() > MAX_COPIED_BYTES) {
          keep(keep.apply(file, found));
        } else {
          content = found;
          try {
            bytes = new byte[(int) file.info().sizeBytes()];
          } catch (OutOfMemoryError noRoom) {
            found.close();
            port.complete(HeapBudget.failedFull());
            return;
          }
          copy(found);
        }
      }
    }
  }

  /**
   * An array for a file that came back open.
   *
   * @throws UpcallException.Busy where the heap has no room for it
   */
  public static byte[] array(StorePath path, long sizeBytes) {
    try {
      return new byte[(int) sizeBytes];
    } catch (OutOfMemoryError noRoom) {
      throw UpcallException.of(HeapBudget.noRoom(path, sizeBytes));
    }
  }

  /** It comes back when the heap may hold it. */
  private void keep(ReadSide side) {
    long sizeBytes = side.info().sizeBytes();
    if (sizeBytes > UpcallReads.MAX_ARRAY_BYTES) {
      side.close();
      Failure tooLarge =
          new Failure.TooLarge(path.toString(), sizeBytes, UpcallReads.MAX_ARRAY_BYTES);
      port.complete(Completion.failed(tooLarge));
      return;
    }
    HeapBudget.Hold hold = heap.hold();
    hold.take(
        sizeBytes,
        path,
        CompletionPort.of(
            _ -> port.complete(Completion.done(new Found.Large(side, hold))),
            refused -> {
              side.close();
              port.complete(Completion.failed(refused));
            }));
  }

  /** Copies what is in memory, and waits for what is not. */
  private void copy(PinnedContent from) {
    while (filled < bytes.length) {
      ContentSlice slice = from.tryRead(filled, bytes.length - filled);
      if (slice == null) {
        from.read(filled, bytes.length - filled, IoClass.FOREGROUND_READ, this::arrived);
        return;
      }
      take(slice);
    }
    from.close();
    port.complete(Completion.done(new Found.Copied(bytes)));
  }

  private void arrived(Completion<ContentSlice> completion) {
    PinnedContent from = Invariants.present(content, "the file that is read");
    switch (completion) {
      case Completion.Failed<ContentSlice> failed -> {
        from.close();
        port.complete(failed.cast());
      }
      case Completion.Done<ContentSlice>(ContentSlice slice) -> {
        take(slice);
        copy(from);
      }
    }
  }

  private void take(ContentSlice slice) {
    int count = SliceCopy.moveTo(ByteBuffer.wrap(bytes, filled, bytes.length - filled), slice);
    Invariants.check(count > 0, "a pinned version ended early", path);
    filled += count;
  }
}
