package dev.upcall.txn.change;

import dev.upcall.txn.ChangeObserver;
import dev.upcall.txn.EntryChange;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.state.Op;
import dev.upcall.txn.state.StoreState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells those who asked of changes. Costs a change nothing while nobody has: one look at an empty
 * list. Whoever applies changes owns it.
 */
public final class ChangeFeed {
  /** Names first: what hears of an inode then knows whether it has just got a name. */
  private static final List<StoreTree> TOLD = List.of(StoreTree.NAMES, StoreTree.INODES);

  private static final byte[] GONE = {};

  private final Runnable publish;

  /** Replaced, never changed: an observer may leave while it is told something. */
  private List<ChangeObserver> observers = List.of();

  private List<EntryChange> untold = List.of();
  private long untoldScn;

  /**
   * Nobody hears of anything.
   *
   * @param publish no thread finds an older state behind this: comes before anybody is told
   */
  public ChangeFeed(Runnable publish) {
    this.publish = publish;
  }

  /** One more hears of what is applied from now on. */
  public void add(ChangeObserver observer) {
    List<ChangeObserver> more = new ArrayList<>(observers);
    more.add(observer);
    observers = List.copyOf(more);
  }

  /** One hears of nothing more. */
  public void remove(ChangeObserver observer) {
    observers = observers.stream().filter(other -> other != observer).toList();
  }

  /**
   * Keeps what a change does to entries; pages that it needs are in memory.
   *
   * @param scn the change's
   * @param before what it is applied to next
   */
  void note(List<Op> ops, long scn, StoreState before) {
    if (observers.isEmpty()) {
      return;
    }
    List<EntryChange> noted = new ArrayList<>();
    for (StoreTree tree : TOLD) {
      // The steps of a transaction may come to an entry again: what counts is the last of them.
      TreeMap<byte[], byte[]> after = new TreeMap<>(Arrays::compareUnsigned);
      for (Op op : ops) {
        switch (op) {
          case Op.Put put when put.tree() == tree -> after.put(put.key(), put.value());
          case Op.Remove remove when remove.tree() == tree -> after.put(remove.key(), GONE);
          default -> {}
        }
      }
      after.forEach(
          (key, value) -> {
            byte @Nullable [] was = before.tree(tree).get(key);
            byte @Nullable [] is = value == GONE ? null : value;
            if (was != null || is != null) {
              noted.add(new EntryChange(tree, key, was, is));
            }
          });
    }
    untold = noted;
    untoldScn = scn;
  }

  /** What was noted last is applied, and logged in its place. */
  public void tell() {
    if (untold.isEmpty()) {
      return;
    }
    List<EntryChange> now = untold;
    untold = List.of();
    publish.run();
    for (ChangeObserver observer : observers) {
      observer.applied(untoldScn, now);
    }
  }
}
