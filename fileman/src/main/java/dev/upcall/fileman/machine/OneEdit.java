package dev.upcall.fileman.machine;

import dev.upcall.FileHandle;
import dev.upcall.FileInfo;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.request.Change;
import java.nio.ByteBuffer;

/**
 * One change of a range: through a handle that is opened for it, and closed, which commits it.
 * Gives the file as it is then. Dispatcher's thread.
 */
record OneEdit(Change.Edit edit, CompletionPort<FileInfo> port)
    implements CompletionPort<FileHandle> {
  @Override
  public void complete(Completion<FileHandle> opened) {
    switch (opened) {
      case Completion.Failed<FileHandle> failed -> port.complete(failed.cast());
      case Completion.Done<FileHandle>(FileHandle handle) ->
          collect(handle, collected -> collected(handle, collected));
    }
  }

  private void collect(FileHandle handle, CompletionPort<Unit> port) {
    switch (edit) {
      case Change.WriteAt at -> handle.write(at.offset(), ByteBuffer.wrap(at.bytes()), port);
      case Change.Append end -> handle.append(ByteBuffer.wrap(end.bytes()), port);
      case Change.Truncate end -> handle.truncate(end.sizeBytes(), port);
      case Change.SpliceAt at ->
          handle.splice(at.offset(), at.removed(), ByteBuffer.wrap(at.bytes()), port);
    }
  }

  private void collected(FileHandle handle, Completion<Unit> collected) {
    if (collected instanceof Completion.Failed<Unit> failed) {
      handle.abandon();
      port.complete(failed.cast());
    } else {
      handle.close(closed -> closed(handle, closed));
    }
  }

  private void closed(FileHandle handle, Completion<Unit> closed) {
    if (closed instanceof Completion.Failed<Unit> failed) {
      handle.abandon();
      port.complete(failed.cast());
    } else {
      port.complete(Completion.done(handle.info()));
    }
  }
}
