package dev.upcall.httpd.relay;

import dev.upcall.completion.CompletionPort;
import dev.upcall.content.ContentSlice;
import dev.upcall.io.IoClass;
import dev.upcall.segment.Inode;
import dev.upcall.segment.PinnedContent;
import org.jspecify.annotations.Nullable;

/** A copy that takes the place of a first slice until somebody has room for it. */
final class CopyInPlace implements PinnedContent {
  private final PinnedContent copy;
  private final RelayedSite.FirstSlices places;
  private boolean placed = true;

  CopyInPlace(PinnedContent copy, RelayedSite.FirstSlices places) {
    this.copy = copy;
    this.places = places;
  }

  @Override
  public Inode inode() {
    return copy.inode();
  }

  @Override
  public @Nullable ContentSlice tryRead(long offset, int maxBytes) {
    give();
    return copy.tryRead(offset, maxBytes);
  }

  @Override
  public void read(long offset, int maxBytes, IoClass ioClass, CompletionPort<ContentSlice> port) {
    copy.read(offset, maxBytes, ioClass, port);
  }

  @Override
  public void close() {
    give();
    copy.close();
  }

  private void give() {
    if (placed) {
      placed = false;
      places.give();
    }
  }
}
