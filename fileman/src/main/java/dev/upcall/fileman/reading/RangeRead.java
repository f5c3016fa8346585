package dev.upcall.fileman.reading;

import dev.upcall.AsyncReads;
import dev.upcall.OpenFile;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.content.ContentSlice;
import dev.upcall.io.IoClass;
import dev.upcall.segment.PinnedContent;
import java.util.Optional;

/**
 * One range of a file in an array of its own: opened, copied on the dispatcher's thread, because it
 * is small, and closed. See {@link AsyncReads#read(CharSequence, long, int, CompletionPort)}.
 */
public final class RangeRead implements CompletionPort<OpenFile> {
  private final StorePath path;
  private final long offset;
  private final int maxBytes;
  private final Runnable inMemory;
  private final CompletionPort<byte[]> port;

  /**
   * A read to which the file must now be opened.
   *
   * @param maxBytes as many as {@link #refuses} lets through
   * @param inMemory run when no I/O is needed
   */
  public RangeRead(
      StorePath path, long offset, int maxBytes, Runnable inMemory, CompletionPort<byte[]> port) {
    this.path = path;
    this.offset = offset;
    this.maxBytes = maxBytes;
    this.inMemory = inMemory;
    this.port = port;
  }

  /** Why so many bytes cannot be read at once. */
  public static Optional<Failure> refuses(int maxBytes) {
    return maxBytes < 0 || maxBytes > AsyncReads.MAX_READ_BYTES
        ? Optional.of(
            new Failure.Invalid(
                "a read has 0 to %d bytes, not %d".formatted(AsyncReads.MAX_READ_BYTES, maxBytes)))
        : Optional.empty();
  }

  @Override
  public void complete(Completion<OpenFile> opened) {
    switch (opened) {
      case Completion.Failed<OpenFile> failed -> port.complete(failed.cast());
      case Completion.Done<OpenFile>(OpenFile file) -> {
        PinnedContent content = file.content();
        if (content == null) {
          port.complete(Completion.failed(new Failure.IsADirectory(path.toString())));
        } else {
          read(content);
        }
      }
    }
  }

  private void read(PinnedContent content) {
    ContentSlice known = content.tryRead(offset, maxBytes);
    if (known != null) {
      inMemory.run();
      end(content, Completion.done(known));
    } else {
      content.read(
          offset, maxBytes, IoClass.FOREGROUND_READ, completion -> end(content, completion));
    }
  }

  private void end(PinnedContent content, Completion<ContentSlice> completion) {
    content.close();
    port.complete(SliceCopy.copied(completion));
  }
}
