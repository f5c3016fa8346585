package dev.upcall.fileman;

import dev.upcall.fsm.Failure;
import dev.upcall.fsm.Invariants;
import dev.upcall.segment.Inode;
import dev.upcall.segment.StagedContent;
import dev.upcall.txn.Mutations;
import dev.upcall.txn.Trees;
import dev.upcall.txn.View;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The namespace as one run of a query or change sees it: the committed view, covered by what the
 * requests of the same batch did before. {@link #emit} turns the cover into mutations, each tree
 * entry and inode at most once.
 */
final class Namespace {
  /** What a detached directory leaves in the orphan tree; longer values are the store's own. */
  private static final byte[] DETACHED_DIRECTORY = {2};

  private static final byte[] ABSENT = {};

  private final View view;
  private final TreeMap<byte[], byte[]> names = new TreeMap<>(Arrays::compareUnsigned);
  private final TreeMap<Long, Pending> inodes = new TreeMap<>();
  private final TreeMap<Long, Boolean> detached = new TreeMap<>();
  private final TreeMap<byte[], byte @Nullable []> properties =
      new TreeMap<>(Arrays::compareUnsigned);

  Namespace(View view) {
    this.view = view;
  }

  /** What becomes of an inode: gone when {@code inode} is null. */
  private record Pending(
      @Nullable Inode committed, @Nullable Inode inode, @Nullable StagedContent content) {}

  /** What a name in a directory leads to, or null. */
  Names.@Nullable Entry entry(long directory, byte[] name) {
    byte[] key = Names.key(directory, name);
    byte[] covered = names.get(key);
    byte[] value = covered != null ? covered : view.get(Trees.NAMES, key);
    return value == null || value.length == 0 ? null : Names.entry(value);
  }

  /** An inode that must exist because a name leads to it. */
  Inode inode(long id) {
    Pending pending = inodes.get(id);
    Inode inode = pending != null ? pending.inode() : view.inode(id);
    if (inode == null) {
      throw new Refused(new Failure.Corrupt("namespace", "inode " + id + " is missing", 0, id, 0));
    }
    return inode;
  }

  /** Whether a directory has no entries. */
  boolean isEmpty(long directory) {
    byte[] first = Names.idKey(directory);
    for (Map.Entry<byte[], byte[]> covered : names.tailMap(first).entrySet()) {
      if (!Names.isEntryOf(covered.getKey(), directory)) {
        break;
      }
      if (covered.getValue().length > 0) {
        return false;
      }
    }
    View.Scan scan = view.from(Trees.NAMES, first);
    while (scan.next() && Names.isEntryOf(scan.key(), directory)) {
      if (names.get(scan.key()) == null) {
        return false;
      }
    }
    return true;
  }

  /** Makes or redirects a name. */
  void putEntry(long directory, byte[] name, Names.Entry entry) {
    names.put(Names.key(directory, name), Names.value(entry));
  }

  /** Removes a name. */
  void removeEntry(long directory, byte[] name) {
    names.put(Names.key(directory, name), ABSENT);
  }

  /** Makes an inode or replaces its metadata; what becomes of it, with its new version. */
  Inode putInode(Inode inode) {
    Pending before = inodes.get(inode.id());
    return put(inode, before == null ? null : before.content());
  }

  /** Makes an inode or replaces it, content included. */
  Inode putInode(Inode inode, StagedContent content) {
    return put(inode, content);
  }

  /** Removes an inode to which no name leads any more. */
  void removeInode(long id) {
    inodes.put(id, new Pending(committed(id), null, null));
  }

  /** Leaves a directory that no name leads to any more, but has entries, to the reclaimer. */
  void detach(long directory) {
    detached.put(directory, true);
  }

  /** Sets a property, or removes it. */
  void property(byte[] name, byte @Nullable [] value) {
    properties.put(name, value);
  }

  /** Says everything that was done. */
  void emit(Mutations out) {
    names.forEach(
        (key, value) -> {
          if (value.length == 0) {
            out.remove(Trees.NAMES, key);
          } else {
            out.put(Trees.NAMES, key, value);
          }
        });
    inodes.values().forEach(pending -> emit(pending, out));
    detached
        .keySet()
        .forEach(id -> out.put(Trees.ORPHANS, Names.idKey(id), DETACHED_DIRECTORY.clone()));
    properties.forEach(
        (name, value) -> {
          if (value == null) {
            out.remove(Trees.PROPERTIES, name);
          } else {
            out.put(Trees.PROPERTIES, name, value);
          }
        });
  }

  /** Whether an entry of the orphan tree is a detached directory. */
  static boolean isDetachedDirectory(byte[] orphan) {
    return Arrays.equals(orphan, DETACHED_DIRECTORY);
  }

  private static void emit(Pending pending, Mutations out) {
    Inode inode = pending.inode();
    if (inode == null) {
      // Made and removed by the same batch: the store never hears of it.
      if (pending.committed() != null) {
        out.removeSegment(pending.committed());
      }
    } else if (pending.content() != null) {
      out.putInode(inode, pending.content());
    } else {
      out.putInode(inode);
    }
  }

  private Inode put(Inode inode, @Nullable StagedContent content) {
    Inode committed = committed(inode.id());
    long version = committed == null ? 1 : committed.version() + 1;
    Inode versioned = Inodes.withVersion(inode, version);
    Invariants.check(
        committed == null || committed.kind() == inode.kind(), "kind of a segment", inode.id());
    inodes.put(inode.id(), new Pending(committed, versioned, content));
    return versioned;
  }

  private @Nullable Inode committed(long id) {
    Pending pending = inodes.get(id);
    return pending != null ? pending.committed() : view.inode(id);
  }
}
