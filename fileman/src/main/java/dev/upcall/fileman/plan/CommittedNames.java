package dev.upcall.fileman.plan;

import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import dev.upcall.content.Kind;
import dev.upcall.content.Times;
import dev.upcall.segment.Inode;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;
import org.jspecify.annotations.Nullable;

/** The namespace as a query sees it. A file that has expired by the view's time is not there. */
record CommittedNames(View view) implements NameView {
  @Override
  public Names.@Nullable Entry entry(long directory, byte[] name) {
    byte[] value = view.get(StoreTree.NAMES, Names.key(directory, name));
    if (value == null) {
      return null;
    }
    Names.Entry entry = Names.entry(value);
    return entry.kind() == Kind.FILE && isExpired(inode(entry.id())) ? null : entry;
  }

  /** Whether an inode is that of a file whose time is over. */
  boolean isExpired(Inode inode) {
    Times times = inode.times();
    // What never expires, as most, need not be asked what time it is.
    return inode.kind() == Kind.FILE
        && times.hasExpiry()
        && times.expiresNanos() <= view.timeNanos();
  }

  @Override
  public Inode inode(long id) {
    Inode inode = view.inode(id);
    if (inode == null) {
      throw missing(id);
    }
    return inode;
  }

  /** A name leads to an inode that is not there. */
  static Refused missing(long id) {
    return new Refused(new Failure.Corrupt("namespace", "inode " + id + " is missing", 0, id, 0));
  }
}
