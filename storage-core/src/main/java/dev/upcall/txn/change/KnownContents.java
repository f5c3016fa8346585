package dev.upcall.txn.change;

import dev.upcall.fsm.Faults;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.KnownContent;
import dev.upcall.segment.layout.Staged;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.txn.Overtaken;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;
import dev.upcall.txn.dedup.DedupFault;
import dev.upcall.txn.lock.LockKey;
import dev.upcall.txn.state.Op;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The steps by which one change makes contents known and forgets others: each has one entry, there
 * are no more than may be, and their number is exact. A change that makes one entry too many takes
 * the next one behind it away: keys are hashes, so that is any.
 */
final class KnownContents {
  private final View view;
  private final List<Op> ops;
  private final Set<Long> touched;
  private final Faults faults;
  private final List<Staged.Hashed> duplicates = new ArrayList<>();

  /** The effect of the change, by key: there or gone. */
  private final TreeMap<byte[], Boolean> changed = new TreeMap<>(Arrays::compareUnsigned);

  private final long before;
  private long count;

  /**
   * Those of a plan.
   *
   * @param ops what it has said so far; more are added
   * @param touched the segments of which it has made something else
   */
  KnownContents(View view, List<Op> ops, Set<Long> touched, Faults faults) {
    this.view = view;
    this.ops = ops;
    this.touched = touched;
    this.faults = faults;
    byte[] stored = view.get(StoreTree.CONTENTS, KnownContent.countKey());
    this.before = stored == null ? 0 : KnownContent.count(stored);
    this.count = before;
  }

  /**
   * The file of which content is a clone; null if it has blocks of its own. Throws {@link
   * Overtaken} where it must get them first, since the file is no longer what it was.
   */
  @Nullable KnownContent cloned(Staged.Hashed content) {
    KnownContent file = content.same();
    if (file == null) {
      return null;
    }
    if (!isUntouched(file) && !faults.has(DedupFault.CHANGED_MASTER_CLONED)) {
      throw new Overtaken(content::copy);
    }
    duplicates.add(content);
    return file;
  }

  /** The content that would be a clone of what is locked, or null. */
  Staged.@Nullable Hashed duplicateOf(LockKey locked) {
    for (Staged.Hashed content : duplicates) {
      KnownContent file = content.same();
      if (file != null && locked.equals(LockKey.ofSegment(file.segment()))) {
        return content;
      }
    }
    return null;
  }

  /** Whether a file is what it was, before the plan and in it. */
  private boolean isUntouched(KnownContent file) {
    return isCurrent(view, file)
        && !touched.contains(file.segment())
        && ops.stream().noneMatch(op -> isRemovalOf(file.segment(), op));
  }

  private static boolean isRemovalOf(long segment, Op op) {
    return op instanceof Op.Remove remove
        && remove.tree() == StoreTree.INODES
        && TreeKeys.id(remove.key()) == segment;
  }

  /** A file has content from now on. */
  void add(Staged.Hashed content, Inode file) {
    content.stale().forEach(this::forgetStale);
    if (!isThere(content.key())) {
      count++;
    }
    KnownContent known = new KnownContent(file.id(), file.version(), content.sizeBytes());
    changed.put(content.key(), true);
    ops.add(new Op.Put(StoreTree.CONTENTS, content.key(), known.stored()));
    // Two, so that there come to be as few as may be where there may be fewer than before.
    for (int i = 0; i < 2 && count > content.maxEntries(); i++) {
      forgetNextTo(content.key());
    }
  }

  /** Says how many there are, if that has changed. */
  void finish() {
    if (count != before) {
      byte[] stored = KnownContent.storedCount(count);
      ops.add(new Op.Put(StoreTree.CONTENTS, KnownContent.countKey(), stored));
    }
  }

  /** Whether a known content is still a file's. May throw {@code PageMissing}. */
  private static boolean isCurrent(View view, KnownContent known) {
    Inode inode = view.inode(known.segment());
    return inode != null && inode.version() == known.version() && inode.size() == known.sizeBytes();
  }

  private boolean isThere(byte[] key) {
    Boolean mine = changed.get(key);
    return mine == null ? view.get(StoreTree.CONTENTS, key) != null : mine;
  }

  private void forgetStale(byte[] key) {
    byte[] stored = changed.containsKey(key) ? null : view.get(StoreTree.CONTENTS, key);
    if (stored != null && !isCurrent(view, KnownContent.of(key, stored))) {
      forget(key);
    }
  }

  private void forgetNextTo(byte[] key) {
    if (!forgetFrom(key) && !forgetFrom(new byte[KnownContent.KEY_BYTES])) {
      changed.entrySet().stream()
          .filter(each -> each.getValue() && !Arrays.equals(each.getKey(), key))
          .findFirst()
          .ifPresent(each -> forget(each.getKey()));
    }
  }

  private boolean forgetFrom(byte[] key) {
    View.Scan scan = view.from(StoreTree.CONTENTS, key);
    while (scan.next()) {
      byte[] found = scan.key();
      if (!KnownContent.isCount(found) && !changed.containsKey(found)) {
        forget(found);
        return true;
      }
    }
    return false;
  }

  private void forget(byte[] key) {
    changed.put(key, false);
    count--;
    ops.add(new Op.Remove(StoreTree.CONTENTS, key));
  }
}
