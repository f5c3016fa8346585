package dev.upcall.fileman.machine;

import dev.upcall.FileHandle;
import dev.upcall.FileInfo;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;

/**
 * One change of a range: through a handle that is opened for it, and closed, which commits it.
 * Gives the file as it is then. Dispatcher's thread.
 */
record OneEdit(Step step, CompletionPort<FileInfo> port) implements CompletionPort<FileHandle> {
  /** What is collected in the handle. */
  interface Step {
    void run(FileHandle handle, CompletionPort<Unit> port);
  }

  @Override
  public void complete(Completion<FileHandle> opened) {
    switch (opened) {
      case Completion.Failed<FileHandle> failed -> port.complete(failed.cast());
      case Completion.Done<FileHandle>(FileHandle handle) ->
          step.run(handle, collected -> collected(handle, collected));
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
