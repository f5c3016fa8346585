package dev.upcall.fileman.plan;

import dev.upcall.FileManager;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.content.Kind;
import dev.upcall.request.FileRequest;
import dev.upcall.segment.layout.Inode;
import dev.upcall.store.Durability;
import dev.upcall.txn.Change;
import dev.upcall.txn.Query;
import dev.upcall.txn.Store;

/** The directory in which all paths begin. */
public final class RootDirectory {
  private RootDirectory() {}

  /** What an opening has to find out before it changes anything: whether there is one. */
  public static Query<Unit> firstLook() {
    return view -> {
      // A page that it lacks and that cannot be read refuses the opening.
      view.inode(FileManager.ROOT_ID);
      return Completion.done();
    };
  }

  /** Makes the root directory of a new store; a store that has one may be read-only. */
  public static void ensure(Store store, CompletionPort<Unit> port) {
    store.query(
        view -> Completion.done(view.inode(FileManager.ROOT_ID) != null),
        completion -> {
          switch (completion) {
            case Completion.Failed<Boolean> failed -> port.complete(failed.cast());
            case Completion.Done<Boolean>(Boolean exists) -> {
              if (exists) {
                port.complete(Completion.done());
              } else {
                make(store, port);
              }
            }
          }
        });
  }

  /** The change that makes a root directory unless there is one. */
  static Change<Unit> make(long timeNanos) {
    return (view, out) -> {
      if (view.inode(FileManager.ROOT_ID) == null) {
        out.putInode(root(timeNanos));
      }
      return Completion.done();
    };
  }

  private static void make(Store store, CompletionPort<Unit> port) {
    long now = store.dispatcher().clock().epochNanos();
    store.change(make(now), Durability.SYNC, port);
  }

  private static Inode root(long timeNanos) {
    return Inodes.create(
        FileManager.ROOT_ID,
        Kind.DIRECTORY,
        FileManager.ROOT_ID,
        FileRequest.DEFAULT_DIRECTORY_MODE,
        timeNanos);
  }
}
