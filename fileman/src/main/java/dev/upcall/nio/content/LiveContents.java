package dev.upcall.nio.content;

import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.StorePath;
import dev.upcall.nio.collected.FilesById;
import dev.upcall.store.Durability;
import java.util.function.Function;
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

  /** Names are never collected: what has none has none. */
  @Override
  public Look look(StorePath place, LinkPolicy links) {
    if (forcing.collected().isSettled()) {
      return Look.UNKNOWN;
    }
    FileInfo there = find(place, links);
    if (there == null) {
      return new Look(true, null);
    }
    if (forcing.collected().isPending(there.id())) {
      return Look.UNKNOWN;
    }
    // Once more: what was pending at the first look may have been committed before the question.
    FileInfo now = find(place, links);
    return now != null && now.id() == there.id() ? new Look(true, now) : Look.UNKNOWN;
  }

  @Override
  public boolean collect(
      StorePath place, LinkPolicy links, Function<FileInfo, MetadataChange> change) {
    if (forcing.each() != Durability.ASYNC) {
      return false;
    }
    FileInfo there = find(place, links);
    return there != null
        && there.isFile()
        && open.with(
            there.id(), file -> file.pending(forcing.collected()).collect(change.apply(there)));
  }

  @Override
  public void force() {
    forcing.all(files);
  }
}
