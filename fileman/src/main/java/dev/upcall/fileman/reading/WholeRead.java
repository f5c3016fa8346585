package dev.upcall.fileman.reading;

import dev.upcall.OpenFile;
import dev.upcall.StorePath;
import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.content.ContentSlice;
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
  private final CompletionPort<Found> port;
  private @Nullable PinnedContent content;
  private byte[] bytes = {};
  private int filled;

  /** What came of it. */
  public sealed interface Found {
    /** All bytes; the file is closed. */
    @SuppressWarnings("ArrayRecordComponent")
    record Copied(byte[] bytes) implements Found {}

    /** A file that the caller reads, and closes, itself. */
    record Large(ReadSide side) implements Found {}
  }

  /**
   * A read to which the file must now be opened.
   *
   * @param keep takes over a file that stays open
   */
  public WholeRead(
      StorePath path,
      BiFunction<OpenFile, PinnedContent, ReadSide> keep,
      CompletionPort<Found> port) {
    this.path = path;
    this.keep = keep;
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
          port.complete(Completion.done(new Found.Large(keep.apply(file, found))));
        } else {
          content = found;
          bytes = new byte[(int) file.info().sizeBytes()];
          copy(found);
        }
      }
    }
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
