package dev.upcall.txn.state;

import dev.upcall.buffer.FoundBytes;
import dev.upcall.fsm.Faults;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.InodeCodec;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.tree.TreeVersion;
import dev.upcall.txn.StoreTree;
import org.jspecify.annotations.Nullable;

/**
 * Looks into the trees of names and inodes by way of what was asked for lately. One for all who
 * look at a state, at whatever SCN: now, at a published one, at that of a snapshot.
 */
final class RecentLooks {
  /** Of names, and of inodes: so few that the processor has them at hand. */
  private static final int MAX_STAMPS = 1 << 12;

  private final NameCache names;
  private final InodeCache inodes;
  private final Faults faults;

  /** Remembers so many names and as many inodes at most. */
  RecentLooks(int limit, Faults faults) {
    int stamps = Integer.highestOneBit(Math.clamp(limit, 2, MAX_STAMPS));
    this.names = new NameCache(limit, new ChangeStamps(stamps));
    this.inodes = new InodeCache(limit, new ChangeStamps(stamps));
    this.faults = faults;
  }

  /**
   * The entry of a name, not to be changed, or null. May throw {@code PageMissing}. Any thread.
   *
   * @param tree of names as it was at an SCN
   */
  byte @Nullable [] name(TreeVersion tree, byte[] key, long scn) {
    byte[] known = names.get(key, moment(scn));
    if (known != null) {
      return known;
    }
    byte[] value = tree.get(key);
    if (value != null) {
      names.keep(key, value, scn);
    }
    return value;
  }

  /**
   * An inode, or null. May throw {@code PageMissing}. Any thread.
   *
   * @param tree of inodes as it was at an SCN
   */
  @Nullable Inode inode(TreeVersion tree, long id, long scn) {
    Inode known = inodes.get(id, moment(scn));
    if (known != null) {
      return known;
    }
    byte[] value = tree.get(TreeKeys.of(id));
    if (value == null) {
      return null;
    }
    Inode decoded = InodeCodec.decode(id, value);
    inodes.keep(decoded, scn);
    return decoded;
  }

  /**
   * What is known of an inode at an SCN, and of where its content is; or null. Any thread.
   *
   * @param id as it was at an SCN
   */
  InodeCache.@Nullable Entry known(long id, long scn) {
    return inodes.entry(id, moment(scn));
  }

  /** Remembers where the content of an inode was found at an SCN. Any thread. */
  void keepContent(long id, long scn, FoundBytes content) {
    inodes.keepContent(id, scn, content);
  }

  /** A key of a tree is changed or removed at an SCN; before that. The owner's thread. */
  void changing(StoreTree tree, byte[] key, long scn) {
    long stamp = faults.has(StoreFault.CHANGE_NOT_STAMPED) ? 0 : scn;
    if (tree == StoreTree.INODES) {
      inodes.changing(TreeKeys.id(key), stamp);
    } else if (tree == StoreTree.NAMES && !faults.has(StoreFault.NAMES_NOT_FORGOTTEN)) {
      names.changing(key, stamp);
    }
  }

  private long moment(long scn) {
    return faults.has(StoreFault.REMEMBERED_AT_ANY_MOMENT) ? Long.MAX_VALUE : scn;
  }
}
