package dev.upcall.feed.replay;

import dev.upcall.OpenFile;
import dev.upcall.completion.Completion;
import dev.upcall.content.ContentSlice;
import dev.upcall.io.IoClass;
import dev.upcall.segment.PinnedContent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Content that was opened for a request: reads wait until it is open, its close for them. */
final class OpenContent {
  private final List<Runnable> waiting = new ArrayList<>();
  private @Nullable PinnedContent content;
  private int reading;
  private boolean isOver;

  /** It is open, or there is none. */
  void opened(Completion<OpenFile> completion) {
    if (completion instanceof Completion.Done<OpenFile>(OpenFile file)) {
      content = file.content();
      List.copyOf(waiting).forEach(Runnable::run);
      closeIfOver();
    }
    waiting.clear();
  }

  /** Reads, and gives back what it gets. */
  void read(long offset, int maxBytes) {
    PinnedContent open = content;
    if (open == null) {
      waiting.add(() -> read(offset, maxBytes));
      return;
    }
    reading++;
    open.read(offset, maxBytes, IoClass.FOREGROUND_READ, this::wasRead);
  }

  /** Reads what is in memory, and gives it back. */
  void tryRead(long offset, int maxBytes) {
    PinnedContent open = content;
    if (open == null) {
      waiting.add(() -> tryRead(offset, maxBytes));
      return;
    }
    ContentSlice slice = open.tryRead(offset, maxBytes);
    if (slice != null) {
      slice.release();
    }
  }

  private void wasRead(Completion<ContentSlice> completion) {
    if (completion instanceof Completion.Done<ContentSlice>(ContentSlice slice)) {
      slice.release();
    }
    reading--;
    closeIfOver();
  }

  /** The request has ended. */
  void close() {
    isOver = true;
    closeIfOver();
  }

  private void closeIfOver() {
    PinnedContent open = content;
    if (isOver && reading == 0 && open != null) {
      content = null;
      open.close();
    }
  }
}
