package dev.upcall.fileman.plan;

import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import dev.upcall.segment.layout.Inode;
import org.jspecify.annotations.Nullable;

/** Names and what they lead to, as a walk along a path sees them. */
interface NameView {
  /** What a name in a directory leads to, or null; what has expired is not there. */
  Names.@Nullable Entry entry(long directory, byte[] name);

  /** An inode that must exist because a name leads to it. */
  default Inode inode(long id) {
    Inode inode = inodeIfThere(id);
    if (inode == null) {
      throw missing(id);
    }
    return inode;
  }

  /** A name leads to an inode that is not there. */
  static Refused missing(long id) {
    return new Refused(new Failure.Corrupt("namespace", "inode " + id + " is missing", 0, id, 0));
  }

  /** An inode that somebody has known by its id; null when it is gone. */
  @Nullable Inode inodeIfThere(long id);
}
