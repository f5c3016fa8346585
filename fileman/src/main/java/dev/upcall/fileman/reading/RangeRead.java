package dev.upcall.fileman.reading;

import dev.upcall.OpenFile;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.content.ContentSlice;
import dev.upcall.io.IoClass;
import dev.upcall.request.Look;
import dev.upcall.segment.PinnedContent;
import java.util.Optional;

/**
 * One range of a file in an array of its own: opened, copied on the dispatcher's thread, because it
 * is small, and closed.
 */
public final class RangeRead implements CompletionPort<OpenFile> {
  private final Look.ReadRange look;
  private final Runnable inMemory;
  private final CompletionPort<byte[]> port;

  /**
   * A read to which the file must now be opened.
   *
   * @param inMemory run when no I/O is needed
   */
  public RangeRead(Look.ReadRange look, Runnable inMemory, CompletionPort<byte[]> port) {
    this.look = look;
    this.inMemory = inMemory;
    this.port = port;
  }

  /** Why so many bytes cannot be read at once. */
  public static Optional<Failure> refuses(int maxBytes) {
    return maxBytes < 0 || maxBytes > Look.ReadRange.MAX_BYTES
        ? Optional.of(
            new Failure.Invalid(
                "a read has 0 to %d bytes, not %d".formatted(Look.ReadRange.MAX_BYTES, maxBytes)))
        : Optional.empty();
  }

  @Override
  public void complete(Completion<OpenFile> opened) {
    switch (opened) {
      case Completion.Failed<OpenFile> failed -> port.complete(failed.cast());
      case Completion.Done<OpenFile>(OpenFile file) -> {
        PinnedContent content = file.content();
        if (content == null) {
          port.complete(Completion.failed(new Failure.IsADirectory(look.path().toString())));
        } else {
          read(content);
        }
      }
    }
  }

  private void read(PinnedContent content) {
    ContentSlice known = content.tryRead(look.offset(), look.maxBytes());
    if (known != null) {
      inMemory.run();
      end(content, Completion.done(known));
    } else {
      content.read(
          look.offset(),
          look.maxBytes(),
          IoClass.FOREGROUND_READ,
          completion -> end(content, completion));
    }
  }

  private void end(PinnedContent content, Completion<ContentSlice> completion) {
    content.close();
    port.complete(SliceCopy.copied(completion));
  }
}
