package dev.upcall.fileman.stage;

import dev.upcall.FileReads;
import dev.upcall.OpenFile;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.content.ContentSlice;
import dev.upcall.content.LeaseOwner;
import dev.upcall.fileman.reading.Openings;
import dev.upcall.fileman.reading.ReadSide;
import dev.upcall.fileman.reading.SliceCopy;
import dev.upcall.fileman.reading.WholeRead;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.HeapBudget;
import dev.upcall.io.IoClass;
import dev.upcall.segment.PinnedContent;
import dev.upcall.txn.PublishedReads;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Files opened for stages. Dispatcher's thread.
 *
 * @param open what the store must close when it is closed itself
 */
record StageOpenings(Dispatcher dispatcher, FileReads files, Set<Runnable> open) {
  private static final LeaseOwner OWNER = new LeaseOwner("stage-files", 0);

  /** The same for other reads of the same store. */
  StageOpenings in(FileReads others) {
    return new StageOpenings(dispatcher, others, open);
  }

  /** A whole file, if it is small; else it stays open. */
  void readWhole(
      StorePath path, @Nullable PublishedReads published, CompletionPort<WholeRead.Found> port) {
    if (published != null) {
      published.contentsWanted();
    }
    Openings.open(files, path, OWNER, new WholeRead(path, this::keep, dispatcher.heap(), port));
  }

  /** Closes what nobody gets any more. */
  static void lost(WholeRead.Found found) {
    if (found instanceof WholeRead.Found.Large(ReadSide side, HeapBudget.Hold hold)) {
      side.close();
      hold.giveBack();
    }
  }

  /** One version of a file, held. */
  void openRead(StorePath path, CompletionPort<ReadSide> port) {
    withContent(path, port, (file, content) -> port.complete(Completion.done(keep(file, content))));
  }

  private ReadSide keep(OpenFile file, PinnedContent content) {
    return new ReadSide(dispatcher, file, content, open);
  }

  /** A range of a file, copied here because it is small. */
  void readRange(
      StorePath path,
      long offset,
      int maxBytes,
      @Nullable PublishedReads published,
      CompletionPort<byte[]> port) {
    if (published != null) {
      published.contentsWanted();
    }
    withContent(path, port, (_, content) -> readRange(content, offset, maxBytes, port));
  }

  private static void readRange(
      PinnedContent content, long offset, int maxBytes, CompletionPort<byte[]> port) {
    Consumer<Completion<ContentSlice>> end =
        completion -> {
          content.close();
          port.complete(completion.map(StageOpenings::copy));
        };
    ContentSlice inMemory = content.tryRead(offset, maxBytes);
    if (inMemory != null) {
      end.accept(Completion.done(inMemory));
    } else {
      content.read(offset, maxBytes, IoClass.FOREGROUND_READ, end::accept);
    }
  }

  private static byte[] copy(ContentSlice slice) {
    byte[] bytes = new byte[slice.sizeBytes()];
    SliceCopy.moveTo(ByteBuffer.wrap(bytes), slice);
    return bytes;
  }

  /** What is done with a file that is open. */
  private interface Use {
    void with(OpenFile file, PinnedContent content);
  }

  private void withContent(StorePath path, CompletionPort<?> port, Use use) {
    Openings.open(
        files,
        path,
        OWNER,
        opened -> {
          switch (opened) {
            case Completion.Failed<OpenFile> failed -> port.complete(failed.cast());
            case Completion.Done<OpenFile>(OpenFile file) -> {
              PinnedContent content = file.content();
              if (content == null) {
                port.complete(Completion.failed(new Failure.IsADirectory(path.toString())));
              } else {
                use.with(file, content);
              }
            }
          }
        });
  }
}
