package dev.upcall.fileman.plan;

import dev.upcall.segment.Inode;
import org.jspecify.annotations.Nullable;

/** Names and what they lead to, as a walk along a path sees them. */
interface NameView {
  /** What a name in a directory leads to, or null; what has expired is not there. */
  Names.@Nullable Entry entry(long directory, byte[] name);

  /** An inode that must exist because a name leads to it. */
  Inode inode(long id);
}
