package dev.upcall.txn.change;

import dev.upcall.base.Invariants;
import dev.upcall.tree.PageMissing;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;
import dev.upcall.txn.state.Op;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Entries of trees that were changed and are not the state's: what lies over a view. Content is not
 * part of it ({@code OwnContent}).
 */
public final class WriteSet {
  private static final NavigableMap<byte[], Entry> NOTHING = empty();

  private final Map<StoreTree, NavigableMap<byte[], Entry>> trees = new EnumMap<>(StoreTree.class);

  /**
   * What a key is.
   *
   * @param value its value, or null when it was removed; must not be changed
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Entry(byte @Nullable [] value) {}

  private static NavigableMap<byte[], Entry> empty() {
    return new TreeMap<>(Arrays::compareUnsigned);
  }

  /** Lays the steps of a plan over what is there. */
  public void absorb(List<Op> ops) {
    for (Op op : ops) {
      switch (op) {
        case Op.Put put -> tree(put.tree()).put(put.key(), new Entry(put.value()));
        case Op.Remove remove -> tree(remove.tree()).put(remove.key(), new Entry(null));
        default -> {}
      }
    }
  }

  /** What a key is; null when the view below decides. */
  @Nullable Entry get(StoreTree tree, byte[] key) {
    return trees.getOrDefault(tree, NOTHING).get(key);
  }

  /**
   * Looks up in a view all that is changed.
   *
   * @throws PageMissing for all pages that must be loaded first
   */
  public void lookUp(View view) {
    PageMissing.ofAll(
        trees.entrySet(),
        tree -> PageMissing.ofAll(tree.getValue().keySet(), key -> view.get(tree.getKey(), key)));
  }

  /** The entries of a tree from a key on, those of a view below among them. */
  View.Scan from(StoreTree tree, byte[] key, View.Scan below) {
    Map<byte[], Entry> own = trees.getOrDefault(tree, NOTHING).tailMap(key, true);
    return own.isEmpty() ? below : new Merged(own, below, 1);
  }

  /** The entries of a tree below a key, descending, those of a view below among them. */
  View.Scan below(StoreTree tree, byte[] key, View.Scan below) {
    Map<byte[], Entry> own = trees.getOrDefault(tree, NOTHING).headMap(key, false).descendingMap();
    return own.isEmpty() ? below : new Merged(own, below, -1);
  }

  private NavigableMap<byte[], Entry> tree(StoreTree tree) {
    return trees.computeIfAbsent(tree, any -> empty());
  }

  /** Two scans as one; where both have a key, the cover's counts. */
  private static final class Merged implements View.Scan {
    private final Iterator<Map.Entry<byte[], Entry>> own;
    private View.Scan below;

    /** 1 when both ascend, -1 when both descend. */
    private final int direction;

    private Map.@Nullable Entry<byte[], Entry> nextOwn;
    private byte @Nullable [] nextBelow;
    private boolean belowRead;
    private byte @Nullable [] key;
    private byte @Nullable [] value;

    Merged(Map<byte[], Entry> own, View.Scan below, int direction) {
      this.direction = direction;
      this.own = own.entrySet().iterator();
      this.below = below;
      stepOwn();
    }

    @Override
    public View.Scan to(byte[] bound) {
      below = below.to(bound);
      return this;
    }

    @Override
    public boolean next() {
      while (true) {
        if (!belowRead) {
          nextBelow = below.next() ? below.key() : null;
          belowRead = true;
        }
        Map.Entry<byte[], Entry> covering = nextOwn;
        byte[] under = nextBelow;
        if (covering == null && under == null) {
          return false;
        }
        int order = order(covering, under);
        if (order > 0) {
          key = under;
          value = below.value();
          belowRead = false;
          return true;
        }
        Map.Entry<byte[], Entry> taken = Invariants.present(covering, "the next entry of a cover");
        stepOwn();
        belowRead = belowRead && order != 0;
        byte[] covered = taken.getValue().value();
        if (covered != null) {
          key = taken.getKey();
          value = covered;
          return true;
        }
      }
    }

    /** Positive: the view's entry comes first. Zero: the cover hides it. */
    private int order(Map.@Nullable Entry<byte[], Entry> covering, byte @Nullable [] under) {
      if (covering == null) {
        return 1;
      }
      return under == null ? -1 : direction * Arrays.compareUnsigned(covering.getKey(), under);
    }

    private void stepOwn() {
      nextOwn = own.hasNext() ? own.next() : null;
    }

    @Override
    public byte[] key() {
      return Invariants.present(key, "the entry that a scan stands on").clone();
    }

    @Override
    public byte[] value() {
      return Invariants.present(value, "the entry that a scan stands on").clone();
    }
  }
}
