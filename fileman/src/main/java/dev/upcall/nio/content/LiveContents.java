package dev.upcall.nio.content;

import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.StorePath;
import dev.upcall.nio.collected.FilesById;
import org.jspecify.annotations.Nullable;

/** The files of a store by their newest content, whatever of it is collected. Any threads. */
public final class LiveContents implements Contents {
  private final FilesById files;
  private final OpenFiles open;
  private final LiveContent.Forcing forcing;

  /** Of a file system. */
  public LiveContents(FilesById files, OpenFiles open, LiveContent.Forcing forcing) {
    this.files = files;
    this.open = open;
    this.forcing = forcing;
  }

  @Override
  public Content open(StorePath path, long id, boolean durable) {
    OpenFile file = open.open(id, () -> files.sizeBytes(id));
    return new LiveContent(files, open, file, durable ? forcing.durable() : forcing);
  }

  @Override
  public @Nullable FileInfo find(StorePath place, LinkPolicy links) {
    return files.find(place, links);
  }

  @Override
  public @Nullable FileInfo look(StorePath place, LinkPolicy links) {
    if (forcing.collected().isSettled()) {
      return null;
    }
    FileInfo there = find(place, links);
    if (there == null || open.isPending(there.id())) {
      return null;
    }
    // Once more: what was pending at the first look may have been committed before the question.
    FileInfo now = find(place, links);
    return now != null && now.id() == there.id() ? now : null;
  }

  @Override
  public void force() {
    forcing.all(files);
  }
}
