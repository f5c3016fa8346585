package dev.upcall.fileman.async;

import dev.upcall.AsyncChanges;
import dev.upcall.FileChanges;
import dev.upcall.FileHandle;
import dev.upcall.OpenMode;
import dev.upcall.PutHandle;
import dev.upcall.PutOptions;
import dev.upcall.completion.CompletionPort;
import dev.upcall.fileman.reading.PublishedLooks;
import dev.upcall.request.Change;
import java.util.Objects;

/** Changes with contents through a door. */
abstract class DoorContents extends DoorReads implements AsyncChanges.Contents {
  private final FileChanges files;

  DoorContents(FileChanges files, AsyncDoor door, PublishedLooks looks) {
    super(door, looks);
    this.files = files;
  }

  @Override
  public final void put(
      CharSequence path, PutOptions options, CompletionPort<AsyncChanges.Put> port) {
    Objects.requireNonNull(options, "options");
    at(
        path,
        port,
        parsed ->
            this.<PutHandle>request(
                inner -> files.put(parsed, options, inner),
                begun -> port.complete(begun.map(handle -> new PortPut(this, handle)))));
  }

  @Override
  public final void open(
      CharSequence path, OpenMode mode, CompletionPort<AsyncChanges.Handle> port) {
    Objects.requireNonNull(mode, "mode");
    at(
        path,
        port,
        parsed ->
            this.<FileHandle>request(
                inner -> files.open(parsed, mode, inner),
                opened -> port.complete(opened.map(handle -> new PortHandle(this, handle)))));
  }

  @Override
  public final <R> void ask(Change<R> change, CompletionPort<R> port) {
    Objects.requireNonNull(change, "change");
    request(inner -> files.ask(change, inner), port);
  }
}
