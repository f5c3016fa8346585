package dev.upcall.fileman.reading;

import dev.upcall.AsyncReads;
import dev.upcall.FileInfo;
import dev.upcall.OpenFile;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.segment.PinnedContent;
import java.util.function.BiFunction;

/** One version of a file, held open, for a program that has its answers at ports. */
public record VersionRead(ReadSide side, PortWay way) implements AsyncReads.Content {
  /**
   * The port of an opening: what it opened is kept, or it was a directory. Dispatcher's thread.
   *
   * @param keep takes over a file that stays open
   */
  public static CompletionPort<OpenFile> opening(
      StorePath path,
      BiFunction<OpenFile, PinnedContent, ReadSide> keep,
      CompletionPort<ReadSide> port) {
    return opened ->
        port.complete(
            switch (opened) {
              case Completion.Failed<OpenFile> failed -> failed.cast();
              case Completion.Done<OpenFile>(OpenFile file) -> {
                PinnedContent content = file.content();
                yield content == null
                    ? Completion.failed(new Failure.IsADirectory(path.toString()))
                    : Completion.done(keep.apply(file, content));
              }
            });
  }

  @Override
  public FileInfo info() {
    return side.info();
  }

  @Override
  public void read(long offset, int maxBytes, CompletionPort<byte[]> port) {
    way.request(inner -> readThere(offset, maxBytes, inner), port);
  }

  /** Dispatcher's thread. */
  private void readThere(long offset, int maxBytes, CompletionPort<byte[]> port) {
    RangeRead.refuses(maxBytes)
        .ifPresentOrElse(
            failure -> side.refuse(failure, port),
            () -> side.read(offset, maxBytes, read -> port.complete(SliceCopy.copied(read))));
  }

  @Override
  public void close(CompletionPort<Unit> port) {
    way.request(side::close, port);
  }
}
