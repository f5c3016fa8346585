package dev.upcall.fileman.plan;

import dev.upcall.content.Times;
import dev.upcall.segment.layout.Inode;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;
import org.jspecify.annotations.Nullable;

/** The namespace as a query sees it. A file that has expired by the view's time is not there. */
final class CommittedNames implements NameView {
  private final View view;

  /** A file's is looked at when its name is found, and then again by who looked for it. */
  private @Nullable Inode last;

  CommittedNames(View view) {
    this.view = view;
  }

  @Override
  public Names.@Nullable Entry entry(long directory, byte[] name) {
    byte[] value = view.get(StoreTree.NAMES, Names.key(directory, name));
    if (value == null) {
      return null;
    }
    Names.Entry entry = Names.entry(value);
    return entry.kind().mayExpire() && isExpired(inode(entry.id())) ? null : entry;
  }

  /** Whether an inode is that of a file whose time is over. */
  boolean isExpired(Inode inode) {
    Times times = inode.times();
    // What never expires, as most, need not be asked what time it is.
    return inode.kind().mayExpire()
        && times.hasExpiry()
        && times.expiresNanos() <= view.timeNanos();
  }

  @Override
  public @Nullable Inode inodeIfThere(long id) {
    Inode inode = last;
    if (inode == null || inode.id() != id) {
      inode = view.inode(id);
      last = inode;
    }
    return inode;
  }
}
