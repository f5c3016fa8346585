package dev.upcall.txn.change;

import dev.upcall.content.Kind;
import dev.upcall.fsm.Faults;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.InodeCodec;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.TableEntries;
import dev.upcall.txn.View;
import dev.upcall.txn.lock.LockKey;
import dev.upcall.txn.lock.LockOwner;
import dev.upcall.txn.lock.LockTable;
import dev.upcall.txn.state.Op;
import dev.upcall.txn.state.StoreFault;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What the steps of a change lock, and what they change. */
public final class LockKeys {
  private LockKeys() {}

  /**
   * What a step changes, or null for what is nobody's: orphans, extents, unplaced content. A clone
   * counts as a change of its source, and so does a range that is copied: it must be as it was when
   * the change was asked for.
   */
  static @Nullable LockKey of(Op op) {
    return switch (op) {
      case Op.Put put -> of(put.tree(), put.key());
      case Op.Remove remove -> of(remove.tree(), remove.key());
      case Op.OverlayWrite write -> LockKey.ofSegment(write.segment());
      case Op.OverlayCopy copy -> LockKey.ofSegment(copy.from());
      case Op.Unchanged source -> LockKey.ofSegment(source.segment());
      default -> null;
    };
  }

  private static @Nullable LockKey of(StoreTree tree, byte[] key) {
    return switch (tree) {
      case INODES -> LockKey.of(LockKey.Kind.SEGMENT, key);
      case NAMES -> LockKey.of(LockKey.Kind.NAME, key);
      case PROPERTIES -> LockKey.of(LockKey.Kind.PROPERTY, key);
      // How many entries there are follows from them: whoever changes one does not lock it.
      case ENTRIES -> TableEntries.isCount(key) ? null : LockKey.of(LockKey.Kind.ENTRY, key);
      case ORPHANS, UNPLACED, SNAPSHOTS, SHARED, EXPIRY, CONTENTS -> null;
    };
  }

  /**
   * All that a plan changes, ascending, but for directories in which only entries come and go.
   *
   * @param before what the plan saw
   */
  public static SortedSet<LockKey> of(List<Op> ops, View before) {
    SortedSet<LockKey> keys = new TreeSet<>();
    for (Op op : ops) {
      LockKey key = of(op);
      if (key != null && !isTouch(op, before)) {
        keys.add(key);
      }
    }
    return keys;
  }

  /**
   * The keys of which a change makes something else. The source of a clone, though locked, stays
   * what it is.
   *
   * @param before what the plan saw
   */
  static List<LockKey> changed(List<Op> ops, View before, Faults faults) {
    boolean forgetsRemovals = faults.has(StoreFault.CHANGED_BACK_UNNOTICED);
    List<LockKey> keys = new ArrayList<>();
    for (Op op : ops) {
      boolean sets = op instanceof Op.Put || op instanceof Op.Remove && !forgetsRemovals;
      LockKey key = sets ? of(op) : null;
      if (key != null && !isTouch(op, before)) {
        keys.add(key);
      }
    }
    return keys;
  }

  /** The first thing that a plan changes and somebody else has locked, or null. */
  static @Nullable LockKey blocked(
      LockTable locks, @Nullable LockOwner owner, List<Op> ops, View before) {
    for (Op op : ops) {
      LockKey key = of(op);
      if (key != null && locks.isHeldByOther(key, owner) && !isTouch(op, before)) {
        return key;
      }
    }
    return null;
  }

  private static boolean isTouch(Op op, View before) {
    if (!(op instanceof Op.Put(StoreTree tree, byte[] key, byte[] value))
        || tree != StoreTree.INODES) {
      return false;
    }
    long id = TreeKeys.id(key);
    Inode next = InodeCodec.decode(id, value);
    if (next.kind() != Kind.DIRECTORY) {
      return false;
    }
    Inode old = before.inode(id);
    return old != null && isSameDirectory(old, next);
  }

  /** But for times and version. */
  private static boolean isSameDirectory(Inode one, Inode other) {
    return one.kind() == other.kind()
        && one.links() == other.links()
        && one.mode() == other.mode()
        && one.owner() == other.owner()
        && one.parent() == other.parent()
        && one.times().createdNanos() == other.times().createdNanos()
        && one.attributes().keySet().equals(other.attributes().keySet())
        && one.attributes().entrySet().stream()
            .allMatch(
                each -> Arrays.equals(each.getValue(), other.attributes().get(each.getKey())));
  }
}
